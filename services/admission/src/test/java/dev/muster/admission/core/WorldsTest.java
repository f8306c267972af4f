package dev.muster.admission.core;

import static dev.muster.admission.core.Jobs.dependsOn;
import static dev.muster.admission.core.Jobs.role;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.admission.core.TrainJob.Dependency;
import dev.muster.admission.core.TrainJob.DependencyPhase;
import dev.muster.admission.core.TrainJob.Role;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorldsTest {
    private static final Role MASTER = role("master", 1);

    @Test
    void rolesOfWhichNoneWaitsForAnEndTrainTogether() {
        assertThat(worlds(MASTER, runs("worker", "master"), dependsOn(role("ps", 1))))
                .isEqualTo(Map.of("master", 0, "worker", 0, "ps", 0));
    }

    @Test
    void whatHasToSucceedBeforeDoesNotCount() {
        assertThat(
                        worlds(
                                dependsOn(role("data", 1)),
                                ends("master", "data"),
                                runs("worker", "master"),
                                dependsOn(role("ps", 1))))
                .isEqualTo(Map.of("data", 1, "master", 0, "worker", 0, "ps", 0));
    }

    @Test
    void whoeverIsLookedAtWhenTheMasterHasSucceededTrainedWithIt() {
        var trained = Map.of("master", 1, "worker", 1, "eval", 0);
        assertThat(worlds(MASTER, runs("worker", "master"), ends("eval", "master")))
                .isEqualTo(trained);
        assertThat(worlds(MASTER, runs("worker", "master"), ends("eval", "worker")))
                .isEqualTo(trained);
    }

    @Test
    void whoWaitsForARunAndForAnEndComesLater() {
        var eval =
                dependsOn(
                        role("eval", 1),
                        new Dependency("master", DependencyPhase.RUNNING),
                        new Dependency("worker", DependencyPhase.SUCCEEDED));
        assertThat(worlds(MASTER, runs("worker", "master"), eval))
                .isEqualTo(Map.of("master", 1, "worker", 1, "eval", 0));
    }

    @Test
    void eachOfAChainIsAlone() {
        assertThat(worlds(ends("c", "b"), ends("b", "a"), dependsOn(role("a", 1)), runs("d", "c")))
                .isEqualTo(Map.of("a", 2, "b", 1, "c", 0, "d", 0));
    }

    @Test
    void ringsAndUnknownRolesAreNoMatter() {
        assertThat(worlds(ends("a", "b"), ends("b", "a"), ends("c", "nobody"))).hasSize(3);
    }

    private static Map<String, Integer> worlds(Role... roles) {
        var job =
                Jobs.with(j -> {
                    j.framework = TrainJob.Framework.PYTORCH;
                    j.roles = List.of(roles);
                });
        return Worlds.of(Defaulting.defaults(job).spec().roles());
    }

    private static Role runs(String name, String other) {
        return dependsOn(role(name, 2), new Dependency(other, DependencyPhase.RUNNING));
    }

    private static Role ends(String name, String other) {
        return dependsOn(role(name, 1), new Dependency(other, DependencyPhase.SUCCEEDED));
    }
}
