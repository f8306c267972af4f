package dev.muster.admission.stream;

import static dev.muster.admission.stream.Requests.nameIn;
import static dev.muster.admission.stream.Requests.spec;
import static dev.muster.admission.stream.Requests.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.schemas.contract.Limits;
import dev.muster.v1.CheckpointSpec;
import dev.muster.v1.DeadlinesSpec;
import dev.muster.v1.ElasticSpec;
import dev.muster.v1.FailureSpec;
import dev.muster.v1.GangSpec;
import dev.muster.v1.JobChange;
import dev.muster.v1.JobChangeKind;
import dev.muster.v1.Outcome;
import dev.muster.v1.Problem;
import dev.muster.v1.ScaleKind;
import dev.muster.v1.ScaleSpec;
import dev.muster.v1.TrainJobSpec;
import java.util.function.ObjLongConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Times that no form lets through, and that a record may have all the same. */
class LongDurationsTest {
    private static final String JOB = nameIn(0, 0);
    private static final long LONGEST = Limits.LONGEST_DURATION.toMillis();

    private final Desk desk = Desk.withAQueue();

    @AfterEach
    void close() {
        desk.close();
    }

    @ParameterizedTest
    @MethodSource
    void jobWithATimeThatNobodyCanMeanIsRefused(ObjLongConsumer<TrainJobSpec> set, String path) {
        for (var millis : new long[] {Long.MAX_VALUE, LONGEST + 1, Long.MIN_VALUE}) {
            var spec = spec();
            set.accept(spec, millis);
            desk.ask(submit("r" + millis, JOB, spec));
            var answer = desk.results().getFirst();
            assertThat(answer.getOutcome()).isEqualTo(Outcome.REFUSED);
            assertThat(answer.getProblems()).extracting(Problem::getPath).contains(path);
        }
        assertThat(desk.parked()).isEmpty();
        assertThat(desk.inbox()).isEmpty();
    }

    static Stream<Arguments> jobWithATimeThatNobodyCanMeanIsRefused() {
        return Stream.of(
                time("spec.ttlAfterFinished", TrainJobSpec::setTtlAfterFinishedMillis),
                time("spec.gracePeriod", TrainJobSpec::setGracePeriodMillis),
                time(
                        "spec.gang.timeout",
                        (spec, ms) -> {
                            var gang = GangSpec.newBuilder().build();
                            gang.setTimeoutMillis(ms);
                            spec.setGang(gang);
                        }),
                time(
                        "spec.elastic.scaling.cooldown",
                        (spec, ms) -> {
                            var elastic = ElasticSpec.newBuilder().setMin(1).setMax(2).build();
                            elastic.setCooldownMillis(ms);
                            spec.setElastic(elastic);
                        }),
                time("spec.deadlines.queue", deadline(DeadlinesSpec::setQueueMillis)),
                time("spec.deadlines.start", deadline(DeadlinesSpec::setStartMillis)),
                time("spec.deadlines.run", deadline(DeadlinesSpec::setRunMillis)),
                time(
                        "spec.checkpoint.timeout",
                        (spec, ms) -> {
                            var checkpoint = CheckpointSpec.newBuilder().build();
                            checkpoint.setTimeoutMillis(ms);
                            spec.setCheckpoint(checkpoint);
                        }),
                time("spec.failure.window", failure(FailureSpec::setWindowMillis)),
                time("spec.failure.delay.initial", failure(FailureSpec::setDelayInitialMillis)),
                time("spec.failure.delay.max", failure(FailureSpec::setDelayMaxMillis)),
                time("spec.failure.settle", failure(FailureSpec::setSettleMillis)),
                time("spec.failure.nodeLost.after", failure(FailureSpec::setNodeLostAfterMillis)),
                time(
                        "spec.roles[0].failure.window",
                        (spec, ms) -> {
                            var failure = FailureSpec.newBuilder().build();
                            failure.setWindowMillis(ms);
                            spec.getRoles().getFirst().setFailure(failure);
                        }));
    }

    @Test
    void longestTimeIsTaken() {
        var spec = spec();
        spec.setGracePeriodMillis(LONGEST);
        desk.ask(submit("r1", JOB, spec));
        assertThat(desk.inbox()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, Long.MAX_VALUE})
    void commandsWithSuchATimeAreRefused(long millis) {
        desk.ask(submit("r1", JOB));
        desk.inbox();
        var cancel = Requests.cancel("r2", JOB);
        cancel.getCancel().setGracePeriodMillis(millis);
        desk.ask(cancel);
        var suspend = Requests.change(JobChangeKind.SUSPEND);
        suspend.setGracePeriodMillis(millis);
        desk.ask(Requests.change("r3", JOB, suspend));
        var scale = ScaleSpec.newBuilder().setRole("worker").setKind(ScaleKind.SET).setCount(1);
        desk.ask(Requests.change("r4", JOB, scaled(scale.setTimeoutMillis(millis).build())));
        desk.ask(
                Requests.change(
                        "r5",
                        JOB,
                        scaled(scale.setTimeoutMillis(0).setDrainMillis(millis).build())));
        assertThat(desk.results())
                .flatExtracting(result -> result.getProblems())
                .extracting(Problem::getPath)
                .containsExactly(
                        "gracePeriod",
                        "change.gracePeriod",
                        "change.scale.timeout",
                        "change.scale.drain");
        assertThat(desk.inbox()).isEmpty();
        assertThat(desk.parked()).isEmpty();
    }

    private static JobChange scaled(ScaleSpec scale) {
        return JobChange.newBuilder().setKind(JobChangeKind.SCALE).setScale(scale).build();
    }

    private static ObjLongConsumer<TrainJobSpec> deadline(ObjLongConsumer<DeadlinesSpec> set) {
        return (spec, millis) -> {
            var deadlines = DeadlinesSpec.newBuilder().build();
            set.accept(deadlines, millis);
            spec.setDeadlines(deadlines);
        };
    }

    private static ObjLongConsumer<TrainJobSpec> failure(ObjLongConsumer<FailureSpec> set) {
        return (spec, millis) -> {
            var failure = FailureSpec.newBuilder().build();
            set.accept(failure, millis);
            spec.setFailure(failure);
        };
    }

    private static Arguments time(String path, ObjLongConsumer<TrainJobSpec> set) {
        return argumentSet(path, set, path);
    }
}
