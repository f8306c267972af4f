package dev.muster.sandbox.node;

import dev.muster.sandbox.node.core.PodRules;
import dev.muster.sandbox.node.core.ServiceNames;
import dev.muster.sandbox.node.kubernetes.PodApi;
import dev.muster.sandbox.node.process.PodFolder;
import dev.muster.sandbox.node.process.PortBook;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;

/**
 * What all pods of a node share.
 *
 * @param root the node's folder
 * @param allocatable what the node pretends to have
 * @param services that answer on this machine
 */
record Machine(
        Path root,
        PodApi api,
        PodRules rules,
        PortBook ports,
        Map<String, Quantity> allocatable,
        ServiceNames services) {

    /** Muster's label for it; the sandbox knows nothing else of Muster's contract. */
    private static final String JOB_UID = "muster.dev/uid";

    PodFolder folder(Pod pod) {
        var metadata = pod.getMetadata();
        return PodFolder.of(root, metadata.getNamespace(), metadata.getName(), metadata.getUid());
    }

    /** The job that a pod belongs to, if any: the pods that share rendezvous ports. */
    static Optional<String> job(Pod pod) {
        var labels = pod.getMetadata().getLabels();
        return Optional.ofNullable(labels == null ? null : labels.get(JOB_UID))
                .map(uid -> pod.getMetadata().getNamespace() + "/" + uid);
    }

    /** The rendezvous port that a pod's job has here for one that the pod states. */
    IntUnaryOperator rendezvous(Pod pod) {
        var job = job(pod);
        return job.isPresent() ? stated -> ports.port(job.get(), stated) : stated -> stated;
    }

    /** What a container gets of the node's own environment, where an image would have its own. */
    static Map<String, String> environment() {
        var inherited = new TreeMap<String, String>();
        Stream.of(
                        "PATH",
                        "HOME",
                        "USER",
                        "LOGNAME",
                        "SHELL",
                        "LANG",
                        "LC_ALL",
                        "TZ",
                        "TMPDIR",
                        "LD_LIBRARY_PATH",
                        "VIRTUAL_ENV",
                        "CONDA_PREFIX",
                        "PYENV_ROOT",
                        "PYENV_VERSION")
                .filter(System.getenv()::containsKey)
                .forEach(name -> inherited.put(name, System.getenv(name)));
        return inherited;
    }
}
