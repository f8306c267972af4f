package dev.muster.admission.core;

import static dev.muster.admission.core.Jobs.dependsOn;
import static dev.muster.admission.core.Jobs.elastic;
import static dev.muster.admission.core.Jobs.gang;
import static dev.muster.admission.core.Jobs.minimum;
import static dev.muster.admission.core.Jobs.role;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.admission.core.TrainJob.Dependency;
import dev.muster.admission.core.TrainJob.DependencyPhase;
import dev.muster.admission.core.TrainJob.Elastic;
import dev.muster.admission.core.TrainJob.Framework;
import dev.muster.admission.core.TrainJob.Role;
import dev.muster.admission.core.TrainJob.ScalingPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whether the processes of pytorch can meet. */
class RendezvousTest {
    private static final Dependency DATA = new Dependency("data", DependencyPhase.SUCCEEDED);
    private static final Role DATA_FIRST = dependsOn(role("data", 1));
    private static final Role WORKERS = role("worker", 2);
    private static final Role MASTER = onHost(dependsOn(role("master", 1), DATA));

    @Test
    void whoStartsBeforeTheMasterIsPlacedCannotBeToldWhereItListens() {
        assertThat(examined(Framework.PYTORCH, null, DATA_FIRST, MASTER, dependsOn(WORKERS)))
                .extracting(Examined::problems)
                .isEqualTo(
                        List.of(
                                new Problem(
                                        "spec.roles[2].dependsOn",
                                        "",
                                        "must wait, as role master does, until data has succeeded:"
                                                + " on its node's network that role gets its port"
                                                + " only then, and role worker has to be told")));
    }

    @ParameterizedTest
    @MethodSource
    void theyCanBeToldWhere(Framework framework, Role master, Role workers) {
        assertThat(examined(framework, null, DATA_FIRST, master, workers).problems()).isEmpty();
    }

    static Stream<Arguments> theyCanBeToldWhere() {
        var runs = new Dependency("worker", DependencyPhase.RUNNING);
        return Stream.of(
                argumentSet("who wait for it", Framework.PYTORCH, MASTER, WORKERS),
                argumentSet(
                        "who wait as it does", Framework.PYTORCH, MASTER, dependsOn(WORKERS, DATA)),
                argumentSet(
                        "whom it waits for",
                        Framework.PYTORCH,
                        onHost(dependsOn(role("master", 1), runs)),
                        dependsOn(WORKERS, DATA)),
                argumentSet(
                        "by its name",
                        Framework.PYTORCH,
                        dependsOn(role("master", 1), DATA),
                        dependsOn(WORKERS)),
                argumentSet("who do not ask", Framework.NONE, MASTER, dependsOn(WORKERS)));
    }

    @Test
    void lessThanAllOfAFixedSizeWaitForTheOthersInVain() {
        var few = minimum(role("worker", 4), 2);
        assertThat(examined(Framework.PYTORCH, null, role("master", 1), few).warnings())
                .containsExactly(
                        new Problem(
                                "spec.roles[1].min",
                                "2",
                                "is less than replicas: with framework pytorch the processes that"
                                        + " start wait for all 4 (WORLD_SIZE, PET_NNODES), unless"
                                        + " the role is elastic"));
    }

    @Test
    void whatTheGangAsksForStartsToo() {
        var few = minimum(role("worker", 4), 2);
        assertThat(examined(Framework.PYTORCH, 5, role("master", 1), few).warnings()).isEmpty();
        assertThat(examined(Framework.PYTORCH, 4, role("master", 1), few).warnings()).hasSize(1);
    }

    @Test
    void elasticOnesWaitForNoMoreThanStart() {
        var workers = elastic(role("worker", 4));
        assertThat(examined(Framework.PYTORCH, null, role("master", 1), workers).warnings())
                .isEmpty();
        var beside = minimum(role("ps", 3), 1);
        assertThat(examined(Framework.PYTORCH, null, role("master", 1), beside, workers).warnings())
                .extracting(Problem::path)
                .containsExactly("spec.roles[1].min");
    }

    @ParameterizedTest
    @MethodSource
    void portsThatUsersSayThemselvesHaveToAgree(@Nullable String path, Role master, Role workers) {
        assertThat(examined(Framework.PYTORCH, null, master, workers).warnings())
                .extracting(Problem::path)
                .isEqualTo(path == null ? List.of() : List.of(path));
    }

    static Stream<Arguments> portsThatUsersSayThemselvesHaveToAgree() {
        var master = role("master", 1);
        var said = saying("master", 1, "MASTER_PORT", "29500");
        var first = "spec.roles[0].template.spec.containers[0].env[0].value";
        var second = "spec.roles[1].template.spec.containers[0].env[0].value";
        return Stream.of(
                argumentSet("told to the others", null, said, WORKERS),
                argumentSet("the same", null, said, saying("worker", 2, "MASTER_PORT", "29500")),
                argumentSet("the job's", null, master, saying("worker", 2, "MASTER_PORT", "23456")),
                argumentSet("another", second, master, saying("worker", 2, "MASTER_PORT", "29500")),
                argumentSet(
                        "not known",
                        first,
                        saying("master", 1, "MASTER_PORT", "$(OTHER)"),
                        WORKERS),
                argumentSet("nobody keeps it free", first, onHost(said), WORKERS),
                argumentSet(
                        "chosen later",
                        second,
                        onHost(master),
                        saying("worker", 2, "MASTER_PORT", "23456")),
                argumentSet("of no use", null, master, saying("worker", 2, "MASTER_ADDR", "m")),
                argumentSet(
                        "who meet elsewhere",
                        second,
                        master,
                        saying("worker", 2, "PET_RDZV_ENDPOINT", "etcd:2379")),
                argumentSet(
                        "who all do",
                        null,
                        saying("master", 1, "PET_RDZV_ENDPOINT", "etcd:2379"),
                        saying("worker", 2, "PET_RDZV_ENDPOINT", "etcd:2379")));
    }

    private static Role saying(String name, int replicas, String variable, String value) {
        var env = List.of(Map.of("name", variable, "value", value));
        var main = Map.of("name", "main", "image", "python:3.12", "env", env);
        return role(name, replicas, Map.of("containers", List.of(main)));
    }

    private static Examined examined(Framework framework, @Nullable Integer least, Role... roles) {
        return Validation.examine(
                Jobs.with(job -> {
                    job.framework = framework;
                    job.roles = List.of(roles);
                    job.gang = least == null ? null : gang(least);
                    job.elastic =
                            Stream.of(roles).anyMatch(Role::elastic)
                                    ? new Elastic(2, 8, ScalingPolicy.NONE, Duration.ZERO)
                                    : null;
                }),
                100);
    }

    private static Role onHost(Role role) {
        return Jobs.special(role, 0, true, null, List.of());
    }
}
