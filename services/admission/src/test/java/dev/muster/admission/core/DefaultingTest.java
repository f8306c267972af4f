package dev.muster.admission.core;

import static dev.muster.admission.core.Jobs.dependsOn;
import static dev.muster.admission.core.Jobs.gang;
import static dev.muster.admission.core.Jobs.minimum;
import static dev.muster.admission.core.Jobs.role;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.admission.core.TrainJob.Dependency;
import dev.muster.admission.core.TrainJob.DependencyPhase;
import dev.muster.admission.core.TrainJob.FailureAction;
import dev.muster.admission.core.TrainJob.FailureRule;
import dev.muster.admission.core.TrainJob.Framework;
import dev.muster.admission.core.TrainJob.Gang;
import dev.muster.admission.core.TrainJob.Role;
import dev.muster.admission.core.TrainJob.Success;
import dev.muster.admission.core.TrainJob.SuccessWhen;
import dev.muster.admission.core.TrainJob.TopologyPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DefaultingTest {
    private static final TrainJob PAIR =
            Jobs.with(j -> j.roles = List.of(role("master", 1), role("worker", 4)));

    @Test
    void gangIsEverybodyAndStartsWithinFiveMinutes() {
        assertThat(Defaulting.defaults(PAIR).spec().gang())
                .isEqualTo(new Gang(5, Duration.ofMinutes(5), TopologyPolicy.NONE, null));
    }

    @Test
    void theOnePodOfRankZerosRoleDecidesAboutSuccess() {
        assertThat(Defaulting.defaults(PAIR).spec().success())
                .isEqualTo(new Success(SuccessWhen.ROLE_SUCCEEDED, "master"));
    }

    @Test
    void whereRankZerosRoleHasSeveralPodsAllMustSucceed() {
        var job = Jobs.with(j -> j.roles = List.of(role("worker", 2), role("ps", 1)));
        assertThat(Defaulting.defaults(job).spec().success())
                .isEqualTo(new Success(SuccessWhen.ALL_SUCCEEDED, null));
    }

    @Test
    void aMasterIsRankZeroWhereverItIsWritten() {
        var job = Jobs.with(j -> j.roles = List.of(role("worker", 2), role("master", 1)));
        assertThat(Defaulting.defaults(job).spec().success())
                .isEqualTo(new Success(SuccessWhen.ROLE_SUCCEEDED, "master"));
    }

    @Test
    void whatIsAwaitedToSucceedDoesNotDecideAboutSuccess() {
        var after = new Dependency("data", DependencyPhase.SUCCEEDED);
        var job =
                Jobs.with(j ->
                        j.roles = List.of(role("data", 1), dependsOn(role("worker", 1), after)));
        assertThat(Defaulting.defaults(job).spec().success())
                .isEqualTo(new Success(SuccessWhen.ROLE_SUCCEEDED, "worker"));
    }

    @Test
    void launcherOfHorovodComesWhenAllOthersAreReadyAndDecidesAboutSuccess() {
        var spec =
                Defaulting.defaults(
                                Jobs.with(j -> {
                                    j.framework = Framework.HOROVOD;
                                    j.roles =
                                            List.of(
                                                    role("worker", 2),
                                                    role("launcher", 1),
                                                    role("ps", 1));
                                }))
                        .spec();
        assertThat(spec.roles().get(1).dependsOn())
                .containsExactly(
                        new Dependency("worker", DependencyPhase.READY),
                        new Dependency("ps", DependencyPhase.READY));
        assertThat(spec.roles().get(0).dependsOn()).isEmpty();
        assertThat(spec.success()).isEqualTo(new Success(SuccessWhen.ROLE_SUCCEEDED, "launcher"));
    }

    @Test
    void smallerGangTakesOneOfEachRoleAndThenMore() {
        var job =
                Jobs.with(j -> {
                    j.roles = PAIR.spec().roles();
                    j.gang = gang(3);
                });
        assertThat(minima(job)).containsExactly(1, 1);
        assertThat(Defaulting.defaults(job).spec().gang().min()).isEqualTo(3);
    }

    @Test
    void gangHasAtLeastOnePodOfEachRole() {
        var job =
                Jobs.with(j -> {
                    j.roles = PAIR.spec().roles();
                    j.gang = gang(1);
                });
        assertThat(minima(job)).containsExactly(1, 1);
        assertThat(Defaulting.defaults(job).spec().gang().min()).isEqualTo(2);
    }

    @Test
    void rolesOwnMinimumStands() {
        var job =
                Jobs.with(j -> {
                    j.roles = List.of(role("master", 1), minimum(role("worker", 4), 3));
                    j.gang = gang(4);
                });
        assertThat(minima(job)).containsExactly(1, 3);
        assertThat(Defaulting.defaults(job).spec().gang().min()).isEqualTo(4);
    }

    private static List<Integer> minima(TrainJob job) {
        return Defaulting.defaults(job).spec().roles().stream().map(Role::min).toList();
    }

    @Test
    void workersOfPytorchWaitForItsMaster() {
        var job =
                Jobs.with(j -> {
                    j.framework = Framework.PYTORCH;
                    j.roles =
                            List.of(role("master", 1), role("worker", 4), dependsOn(role("ps", 1)));
                });
        assertThat(Defaulting.defaults(job).spec().roles())
                .extracting(Role::dependsOn)
                .containsExactly(
                        List.of(),
                        List.of(new Dependency("master", DependencyPhase.RUNNING)),
                        List.of());
    }

    @Test
    void withoutPytorchOrWithoutAMasterNobodyWaits() {
        var workers =
                Jobs.with(j -> {
                    j.framework = Framework.PYTORCH;
                    j.roles = List.of(role("worker", 4), role("ps", 1));
                });
        for (var job : List.of(PAIR, workers)) {
            assertThat(Defaulting.defaults(job).spec().roles())
                    .extracting(Role::dependsOn)
                    .containsExactly(List.of(), List.of());
        }
    }

    @Test
    void fillingInTwiceChangesNothing() {
        var once = Defaulting.defaults(PAIR);
        assertThat(Defaulting.defaults(once)).isEqualTo(once);
    }

    @Test
    void memoryGrowsByHalfWhereARuleDoesNotSayHowFar() {
        var open = growing(null);
        var said = growing(2_000);
        var other = new FailureRule(List.of(), List.of(), null, FailureAction.FAIL, "", null, null);
        var job =
                Jobs.with(j -> {
                    j.failure = Jobs.failure().with(List.of(said, other, open));
                    j.roles = List.of(role("worker", 1));
                });
        var failure = Objects.requireNonNull(Defaulting.defaults(job).spec().failure());
        assertThat(failure.rules()).containsExactly(said, other, growing(1_500));
    }

    private static FailureRule growing(@Nullable Integer factor) {
        return new FailureRule(
                List.of(), List.of(), null, FailureAction.GROW_MEMORY, "", factor, null);
    }
}
