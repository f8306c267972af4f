package dev.muster.admission.core;

import static dev.muster.admission.core.Jobs.dependsOn;
import static dev.muster.admission.core.Jobs.gang;
import static dev.muster.admission.core.Jobs.role;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.admission.core.Queues.Queue;
import dev.muster.admission.core.TrainJob.Dependency;
import dev.muster.admission.core.TrainJob.DependencyPhase;
import dev.muster.admission.core.TrainJob.Elastic;
import dev.muster.admission.core.TrainJob.Role;
import dev.muster.admission.core.TrainJob.ScalingPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class QueueChecksTest {
    private static final String GPU = "nvidia.com/gpu";
    private static final OtherJobs NOBODY = (_, _) -> null;
    private static final Queue OPEN = queue("open", Map.of());

    @Test
    void nothingStandsAgainstTheSmallestJob() {
        assertThat(problems(Jobs.smallest(), OPEN)).isEmpty();
    }

    /** Its replicas are left out, and so less than its minimum. */
    @Test
    void elasticJobNeedsItsMinimum() {
        var range = new Elastic(2, 8, ScalingPolicy.NONE, Duration.ZERO);
        var job =
                Jobs.with(j -> {
                    j.elastic = range;
                    j.roles = List.of(Jobs.elastic(role("worker", 1)));
                });
        assertThat(problems(job, OPEN)).isEmpty();
        assertThat(problems(job, queue("q", Map.of("pods", 2L)))).isEmpty();
        assertThat(problems(job, queue("q", Map.of("pods", 1L))))
                .extracting(Problem::path)
                .containsExactly("spec.roles");
    }

    @Test
    void queueTakesJobsOfItsNamespacesOnly() {
        var closed = new Queue("q", "gpus", 7, 0, 10, false, List.of("vision", "text"), Map.of());
        assertThat(problems(Jobs.smallest(), closed))
                .containsExactly(
                        new Problem(
                                "spec.queue",
                                "q",
                                "takes no jobs of namespace ml, only of: vision, text"));
        var own = new Queue("q", "gpus", 7, 0, 10, false, List.of("ml"), Map.of());
        assertThat(problems(Jobs.smallest(), own)).isEmpty();
    }

    @Test
    void drainingQueueTakesNoNewJobs() {
        var draining = new Queue("q", "gpus", 7, 0, 10, true, List.of(), Map.of());
        assertThat(problems(Jobs.smallest(), draining))
                .extracting(Problem::path)
                .containsExactly("spec.queue");
    }

    @Test
    void everythingIsToldAtOnce() {
        var shut = new Queue("q", "gpus", 7, 10, 10, true, List.of("vision"), Map.of("pods", 0L));
        assertThat(problems(Jobs.smallest(), shut))
                .extracting(Problem::path)
                .containsExactly("spec.queue", "spec.queue", "spec.queue", "spec.roles");
    }

    /** The pool has the last word: the class may be newer than what is known here. */
    @Test
    void classThatThePoolDoesNotHaveIsToldBesideWhatElseIsWrong() {
        var draining = new Queue("q", "gpus", 7, 0, 10, true, List.of(), Map.of());
        var elsewhere = new Queue("q", "unknown", 8, 0, 10, true, List.of(), Map.of());
        var high = ofClass("high");
        var hihg = ofClass("hihg");
        assertThat(problems(hihg, OPEN)).isEmpty();
        assertThat(problems(hihg, draining))
                .extracting(Problem::path)
                .containsExactly("spec.queue", "spec.priorityClass");
        assertThat(problems(high, draining))
                .extracting(Problem::path)
                .containsExactly("spec.queue");
        assertThat(problems(hihg, elsewhere))
                .extracting(Problem::path)
                .containsExactly("spec.queue");
    }

    private static TrainJob ofClass(String name) {
        return Jobs.with(j -> {
            j.queue = "q";
            j.priorityClass = name;
        });
    }

    @Test
    void jobComesAfterJobsOfItsPoolOnly() {
        var job =
                Jobs.with(j ->
                        j.after =
                                List.of(
                                        new Dependency("near", DependencyPhase.SUCCEEDED),
                                        new Dependency("far", DependencyPhase.ENDED),
                                        new Dependency("unheard-of", DependencyPhase.ENDED)));
        OtherJobs others =
                (namespace, name) ->
                        switch (namespace + "/" + name) {
                            case "ml/near" -> entry("gpus");
                            case "ml/far" -> entry("tpus");
                            default -> null;
                        };
        assertThat(QueueChecks.problems(examined(job), OPEN, queues(OPEN), others))
                .containsExactly(
                        new Problem(
                                "spec.after[1].job",
                                "far",
                                "must be a job of pool gpus; its newest submission is in pool"
                                        + " tpus"));
    }

    @Test
    void jobThatNoQueueOfThePoolCanEverHoldIsRefused() {
        var small = queue("small", Map.of(GPU, 4L, "cpu", 1500L));
        var large = queue("large", Map.of(GPU, 32L, "cpu", 1500L));
        var job = Jobs.with(j -> j.roles = List.of(worker(9, 4)));
        assertThat(problems(job, small, large))
                .containsExactly(
                        new Problem(
                                "spec.roles",
                                "36 nvidia.com/gpu",
                                "must not need more at once than the largest limit of a queue in"
                                        + " pool gpus, which is 32 nvidia.com/gpu: the job would wait"
                                        + " for ever"));
        assertThat(problems(Jobs.with(j -> j.roles = List.of(worker(8, 4))), small, large))
                .isEmpty();
        assertThat(problems(job, small, large, OPEN)).isEmpty();
    }

    /** Four workers of 2 GPUs each and a master of one. */
    @ParameterizedTest
    @MethodSource
    void leastIsWhatStartsTogether(Consumer<Jobs> change, long gpus) {
        var job =
                Jobs.with(j -> {
                    j.roles = List.of(gpus(role("master", 1), 1), worker(4, 2));
                    change.accept(j);
                });
        var examined = Validation.examine(job, 1);
        var least = LeastDemand.of(examined.job().spec(), examined.needs());
        assertThat(least.get(GPU)).isEqualTo(gpus);
    }

    static Stream<Arguments> leastIsWhatStartsTogether() {
        var end = new Dependency("master", DependencyPhase.SUCCEEDED);
        var run = new Dependency("master", DependencyPhase.RUNNING);
        Consumer<Jobs> nothing = j -> {};
        Consumer<Jobs> two = j -> j.gang = gang(2);
        Consumer<Jobs> four = j -> j.gang = gang(4);
        Consumer<Jobs> minimum =
                j -> j.roles = List.of(j.roles.get(0), Jobs.minimum(j.roles.get(1), 3));
        Consumer<Jobs> stages =
                j -> j.roles = List.of(j.roles.get(0), dependsOn(j.roles.get(1), run));
        Consumer<Jobs> oneByOne =
                j -> j.roles = List.of(j.roles.get(0), dependsOn(j.roles.get(1), end));
        Consumer<Jobs> anyFour =
                j -> {
                    j.roles = List.of(worker(4, 2), gpus(role("ps", 4), 1));
                    j.gang = gang(4);
                };
        Consumer<Jobs> anyFive =
                j -> {
                    j.roles = List.of(worker(4, 2), gpus(role("ps", 2), 1));
                    j.gang = gang(5);
                };
        return Stream.of(
                argumentSet("the mix that needs least", anyFour, 5),
                argumentSet("what the others cannot have", anyFive, 8),
                argumentSet("everybody", nothing, 9),
                argumentSet("one of each role", two, 3),
                argumentSet("the gang's total", four, 7),
                argumentSet("a role's minimum", minimum, 7),
                argumentSet("side by side", stages, 9),
                argumentSet("one after the other", oneByOne, 8));
    }

    private static Role worker(int replicas, int gpus) {
        return gpus(role("worker", replicas), gpus);
    }

    private static Role gpus(Role role, int gpus) {
        var container = Map.of("name", "main", "resources", Map.of("limits", Map.of(GPU, gpus)));
        return role(role.name(), role.replicas(), Map.of("containers", List.of(container)));
    }

    private static Entry entry(String pool) {
        return new Entry("3-1", pool, 1, "", Phase.RUNNING, List.of(), List.of(), List.of(), false);
    }

    private static Queue queue(String name, Map<String, Long> limit) {
        return new Queue(name, "gpus", 7, 0, 10, false, List.of(), limit);
    }

    private static Queues queues(Queue... queues) {
        return KnownQueues.of(queues);
    }

    /** Into the first of these queues. */
    private static List<Problem> problems(TrainJob job, Queue... queues) {
        return QueueChecks.problems(examined(job), queues[0], queues(queues), NOBODY);
    }

    /** As if every field were carried out already. */
    private static Examined examined(TrainJob job) {
        var examined = Validation.examine(job, 1);
        return new Examined(
                examined.job(), examined.needs(), examined.canonical(), List.of(), List.of());
    }
}
