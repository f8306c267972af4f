package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Job of the manifests makes the pools and queues that are there from the start. */
class QueuesIT {
    private static final Path MOUNT = Path.of("/etc/muster");

    @Test
    void jobMakesPoolAndQueueByItsFileAndDoesSoAgain(@TempDir Path folder) throws Exception {
        var data = Manifests.named(ConfigMap.class, "queues").getData();
        assertThat(data.get("context.yaml")).isEqualTo("admission: http://admission\n");
        Files.writeString(
                folder.resolve("context.yaml"),
                "admission: " + TheSystem.context().admission() + "\n");
        Files.writeString(folder.resolve("queues.yaml"), data.get("queues.yaml"));

        for (int i = 0; i < 2; i++) {
            var answer = run(folder);
            assertThat(answer.exitCode()).as(answer.text()).isZero();
            assertThat(answer.text()).contains("pool default set", "queue default set");
        }
    }

    /** As the container would run it: our class path, and its volume is the folder. */
    private static Manifests.Answer run(Path folder) throws Exception {
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
