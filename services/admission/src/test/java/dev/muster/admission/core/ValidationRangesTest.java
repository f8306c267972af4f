package dev.muster.admission.core;

import static dev.muster.admission.core.Jobs.role;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.admission.core.TrainJob.Checkpoint;
import dev.muster.admission.core.TrainJob.CheckpointSignal;
import dev.muster.admission.core.TrainJob.Deadlines;
import dev.muster.admission.core.TrainJob.Dependency;
import dev.muster.admission.core.TrainJob.DependencyPhase;
import dev.muster.admission.core.TrainJob.Elastic;
import dev.muster.admission.core.TrainJob.FailureAction;
import dev.muster.admission.core.TrainJob.FailureRule;
import dev.muster.admission.core.TrainJob.ScalingPolicy;
import dev.muster.schemas.contract.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Values at the edge of what is allowed, and one beyond it. */
class ValidationRangesTest {
    private static final ScalingPolicy NONE = ScalingPolicy.NONE;
    private static final Duration AGO = Duration.ofSeconds(-1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @ParameterizedTest
    @MethodSource
    void whatIsOutOfRangeIsTold(Consumer<Jobs> change, String path) {
        assertThat(problems(change)).extracting(Problem::path).contains(path);
    }

    static Stream<Arguments> whatIsOutOfRangeIsTold() {
        return Stream.of(
                wrong("elastic min", ranged(0, 4), "spec.elastic.min"),
                wrong("elastic max", ranged(1, 10_001), "spec.elastic.max"),
                wrong("more than elastic max", ranged(1, 1), "spec.roles[0].replicas"),
                wrong("cooldown", scaled(ScalingPolicy.NONE, AGO), "spec.elastic.scaling.cooldown"),
                wrong(
                        "scaling",
                        scaled(ScalingPolicy.UNKNOWN, MINUTE),
                        "spec.elastic.scaling.policy"),
                wrong("elastic master", elasticRole("master"), "spec.roles[0].elastic"),
                wrong("elastic launcher", elasticRole("launcher"), "spec.roles[0].elastic"),
                wrong("spot above the wish", wished(NONE, 3, 0, null), "spec.roles[0].spot.count"),
                wrong("critical above it", wished(NONE, 0, 2, null), "spec.roles[0].critical[0]"),
                wrong("gang above it", wished(NONE, 0, 0, 3), "spec.gang.min"),
                wrong("more pods than a plan names", pods(10_000, 10_000, 1), "spec.roles"),
                wrong("with those that may come", grown(10_000, 9_999, 2), "spec.roles"),
                wrong("more jobs before it", after(Limits.AFTER + 1), "spec.after"),
                wrong("nobody at first", least(0), "spec.roles[0].min"),
                wrong("gang of nobody", j -> j.gang = Jobs.gang(0), "spec.gang.min"),
                wrong("gang of more", j -> j.gang = Jobs.gang(2), "spec.gang.min"),
                wrong(
                        "queue deadline",
                        j -> j.deadlines = new Deadlines(AGO, MINUTE, MINUTE),
                        "spec.deadlines.queue"),
                wrong(
                        "start deadline",
                        j -> j.deadlines = new Deadlines(MINUTE, AGO, MINUTE),
                        "spec.deadlines.start"),
                wrong("checkpoint", asked(Duration.ofMillis(999)), "spec.checkpoint.timeout"),
                wrong("long checkpoint", asked(Duration.ofHours(2)), "spec.checkpoint.timeout"),
                wrong(
                        "checkpoint signal",
                        j -> j.checkpoint = new Checkpoint(CheckpointSignal.UNKNOWN, MINUTE),
                        "spec.checkpoint.signal"),
                wrong(
                        "annotation",
                        j -> j.annotations = Map.of("a b", ""),
                        "metadata.annotations['a b']"),
                wrong(
                        "rule of nobody",
                        j -> j.failure = Jobs.failure(failing("ps")),
                        "spec.failure.rules[0].role"));
    }

    @ParameterizedTest
    @MethodSource
    void whatIsJustInRangeIsTaken(Consumer<Jobs> change) {
        assertThat(problems(change)).isEmpty();
    }

    static Stream<Arguments> whatIsJustInRangeIsTaken() {
        return Stream.of(
                right("smallest range", ranged(2, 2)),
                right("largest range", ranged(1, 10_000)),
                right("no cooldown", scaled(ScalingPolicy.NONE, Duration.ZERO)),
                right("all of the least", wished(NONE, 2, 1, 2)),
                right("all of the capacity", wished(ScalingPolicy.CAPACITY, 8, 7, 8)),
                right("as many pods as a plan names", pods(10_000, 10_000)),
                right("with those that may come", grown(10_000, 9_999, 1)),
                right("as many jobs before it", after(Limits.AFTER)),
                right("one at first", least(1)),
                right("gang of all", j -> j.gang = Jobs.gang(1)),
                right("shortest answer", asked(Duration.ofSeconds(1))),
                right("longest answer", asked(Duration.ofHours(1))),
                right("most processes", j -> j.nprocPerNode = "1024"),
                right("rule of a role", j -> j.failure = Jobs.failure(failing("worker"))));
    }

    private static Consumer<Jobs> after(int jobs) {
        return j ->
                j.after =
                        IntStream.range(0, jobs)
                                .mapToObj(i -> new Dependency("data-" + i, DependencyPhase.ENDED))
                                .toList();
    }

    private static Consumer<Jobs> ranged(int min, int max) {
        return elastic(new Elastic(min, max, ScalingPolicy.NONE, MINUTE));
    }

    private static Consumer<Jobs> scaled(ScalingPolicy scaling, Duration cooldown) {
        return elastic(new Elastic(1, 4, scaling, cooldown));
    }

    private static Consumer<Jobs> elastic(Elastic range) {
        return j -> {
            j.elastic = range;
            j.roles = List.of(Jobs.elastic(role("worker", 2)));
        };
    }

    /** Replicas are left out: of 2 to 8 as many are wished as the policy says. */
    private static Consumer<Jobs> wished(
            ScalingPolicy scaling, int spot, int critical, @Nullable Integer gang) {
        return j -> {
            j.elastic = new Elastic(2, 8, scaling, MINUTE);
            var worker = Jobs.minimum(Jobs.elastic(role("worker", 1)), 2);
            j.roles = List.of(Jobs.special(worker, spot, false, null, List.of(critical)));
            j.gang = gang == null ? null : Jobs.gang(gang);
        };
    }

    private static Consumer<Jobs> elasticRole(String name) {
        return j -> {
            j.elastic = new Elastic(1, 4, ScalingPolicy.NONE, MINUTE);
            j.roles = List.of(Jobs.elastic(role(name, 2)));
        };
    }

    private static Consumer<Jobs> pods(int... replicas) {
        return j ->
                j.roles =
                        IntStream.range(0, replicas.length)
                                .mapToObj(i -> role("worker" + i, replicas[i]))
                                .toList();
    }

    /** The first role is elastic and begins with one. */
    private static Consumer<Jobs> grown(int max, int second, int third) {
        return j -> {
            j.elastic = new Elastic(1, max, NONE, MINUTE);
            j.roles =
                    List.of(
                            Jobs.elastic(role("worker", 1)),
                            role("second", second),
                            role("third", third));
        };
    }

    private static Consumer<Jobs> least(int min) {
        return j -> j.roles = List.of(Jobs.minimum(role("worker", 2), min));
    }

    private static Consumer<Jobs> asked(Duration timeout) {
        return j -> j.checkpoint = new Checkpoint(CheckpointSignal.EVENT, timeout);
    }

    private static FailureRule failing(String role) {
        return new FailureRule(List.of(), List.of(), role, FailureAction.FAIL, "", null, null);
    }

    private static Arguments wrong(String name, Consumer<Jobs> change, String path) {
        return argumentSet(name, change, path);
    }

    private static Arguments right(String name, Consumer<Jobs> change) {
        return argumentSet(name, change);
    }

    private static List<Problem> problems(Consumer<Jobs> change) {
        return Validation.examine(Jobs.with(change), 1000).problems();
    }
}
