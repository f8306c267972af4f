package dev.muster.sandbox.node;

import dev.muster.sandbox.node.Preparation.Prepared;
import dev.muster.sandbox.node.core.PodRun;
import dev.muster.sandbox.node.core.RunState.Running;
import dev.muster.sandbox.node.process.Commands;
import dev.muster.sandbox.node.process.ContainerProcess;
import dev.muster.sandbox.node.process.PodFolder;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The living processes of one pod's containers. Used by the pod's worker only. */
final class PodContainers {
    private final PodFolder folder;
    private final Consumer<News> listener;
    private final Map<String, ContainerProcess> living = new TreeMap<>();
    private final Map<String, Instant> killAt = new TreeMap<>();

    /**
     * @param listener told of ends, on other threads
     */
    PodContainers(PodFolder folder, Consumer<News> listener) {
        this.folder = folder;
        this.listener = listener;
    }

    /** Goes on with what another node started. */
    void adopt(PodRun run) {
        run.containers()
                .forEach((name, container) -> {
                    if (container.state() instanceof Running) {
                        adopt(name, container.restarts());
                    }
                });
    }

    private void adopt(String name, int incarnation) {
        living.put(
                name,
                ContainerProcess.adopt(
                        folder.run(name, incarnation),
                        exit -> listener.accept(new News.Ended(name, incarnation, exit))));
    }

    /**
     * Starts an incarnation of a container; of the ones before, the last is kept for its log.
     *
     * @throws IOException says why its command cannot be run
     */
    ContainerProcess start(String name, int incarnation, Prepared.Ready ready) throws IOException {
        folder.forget(name, incarnation - 2);
        var launch = ready.launch();
        var fault = Commands.fault(launch.argv(), launch.env(), ready.workingDir());
        if (fault.isPresent()) {
            throw new IOException(fault.get());
        }
        var process =
                ContainerProcess.start(
                        folder.run(name, incarnation),
                        launch.argv(),
                        launch.env(),
                        ready.workingDir(),
                        exit -> listener.accept(new News.Ended(name, incarnation, exit)));
        living.put(name, process);
        return process;
    }

    /** Ends containers; each is asked once, and again only if it is to be killed earlier. */
    void stop(Map<String, Instant> until) {
        until.forEach((name, at) -> {
            var process = living.get(name);
            var known = killAt.get(name);
            if (process != null && (known == null || at.isBefore(known))) {
                killAt.put(name, at);
                process.stop(at);
            }
        });
    }

    void ended(String name) {
        living.remove(name);
        killAt.remove(name);
    }

    Map<String, ContainerProcess> living() {
        return living;
    }
}
