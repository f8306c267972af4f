package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code muster submit} says of files that cannot be taken. */
class SubmitIT {
    @TempDir private Path folder;

    @BeforeEach
    void namesAdmission() throws IOException {
        Files.writeString(
                folder.resolve("context.yaml"),
                "admission: " + TheSystem.context().admission() + "\n");
    }

    @Test
    void fiveMegabytesAreTooLarge() throws Exception {
        var answer = submit(job("large", "x".repeat(5 << 20)));

        assertThat(answer.exitCode()).as(answer.text()).isEqualTo(ExitCode.REFUSED);
        assertThat(answer.text().lines()).hasSize(1);
        assertThat(answer.text()).startsWith("muster: ").contains("4,194,304 bytes");
    }

    @Test
    void aRequestAboveTheLimitIsRefused() throws Exception {
        var answer = submit(job("large", "x".repeat(300 << 10)));

        assertThat(answer.exitCode()).as(answer.text()).isEqualTo(ExitCode.REFUSED);
        assertThat(answer.text()).contains("262,144 bytes");
    }

    @Test
    void tenErrorsAreTenLinesEachWithItsPath() throws Exception {
        var answer =
                submit(
                        """
                        apiVersion: muster.dev/v1
                        kind: TrainJob
                        metadata: {name: No_Label}
                        spec:
                          frameworkk: pytorch
                          priority: high
                          gang: {min: -1, timeout: soon}
                          nprocPerNode: zero
                          roles:
                          - name: Worker
                            replicas: 0
                            template: {spec: {containers: []}}
                          - name: master
                            replicas: many
                            template: {spec: {containers: [{name: main, image: a}]}}
                        """);

        assertThat(answer.exitCode()).as(answer.text()).isEqualTo(ExitCode.REFUSED);
        assertThat(answer.text().lines().skip(1).map(line -> line.strip().split(" ")[0]))
                .containsExactlyInAnyOrder(
                        "metadata.name",
                        "spec.frameworkk",
                        "spec.priority",
                        "spec.gang.min",
                        "spec.gang.timeout",
                        "spec.nprocPerNode",
                        "spec.roles[0].name",
                        "spec.roles[0].replicas",
                        "spec.roles[0].template.spec.containers",
                        "spec.roles[1].replicas");
    }

    private Manifests.Answer submit(String job) throws Exception {
        var file = Files.writeString(folder.resolve("job.yaml"), job);
        return Cli.run(folder.resolve("context.yaml"), List.of("submit", "-f", file.toString()));
    }

    private static String job(String name, String text) {
        return """
        apiVersion: muster.dev/v1
        kind: TrainJob
        metadata: {name: %s}
        spec:
          roles:
          - name: worker
            template:
              spec:
                containers:
                - name: main
                  image: python:3.12
                  env: [{name: TEXT, value: %s}]
        """
                .formatted(name, text);
    }
}
