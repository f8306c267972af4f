package dev.muster.admission.core;

import static dev.muster.admission.core.Jobs.failure;
import static dev.muster.admission.core.Jobs.role;
import static dev.muster.admission.core.Jobs.special;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.admission.core.PodNeeds.MainMemory;
import dev.muster.admission.core.TrainJob.FailureAction;
import dev.muster.admission.core.TrainJob.FailureRule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AmountChecksTest {
    private static final long GIBI = 1L << 30;
    private static final FailureRule GROW =
            new FailureRule(
                    List.of(),
                    List.of("OOMKilled"),
                    null,
                    FailureAction.GROW_MEMORY,
                    "",
                    null,
                    null);

    private static final Map<String, ?> ONE_CPU =
            Map.of(
                    "containers",
                    List.of(container("main", Map.of("requests", Map.of("cpu", "1")))));

    private static Map<String, Object> container(String name, Map<String, ?> resources) {
        return Map.of("name", name, "image", "python:3.12", "resources", resources);
    }

    private static Map<String, Object> memory(String request, String limit) {
        return Map.of("requests", Map.of("memory", request), "limits", Map.of("memory", limit));
    }

    private static Examined examined(Map<String, ?> podSpec, Map<String, String> limits) {
        return Validation.examine(
                Jobs.with(job -> {
                    job.roles = List.of(role("worker", 3, podSpec));
                    job.failure = failure(GROW);
                    job.limits = limits;
                }),
                1000);
    }

    private static @Nullable MainMemory mainMemory(Map<String, ?> podSpec) {
        return examined(podSpec, Map.of()).needs().getFirst().mainMemory();
    }

    @Test
    void growingMemoryNeedsAContainerThatNamesIt() {
        assertThat(examined(Jobs.ONE_CONTAINER, Map.of()).problems())
                .containsExactly(
                        new Problem(
                                "spec.failure.rules[0].action",
                                "GrowMemory",
                                "needs a request or limit of memory in the main container of role"
                                        + " worker, and none for its pod as a whole"));
        var inARole = special(role("worker", 2), 0, false, failure(GROW), List.of());
        assertThat(Validation.examine(Jobs.with(j -> j.roles = List.of(inARole)), 1000).problems())
                .extracting(Problem::path)
                .containsExactly("spec.roles[0].failure.rules[0].action");
    }

    @Test
    void whatGrowsIsTheMainContainersLimitBesideTheOthers() {
        var pod =
                Map.of(
                        "initContainers",
                        List.of(container("fetch", memory("20Gi", "20Gi"))),
                        "containers",
                        List.of(
                                container("log", memory("1Gi", "2Gi")),
                                container("main", memory("4Gi", "8Gi"))));
        assertThat(examined(pod, Map.of()).problems()).isEmpty();
        assertThat(mainMemory(pod)).isEqualTo(new MainMemory(8 * GIBI, GIBI, 2 * GIBI, 4 * GIBI));
    }

    @Test
    void withoutALimitItsRequestGrows() {
        var resources = Map.of("requests", Map.of("memory", "4Gi"));
        var pod = Map.of("containers", List.of(container("main", resources)));
        assertThat(mainMemory(pod)).isEqualTo(new MainMemory(4 * GIBI, 0, null, null));
    }

    @Test
    void whatIsAskedForIsTheLimitWhereNoLessIsRequested() {
        for (var resources :
                List.of(memory("4Gi", "4Gi"), Map.of("limits", Map.of("memory", "4Gi")))) {
            var pod = Map.of("containers", List.of(container("main", resources)));
            assertThat(mainMemory(pod)).isEqualTo(new MainMemory(4 * GIBI, 0, 0L, null));
        }
    }

    @Test
    void memoryOfThePodAsAWholeDoesNotGrow() {
        var pod =
                Map.of(
                        "resources",
                        memory("8Gi", "8Gi"),
                        "containers",
                        List.of(container("main", memory("4Gi", "8Gi"))));
        assertThat(mainMemory(pod)).isNull();
    }

    @Test
    void limitsOfTheJobAreAtLeastWhatItAsksFor() {
        var pod = Map.of("containers", List.of(container("main", memory("4Gi", "8Gi"))));
        assertThat(examined(pod, Map.of("memory", "12Gi", "cpu", "1")).problems()).isEmpty();
        assertThat(examined(pod, Map.of("memory", "11Gi")).problems())
                .containsExactly(
                        new Problem(
                                "spec.resourceLimits.memory",
                                "11Gi",
                                "must be at least what all pods ask for together, which is"
                                        + " 12884901888"));
        assertThat(examined(pod, Map.of("memory", "much")).problems())
                .extracting(Problem::path)
                .containsExactly("spec.resourceLimits.memory");
    }

    @Test
    void allPodsTogetherHaveNoMoreThanAnybodyHas() {
        var pod = Map.of("containers", List.of(container("main", memory("1Gi", "1P"))));
        assertThat(sized(1000, pod)).isEmpty();
        assertThat(sized(10_000, pod))
                .containsExactly(
                        new Problem(
                                "spec.roles",
                                "limits.memory 10000000000000000000",
                                "must be at most 1,000,000,000,000,000,000 for all pods together,"
                                        + " as many as there may be"));
        var asking = Map.of("containers", List.of(container("main", memory("1P", "1P"))));
        assertThat(sized(1001, asking))
                .extracting(Problem::given)
                .containsExactly(
                        "requests.memory 1001000000000000000", "limits.memory 1001000000000000000");
    }

    @Test
    void largestJobOfRealMachinesIsFine() {
        var pod = Map.of("containers", List.of(container("main", memory("2Ti", "4Ti"))));
        assertThat(sized(10_000, pod)).isEmpty();
    }

    @Test
    void podsThatAnElasticRoleMayComeToHaveCount() {
        var pod = Map.of("containers", List.of(container("main", memory("1Gi", "1P"))));
        var range = new TrainJob.Elastic(1, 1001, TrainJob.ScalingPolicy.NONE, Duration.ZERO);
        var examined =
                Validation.examine(
                        Jobs.with(job -> {
                            job.elastic = range;
                            job.roles = List.of(Jobs.elastic(role("worker", 1, pod)));
                        }),
                        1000);
        assertThat(examined.problems()).extracting(Problem::path).containsExactly("spec.roles");
    }

    private static List<Problem> sized(int pods, Map<String, ?> podSpec) {
        var roles = List.of(role("worker", pods, podSpec));
        return Validation.examine(Jobs.with(job -> job.roles = roles), 1000).problems();
    }

    @Test
    void limitsOfAnElasticJobAllowItsMinimumAndMayAllowNoMore() {
        assertThat(elastic(4, "3").problems())
                .containsExactly(
                        new Problem(
                                "spec.resourceLimits.cpu",
                                "3",
                                "must be at least what all pods ask for together, which is"
                                        + " 4000m"));
        assertThat(elastic(4, "4").problems()).isEmpty();
    }

    /** Beside two servers of another role, with which 14 start. */
    @Test
    void limitsOfAnElasticJobAllowTheGangThatStarts() {
        assertThat(together(14, "13").problems())
                .containsExactly(
                        new Problem(
                                "spec.resourceLimits.cpu",
                                "13",
                                "must be at least what all pods ask for together, which is"
                                        + " 14000m"));
        assertThat(together(14, "14").problems()).isEmpty();
        assertThat(together(19, "18").problems())
                .extracting(Problem::path)
                .containsExactly("spec.gang.min");
    }

    /** As many workers as there is room for, 2 to 16. */
    private static Examined together(int gang, String limit) {
        var range = new TrainJob.Elastic(2, 16, TrainJob.ScalingPolicy.CAPACITY, Duration.ZERO);
        return Validation.examine(
                Jobs.with(job -> {
                    job.elastic = range;
                    job.roles =
                            List.of(
                                    Jobs.elastic(role("worker", 2, ONE_CPU)),
                                    role("ps", 2, ONE_CPU));
                    job.gang = Jobs.gang(gang);
                    job.limits = Map.of("cpu", limit);
                }),
                1000);
    }

    private static Examined elastic(int min, String limit) {
        var range = new TrainJob.Elastic(min, 8, TrainJob.ScalingPolicy.CAPACITY, Duration.ZERO);
        return Validation.examine(
                Jobs.with(job -> {
                    job.elastic = range;
                    job.roles = List.of(Jobs.elastic(role("worker", 2, ONE_CPU)));
                    job.limits = Map.of("cpu", limit);
                }),
                1000);
    }
}
