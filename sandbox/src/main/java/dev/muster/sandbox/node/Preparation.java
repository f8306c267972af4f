package dev.muster.sandbox.node;

import dev.muster.sandbox.node.core.Launch;
import dev.muster.sandbox.node.core.Sources;
import dev.muster.sandbox.node.core.VolumeFiles;
import dev.muster.sandbox.node.process.PodFolder;
import dev.muster.sandbox.node.process.PodVolumes;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Makes all that a container of a pod needs before it can be started. */
final class Preparation {
    private final Machine machine;
    private final PodVolumes volumes;

    Preparation(Machine machine, PodFolder folder) {
        this.machine = machine;
        this.volumes = new PodVolumes(folder);
    }

    /** What came of it. */
    sealed interface Prepared {
        /** It can be started. */
        record Ready(Launch launch, Path workingDir) implements Prepared {}

        /** Something that it needs is not there yet. An empty reason is the usual one. */
        record Held(String reason, String message) implements Prepared {}
    }

    /**
     * Makes the pod's volumes and finds out how to run the container.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the API server cannot be
     *     asked for what the pod refers to
     */
    Prepared prepare(Pod pod, Container container) throws IOException {
        var sources = machine.api().sources(pod);
        var missing = writeVolumes(pod, sources);
        if (!missing.isEmpty()) {
            return new Prepared.Held("", String.join("; ", missing));
        }
        var root = volumes.mount(container);
        var place =
                new Launch.Place(
                        root.toString(),
                        Machine.environment(),
                        machine.allocatable(),
                        machine.rendezvous(pod),
                        machine.services());
        return switch (Launch.of(pod, container, sources, place)) {
            case Launch.Plan.Missing(var message) ->
                    new Prepared.Held("CreateContainerConfigError", message);
            case Launch.Plan.Ready(var launch) ->
                    new Prepared.Ready(launch, workingDir(launch, root));
        };
    }

    /** Brings the files of the pod's volumes up to date. What is missing now stays as it was. */
    void refreshVolumes(Pod pod) throws IOException {
        writeVolumes(pod, machine.api().sources(pod));
    }

    private List<String> writeVolumes(Pod pod, Sources sources) throws IOException {
        var missing = new ArrayList<String>();
        for (var volume : pod.getSpec().getVolumes()) {
            var files =
                    VolumeFiles.of(pod, volume, sources, machine.allocatable(), machine.services());
            if (files.missing().isEmpty()) {
                volumes.write(files);
            } else {
                missing.add(
                        "MountVolume.SetUp failed for volume \"%s\" : %s"
                                .formatted(volume.getName(), files.missing()));
            }
        }
        return missing;
    }

    /** A stated folder that neither a volume nor the machine has is made below the root. */
    private static Path workingDir(Launch launch, Path root) throws IOException {
        var stated = launch.workingDir();
        if (stated == null) {
            return root;
        }
        var there = Path.of(stated);
        return Files.isDirectory(there)
                ? there
                : Files.createDirectories(Path.of(root + "/" + stated));
    }
}
