package dev.muster.sandbox.kubernetes;

import dev.muster.sandbox.process.Http;
import dev.muster.sandbox.process.Launch;
import dev.muster.sandbox.process.PartFailedException;
import dev.muster.sandbox.process.PartProcess;
import dev.muster.sandbox.process.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Pretends to be the kubelet of every node that {@link PretendedNodes} made. */
public record Kwok(PartProcess process) {
    private static final String NAME = "kwok";

    /** As a kubelet's. */
    private static final Duration LEASE = Duration.ofSeconds(40);

    /**
     * As a kubelet, KWOK deletes what is to go and still runs. What has ended is gone with its
     * deletion: KWOK's own stage asks for that once more, and is told that there is no such pod.
     */
    private static final String DELETION =
            """
            apiVersion: kwok.x-k8s.io/v1alpha1
            kind: Stage
            metadata: {name: pod-delete}
            spec:
              resourceRef: {apiGroup: v1, kind: Pod}
              selector:
                matchExpressions:
                - {key: .metadata.deletionTimestamp, operator: Exists}
                - {key: .status.phase, operator: NotIn, values: [Succeeded, Failed]}
              next: {delete: true}
            """;

    /**
     * Starts KWOK. Pods that are bound to a pretended node run and are ready at once, pods of a
     * Kubernetes Job succeed at once, and deleted pods are gone at once.
     *
     * @param kubeconfig an administrator's
     * @throws PartFailedException when it cannot be had or does not start
     */
    public static Kwok start(Place place, Path kubeconfig) {
        return start(place, kubeconfig, List.of(), LEASE);
    }

    /**
     * The same with stages of the caller's besides.
     *
     * @param stages more stage files
     * @param lease of each node, which is renewed after a quarter of it
     */
    public static Kwok start(Place place, Path kubeconfig, List<Path> stages, Duration lease) {
        var binaries = new KubernetesBinaries(place.progress());
        var program = binaries.find(GoProgram.KWOK);
        var command = new ArrayList<>(List.of(program.toString()));
        int port = place.port(NAME, "http");
        command.add("--kubeconfig=" + kubeconfig);
        command.add("--manage-nodes-with-annotation-selector=" + PretendedNodes.ANNOTATION);
        command.add("--node-lease-duration-seconds=" + lease.toSeconds());
        command.add("--server-address=127.0.0.1:" + port);
        all(binaries.kwokStages()).forEach(file -> command.add("--config=" + file));
        command.add("--config=" + deletion(place));
        stages.forEach(file -> command.add("--config=" + file));
        var process = place.start(new Launch(NAME, command, place));
        return new Kwok(process.awaitReady(() -> Http.ok("http://127.0.0.1:" + port + "/healthz")));
    }

    private static Path deletion(Place place) {
        var file = place.data(NAME).resolve("pod-delete.yaml");
        try {
            Files.createDirectories(file.getParent());
            return Files.writeString(file, DELETION);
        } catch (IOException e) {
            throw new PartFailedException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    private static List<Path> all(Path folder) {
        try (var files = Files.list(folder)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new PartFailedException("cannot read " + folder + ": " + e.getMessage(), e);
        }
    }
}
