package dev.muster.cli.quickstart;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.system.MusterSystem;
import dev.muster.schemas.contract.LabelNames;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the API server knows of a job's pods, its audit log included. */
final class PodsOf {
    private static final JsonMapper JSON = new JsonMapper();

    private PodsOf() {}

    /**
     * Makes sure that no pod of the job is there or ever was.
     *
     * @throws CommandFailedException naming the pod
     */
    static void none(MusterSystem system, String namespace, String job) {
        var config = Config.fromKubeconfig(system.context().kubeconfig().toFile());
        try (var client = new KubernetesClientBuilder().withConfig(config).build()) {
            var pods =
                    client.pods()
                            .inNamespace(namespace)
                            .withLabel(LabelNames.JOB, job)
                            .list()
                            .getItems();
            if (!pods.isEmpty()) {
                throw made(job, pods.getFirst().getMetadata().getName());
            }
        }
        system.sandbox()
                .audit()
                .flatMap(log -> created(log, namespace, job + "-"))
                .ifPresent(pod -> {
                    throw made(job, pod);
                });
    }

    private static Optional<String> created(Path log, String namespace, String prefix) {
        try (var lines = Files.lines(log)) {
            return lines.filter(line -> line.contains(prefix))
                    .map(JSON::readTree)
                    .filter(event -> event.path("verb").asString("").equals("create"))
                    .map(event -> event.path("objectRef"))
                    .filter(object -> text(object, "resource").equals("pods"))
                    .filter(object -> text(object, "namespace").equals(namespace))
                    .map(object -> text(object, "name"))
                    .filter(name -> name.startsWith(prefix))
                    .findFirst();
        } catch (IOException e) {
            throw CommandFailedException.failed("cannot read the audit log " + log, e);
        }
    }

    private static String text(JsonNode object, String field) {
        return object.path(field).asString("");
    }

    private static CommandFailedException made(String job, String pod) {
        return CommandFailedException.failed(
                "pod " + pod + " of job " + job + " was made although its gang does not fit", null);
    }
}
