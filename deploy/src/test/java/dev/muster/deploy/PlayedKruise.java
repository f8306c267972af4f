package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.sandbox.kubernetes.Kruise;
import dev.muster.schemas.Topics;
import dev.muster.v1.InboxKind;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** An OpenKruise of which the cluster has only the kind: a test does what is asked for. */
record PlayedKruise(KubernetesClient client, String namespace) {
    /** Whether pools were told since then that the cluster has the kind. */
    static boolean isFound(Instant since) {
        return Records.of(TheSystem.context(), Topics.INBOX).stream()
                .filter(record -> record.timestamp() >= since.toEpochMilli())
                .map(record -> record.value())
                .filter(event -> event.getKind() == InboxKind.POD_MANAGER_ALIVE)
                .anyMatch(event -> event.getPodManagerAlive().getRecreates());
    }

    List<GenericKubernetesResource> asked() {
        return client.genericKubernetesResources(Kruise.REQUESTS)
                .inNamespace(namespace)
                .list()
                .getItems();
    }

    /** Ends the container whose process has written its number there. */
    void end(Path pid) {
        try {
            assertThat(ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())))
                    .as(this::pods)
                    .hasValueSatisfying(ProcessHandle::destroyForcibly);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As its daemon does where it cannot end the container. */
    void giveUp(GenericKubernetesResource request) {
        var main = Map.of("name", "main", "phase", "Failed", "message", "no runtime");
        request.setAdditionalProperty(
                "status", Map.of("phase", "Completed", "containerRecreateStates", List.of(main)));
        client.resource(request).updateStatus();
    }

    private String pods() {
        return client.pods().inNamespace(namespace).list().getItems().stream()
                .map(pod -> pod.getMetadata().getName() + " " + pod.getStatus())
                .toList()
                .toString();
    }

    /** A job of two whose containers start again in their pods when one ends with 7. */
    static String gang(String namespace, String master, String worker) {
        return """
        apiVersion: muster.dev/v1
        kind: TrainJob
        metadata: {name: gang, namespace: %s}
        spec:
          framework: pytorch
          gracePeriod: 1s
          success: {when: AllSucceeded}
          failure:
            settle: 1s
            delay: {initial: 1s}
            rules: [{exitCodes: [7], action: RestartInPlace}]
          roles:
          - name: master
            template: {spec: {containers: [{name: main, image: busybox, command: [sh, -c, '%s']}]}}
          - name: worker
            template: {spec: {containers: [{name: main, image: busybox, command: [sh, -c, '%s']}]}}
        """
                .formatted(namespace, master, worker);
    }
}
