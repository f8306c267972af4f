package dev.muster.admission.core;

import static dev.muster.admission.core.Jobs.role;
import static dev.muster.admission.core.TrainJob.CheckpointSignal.EVENT;
import static dev.muster.admission.core.TrainJob.CheckpointSignal.FILE;
import static dev.muster.admission.core.TrainJob.DependencyPhase.ENDED;
import static dev.muster.admission.core.TrainJob.DependencyPhase.READY;
import static dev.muster.admission.core.TrainJob.DependencyPhase.RUNNING;
import static dev.muster.admission.core.TrainJob.DependencyPhase.SUCCEEDED;
import static dev.muster.admission.core.TrainJob.ScalingPolicy.CAPACITY;
import static dev.muster.admission.core.TrainJob.ScalingPolicy.METRICS;
import static dev.muster.admission.core.TrainJob.TopologyPolicy.PACK;
import static dev.muster.admission.core.TrainJob.TopologyPolicy.SPREAD;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.admission.core.TrainJob.Checkpoint;
import dev.muster.admission.core.TrainJob.Cleanup;
import dev.muster.admission.core.TrainJob.Deadlines;
import dev.muster.admission.core.TrainJob.Dependency;
import dev.muster.admission.core.TrainJob.Elastic;
import dev.muster.admission.core.TrainJob.ExitCodes;
import dev.muster.admission.core.TrainJob.FailureAction;
import dev.muster.admission.core.TrainJob.FailureRule;
import dev.muster.admission.core.TrainJob.Framework;
import dev.muster.admission.core.TrainJob.Gang;
import dev.muster.admission.core.TrainJob.NodeLostPolicy;
import dev.muster.admission.core.TrainJob.Success;
import dev.muster.admission.core.TrainJob.SuccessWhen;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CanonicalTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final List<Dependency> SOME = List.of(new Dependency("master", RUNNING));
    private static final List<Dependency> READY_SOME = List.of(new Dependency("master", READY));
    private static final List<Dependency> OTHER = List.of(new Dependency("other", RUNNING));
    private static final TrainJob PAIR =
            Jobs.with(j -> j.roles = List.of(role("master", 1), role("worker", 4)));

    @ParameterizedTest
    @MethodSource
    void anyChangeOfAJobChangesItsText(Consumer<Jobs> change) {
        assertThat(canonical(Jobs.with(change))).isNotEqualTo(canonical(Jobs.smallest()));
    }

    static Stream<Arguments> anyChangeOfAJobChangesItsText() {
        return Stream.of(
                change("queue", j -> j.queue = "other"),
                change("priority", j -> j.priority = 1),
                change("class", j -> j.priorityClass = "high"),
                change("framework", j -> j.framework = Framework.PYTORCH),
                change("processes", j -> j.nprocPerNode = "2"),
                change("port", j -> j.masterPort = 1),
                change("suspend", j -> j.suspend = true),
                change("labels", j -> j.labels = Map.of("a", "b")),
                change("annotations", j -> j.annotations = Map.of("a", "b")),
                change("gang", j -> j.gang = Jobs.gang(7)),
                change("role", j -> j.roles = List.of(role("other", 1))),
                change("replicas", j -> j.roles = List.of(role("worker", 2))),
                change("template", j -> j.roles = List.of(role("worker", 1, Map.of("a", 1)))),
                change("success", j -> j.success = new Success(SuccessWhen.ALL_SUCCEEDED, null)),
                change("failure", j -> j.failure = Jobs.failure()),
                change("cleanup", j -> j.cleanup = Cleanup.NONE),
                change("ttl", j -> j.ttl = TrainJob.NEVER),
                change("grace", j -> j.grace = Duration.ZERO),
                change("limits", j -> j.limits = Map.of("cpu", "1")),
                change("budget", j -> j.budget = true),
                change("shell", j -> j.shell = TrainJob.RemoteShell.SSH));
    }

    /** A job of which every field says something, changed at one place of its records. */
    @ParameterizedTest
    @MethodSource
    void anyChangeWithinAFieldChangesItsText(Consumer<Jobs> change) {
        assertThat(canonical(Jobs.with(full().andThen(change))))
                .isNotEqualTo(canonical(Jobs.with(full())));
    }

    static Stream<Arguments> anyChangeWithinAFieldChangesItsText() {
        var day = Duration.ofDays(1);
        var codes = List.of(new ExitCodes(1, 2));
        return Stream.of(
                change("after whom", j -> j.after = List.of(new Dependency("b", SUCCEEDED))),
                change("after what", j -> j.after = List.of(new Dependency("a", ENDED))),
                change("gang min", j -> j.gang = new Gang(6, MINUTE, PACK, "rack")),
                change("gang timeout", j -> j.gang = new Gang(5, day, PACK, "rack")),
                change("topology", j -> j.gang = new Gang(5, MINUTE, SPREAD, "rack")),
                change("topology key", j -> j.gang = new Gang(5, MINUTE, PACK, "zone")),
                change("elastic min", j -> j.elastic = new Elastic(2, 9, CAPACITY, MINUTE)),
                change("elastic max", j -> j.elastic = new Elastic(1, 8, CAPACITY, MINUTE)),
                change("scaling", j -> j.elastic = new Elastic(1, 9, METRICS, MINUTE)),
                change("cooldown", j -> j.elastic = new Elastic(1, 9, CAPACITY, day)),
                change("elastic role", j -> worker(j, false, SOME, 1, true, null, 0)),
                change("depends on", j -> worker(j, true, OTHER, 1, true, null, 0)),
                change("depends on phase", j -> worker(j, true, READY_SOME, 1, true, null, 0)),
                change("spot", j -> worker(j, true, SOME, 2, true, null, 0)),
                change("host network", j -> worker(j, true, SOME, 1, false, null, 0)),
                change("own failure", j -> worker(j, true, SOME, 1, true, Jobs.failure(), 0)),
                change("critical", j -> worker(j, true, SOME, 1, true, null, 1)),
                change("queue deadline", j -> j.deadlines = new Deadlines(day, MINUTE, MINUTE)),
                change("start deadline", j -> j.deadlines = new Deadlines(MINUTE, day, MINUTE)),
                change("run deadline", j -> j.deadlines = new Deadlines(MINUTE, MINUTE, day)),
                change("signal", j -> j.checkpoint = new Checkpoint(EVENT, MINUTE)),
                change("answer", j -> j.checkpoint = new Checkpoint(FILE, day)),
                change("first code", rule(List.of(new ExitCodes(0, 2)), "Evicted", "worker")),
                change("last code", rule(List.of(new ExitCodes(1, 3)), "Evicted", "worker")),
                change("reason", rule(codes, "OOMKilled", "worker")),
                change("of which role", rule(codes, "Evicted", "master")),
                change("action", rule(codes, FailureAction.RESTART_GANG, "why", 1500, "1Gi")),
                change("message", rule(codes, FailureAction.FAIL, "that is", 1500, "1Gi")),
                change("factor", rule(codes, FailureAction.FAIL, "why", 1501, "1Gi")),
                change("max", rule(codes, FailureAction.FAIL, "why", 1500, "2Gi")),
                change("backoffLimit", failure(4, 5, MINUTE, MINUTE, MINUTE, MINUTE, MINUTE)),
                change("infrastructure", failure(3, 6, MINUTE, MINUTE, MINUTE, MINUTE, MINUTE)),
                change("window", failure(3, 5, day, MINUTE, MINUTE, MINUTE, MINUTE)),
                change("first delay", failure(3, 5, MINUTE, day, MINUTE, MINUTE, MINUTE)),
                change("longest delay", failure(3, 5, MINUTE, MINUTE, day, MINUTE, MINUTE)),
                change("settle", failure(3, 5, MINUTE, MINUTE, MINUTE, day, MINUTE)),
                change("node lost after", failure(3, 5, MINUTE, MINUTE, MINUTE, MINUTE, day)),
                change("node lost", j -> j.failure = failure(NodeLostPolicy.FORCE, j.failure)));
    }

    private static Consumer<Jobs> full() {
        return j -> {
            j.after = List.of(new Dependency("a", SUCCEEDED));
            j.gang = new Gang(5, MINUTE, PACK, "rack");
            j.elastic = new Elastic(1, 9, CAPACITY, MINUTE);
            worker(j, true, SOME, 1, true, null, 0);
            j.deadlines = new Deadlines(MINUTE, MINUTE, MINUTE);
            j.checkpoint = new Checkpoint(FILE, MINUTE);
            rule(List.of(new ExitCodes(1, 2)), "Evicted", "worker").accept(j);
        };
    }

    private static void worker(
            Jobs job,
            boolean elastic,
            List<Dependency> on,
            int spot,
            boolean hostNetwork,
            TrainJob.@Nullable Failure failure,
            int critical) {
        var plain = role("worker", 4);
        var own =
                new TrainJob.Role(
                        plain.name(),
                        plain.replicas(),
                        2,
                        elastic,
                        on,
                        spot,
                        hostNetwork,
                        failure,
                        List.of(critical),
                        plain.template());
        job.roles = List.of(role("master", 1), role("other", 1), own);
    }

    private static Consumer<Jobs> rule(List<ExitCodes> codes, String reason, String role) {
        return rule(
                new FailureRule(
                        codes, List.of(reason), role, FailureAction.FAIL, "why", 1500, "1Gi"));
    }

    private static Consumer<Jobs> rule(
            List<ExitCodes> codes, FailureAction action, String message, int factor, String max) {
        return rule(
                new FailureRule(codes, List.of("Evicted"), "worker", action, message, factor, max));
    }

    private static Consumer<Jobs> rule(FailureRule rule) {
        return j ->
                j.failure =
                        new TrainJob.Failure(
                                3,
                                5,
                                MINUTE,
                                MINUTE,
                                MINUTE,
                                MINUTE,
                                MINUTE,
                                NodeLostPolicy.WAIT,
                                List.of(rule));
    }

    private static Consumer<Jobs> failure(
            int limit,
            int infrastructure,
            Duration window,
            Duration first,
            Duration longest,
            Duration settle,
            Duration lost) {
        return j ->
                j.failure =
                        new TrainJob.Failure(
                                limit,
                                infrastructure,
                                window,
                                first,
                                longest,
                                settle,
                                lost,
                                NodeLostPolicy.WAIT,
                                requireNonNull(j.failure).rules());
    }

    private static TrainJob.Failure failure(NodeLostPolicy lost, TrainJob.@Nullable Failure old) {
        return new TrainJob.Failure(
                3, 5, MINUTE, MINUTE, MINUTE, MINUTE, MINUTE, lost, requireNonNull(old).rules());
    }

    @Test
    void whatIsWrittenOutIsTheSameJobAsWhatIsLeftOut() {
        var written =
                Jobs.with(j -> {
                    j.roles = List.of(role("master", 1), role("worker", 4));
                    j.gang = Jobs.gang(5);
                    j.success = new Success(SuccessWhen.ROLE_SUCCEEDED, "master");
                    j.deadlines = TrainJob.Deadlines.NONE;
                });
        assertThat(canonical(written)).isEqualTo(canonical(PAIR));
    }

    @Test
    void whatATemplateSaysIsNotTakenForSomethingElse() {
        assertThat(canonical(withTemplate(Map.of("a", "1"))))
                .isNotEqualTo(canonical(withTemplate(Map.of("a", 1))))
                .isNotEqualTo(canonical(withTemplate(Map.of("a", "1", "b", List.of()))));
    }

    @Test
    void theSameNumberWrittenOtherwiseIsTheSameText() {
        assertThat(canonical(withTemplate(Map.of("a", 10))))
                .isEqualTo(canonical(withTemplate(Map.of("a", 10.0))));
    }

    @Test
    void textOfTheSmallestJobStaysWhatItWas() {
        // A running job's resubmission must be recognised after an upgrade: change it with care.
        assertThat(canonical(Jobs.smallest()))
                .isEqualTo(
                        "queue=(7:default)priority=(0)framework=(NONE)nprocPerNode=(1:1)"
                                + "masterPort=(23456)gang=(min=(1)timeout=(300000000000)topology=(NONE))"
                                + "roles=((name=(6:worker)replicas=(1)min=(1)spotCount=(0)"
                                + "template=((4:spec)((10:containers)("
                                + "((5:image)(11:python:3.12)(4:name)(4:main)))))))"
                                + "success=(when=(ROLE_SUCCEEDED)role=(6:worker))"
                                + "deadlines=(queue=(0)start=(0)run=(0))cleanup=(RUNNING)"
                                + "ttlAfterFinished=(86400000000000)gracePeriod=(30000000000)"
                                + "checkpoint=(signal=(NONE)timeout=(120000000000))");
    }

    private static Arguments change(String name, Consumer<Jobs> change) {
        return argumentSet(name, change);
    }

    private static TrainJob withTemplate(Map<String, Object> podSpec) {
        return Jobs.with(j -> j.roles = List.of(role("worker", 1, podSpec)));
    }

    private static String canonical(TrainJob job) {
        return Validation.examine(job, 1).canonical();
    }
}
