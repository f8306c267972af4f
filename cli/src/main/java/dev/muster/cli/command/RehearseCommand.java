package dev.muster.cli.command;

import dev.muster.cli.Context;
import dev.muster.cli.ExitCode;
import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kubernetes.PodLogs;
import dev.muster.schemas.trainjob.TrainJobForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Loads the classes that the commands use, so that the JVM's cache of them can be made. */
@Command(name = "rehearse", hidden = true)
final class RehearseCommand implements Callable<Integer> {
    private static final String JOB =
            """
            apiVersion: muster.dev/v1
            kind: TrainJob
            metadata: {name: hello}
            spec: {roles: [{name: worker, template: {spec: {containers: [{name: main}]}}}]}
            """;

    private static final String KUBECONFIG =
            """
            apiVersion: v1
            kind: Config
            clusters: [{name: a, cluster: {server: "https://127.0.0.1:1"}}]
            users: [{name: a, user: {token: a}}]
            contexts: [{name: a, context: {cluster: a, user: a}}]
            current-context: a
            """;

    @Override
    public Integer call() throws IOException {
        var nobody = Files.createTempFile("muster-rehearse", ".yaml");
        try {
            Files.writeString(nobody, KUBECONFIG);
            return rehearse(nobody);
        } finally {
            Files.deleteIfExists(nobody);
        }
    }

    private static int rehearse(Path kubeconfig) {
        var job = TrainJobForm.read(JOB);
        PodLogs.open(kubeconfig).close();
        JobStatuses.rehearse(
                new Context("http://127.0.0.1:1", "127.0.0.1:1", "http://127.0.0.1:1", kubeconfig));
        return job instanceof TrainJobForm.Read ? ExitCode.OK : ExitCode.FAILED;
    }
}
