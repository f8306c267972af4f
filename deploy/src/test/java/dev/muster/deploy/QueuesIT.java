package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.ExitCode;
import dev.muster.cli.SettingKind;
import dev.muster.cli.http.Admission;
import dev.muster.schemas.trainjob.SettingsForm.QueueSetting;
import dev.muster.v1.QueueSpec;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The Job of the manifests makes the pools and queues that are there from the start. */
class QueuesIT {
    private static final Path MOUNT = Path.of("/etc/muster");

    @Test
    void jobMakesPoolAndQueueByItsFileAndDoesSoAgain(@TempDir Path folder) throws Exception {
        var data = Manifests.named(ConfigMap.class, "queues").getData();
        assertThat(data.get("context.yaml")).isEqualTo("admission: http://admission\n");

        for (int i = 0; i < 2; i++) {
            var answer = run(folder, data.get("queues.yaml"));
            assertThat(answer.exitCode()).as(answer.text()).isZero();
            assertThat(answer.text()).contains("pool default is there", "queue default is there");
        }
    }

    @Test
    void jobLeavesWhatAnOperatorHasSet(@TempDir Path folder) throws Exception {
        var admission = new Admission(TheSystem.context());
        set(admission, "set-by-hand", QueueSpec.newBuilder().setWeight(7).setPaused(true).build());

        var answer =
                run(
                        folder,
                        """
                        apiVersion: muster.dev/v1
                        kind: Queue
                        metadata: {name: set-by-hand}
                        spec: {weight: 2}
                        ---
                        apiVersion: muster.dev/v1
                        kind: Queue
                        metadata: {name: new-in-the-file}
                        spec: {weight: 3}
                        """);

        assertThat(answer.exitCode()).as(answer.text()).isZero();
        var kept = spec(admission, "set-by-hand");
        assertThat(kept.path("weight").asInt()).isEqualTo(7);
        assertThat(kept.path("paused").asBoolean()).isTrue();
        assertThat(spec(admission, "new-in-the-file").path("weight").asInt()).isEqualTo(3);
    }

    /** A nightly apply undoes no pause. */
    @Test
    void fileThatIsAppliedAgainLeavesAPausedQueuePaused(@TempDir Path folder) throws Exception {
        var admission = new Admission(TheSystem.context());
        var context = folder.resolve("context.yaml");
        Files.writeString(context, "admission: " + TheSystem.context().admission() + "\n");
        var file = folder.resolve("queues.yaml");
        var text =
                """
                apiVersion: muster.dev/v1
                kind: Queue
                metadata: {name: applied}
                spec: {weight: 2}
                """;
        Files.writeString(file, text);
        var apply = List.of("queue", "apply", "-f", file.toString());
        assertThat(Cli.run(context, apply).text()).contains("queue applied set");
        assertThat(spec(admission, "applied").path("paused").asBoolean()).isFalse();

        var pause = Cli.run(context, List.of("queue", "pause", "applied"));
        assertThat(pause.exitCode()).as(pause.text()).isZero();
        assertThat(Cli.run(context, apply).text()).contains("queue applied unchanged");
        Files.writeString(file, text.replace("2", "3"));
        assertThat(Cli.run(context, apply).text()).contains("queue applied set");
        Awaitility.await()
                .untilAsserted(() -> {
                    var spec = spec(admission, "applied");
                    assertThat(spec.path("weight").asInt()).isEqualTo(3);
                    assertThat(spec.path("paused").asBoolean()).isTrue();
                });
        var same = Cli.run(context, List.of("queue", "apply", "-f", file.toString(), "--dry-run"));
        assertThat(same.exitCode()).as(same.text()).isZero();

        Files.writeString(file, text.replace("weight: 2", "weight: 3, paused: false"));
        var differs =
                Cli.run(context, List.of("queue", "apply", "-f", file.toString(), "--dry-run"));
        assertThat(differs.text()).contains("queue applied: paused true -> false");
        assertThat(differs.exitCode()).isEqualTo(ExitCode.DIFFERS);
    }

    private static void set(Admission admission, String name, QueueSpec spec) {
        assertThat(admission.put(new QueueSetting(name, spec), false).isLate()).isFalse();
    }

    private static JsonNode spec(Admission admission, String queue) {
        return Awaitility.await()
                .until(() -> admission.find(SettingKind.QUEUE, queue), Optional::isPresent)
                .orElseThrow()
                .path("spec");
    }

    /** As the container would run it: our class path, and its volume is the folder. */
    private static Manifests.Answer run(Path folder, String queues) throws Exception {
        Files.writeString(
                folder.resolve("context.yaml"),
                "admission: " + TheSystem.context().admission() + "\n");
        Files.writeString(folder.resolve("queues.yaml"), queues);
        var container = container();
        return Cli.run(
                Path.of(in(folder, context(container))),
                container.getArgs().stream().map(word -> in(folder, word)).toList());
    }

    private static String in(Path folder, String word) {
        return word.replace(MOUNT.toString(), folder.toString());
    }

    private static Container container() throws Exception {
        var pod = Manifests.named(Job.class, "queues").getSpec().getTemplate().getSpec();
        var container = pod.getContainers().getFirst();
        assertThat(container.getVolumeMounts())
                .anySatisfy(mount -> {
                    assertThat(mount.getName()).isEqualTo("queues");
                    assertThat(mount.getMountPath()).isEqualTo(MOUNT.toString());
                });
        return container;
    }

    private static String context(Container container) {
        return container.getEnv().stream()
                .filter(variable -> variable.getName().equals("MUSTER_CONTEXT"))
                .findFirst()
                .orElseThrow()
                .getValue();
    }
}
