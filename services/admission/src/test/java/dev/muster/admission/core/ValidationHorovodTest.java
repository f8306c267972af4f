package dev.muster.admission.core;

import static dev.muster.admission.core.Jobs.minimum;
import static dev.muster.admission.core.Jobs.role;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.admission.core.TrainJob.Framework;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What jobs of Horovod need beside what all need. */
class ValidationHorovodTest {
    @Test
    void horovodNeedsOneLauncherAndSomebodyToLaunch() {
        assertThat(problems(horovod(role("launcher", 1), role("worker", 2)))).isEmpty();
        assertThat(problems(horovod(role("worker", 2))))
                .singleElement()
                .satisfies(problem ->
                        assertThat(problem.message()).contains("must hold a role launcher"));
        assertThat(problems(horovod(role("launcher", 2), role("worker", 2))))
                .extracting(Problem::path)
                .containsExactly("spec.roles[0].replicas");
        assertThat(problems(horovod(role("launcher", 1))))
                .singleElement()
                .satisfies(
                        problem -> assertThat(problem.message()).contains("beside the launcher"));
    }

    @Test
    void onlyAnElasticRoleOfHorovodStartsWithFewer() {
        assertThat(problems(horovod(role("launcher", 1), minimum(role("worker", 4), 2))))
                .extracting(Problem::path)
                .containsExactly("spec.roles[1].min");
    }

    @Test
    void whatHorovodsPodsGetBesidesMustNotBeThereAlready() {
        var main =
                Map.of(
                        "name", "main",
                        "image", "python:3.12",
                        "volumeMounts",
                                List.of(Map.of("name", "x", "mountPath", "/etc/muster/hosts")));
        var pod =
                Map.of(
                        "containers",
                        List.of(main),
                        "volumes",
                        List.of(Map.of("name", "x"), Map.of("name", "muster-agent")));
        assertThat(problems(horovod(role("launcher", 1), role("worker", 1, pod))))
                .extracting(Problem::path)
                .containsExactly(
                        "spec.roles[1].template.spec.volumes[1].name",
                        "spec.roles[1].template.spec.containers[0].volumeMounts[0].mountPath");
    }

    @Test
    void horovodsLauncherMayUseSsh() {
        var job =
                Jobs.with(j -> {
                    j.framework = Framework.HOROVOD;
                    j.shell = TrainJob.RemoteShell.SSH;
                    j.roles = List.of(role("launcher", 1), role("worker", 2));
                });
        assertThat(problems(job)).isEmpty();
    }

    @Test
    void hostListThatFitsNoConfigMapIsRefused() {
        assertThat(problems(horovod(role("launcher", 1), role("worker", 9_999)))).isEmpty();
        var large = horovod(role("launcher", 1), role("worker", 9_999), role("more", 9_999));
        assertThat(problems(large))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).contains("must be fewer pods"));
    }

    private static TrainJob horovod(TrainJob.Role... roles) {
        return Jobs.with(j -> {
            j.framework = Framework.HOROVOD;
            j.roles = List.of(roles);
        });
    }

    private static List<Problem> problems(TrainJob job) {
        return Validation.examine(job, 1000).problems();
    }
}
