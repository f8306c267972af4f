package dev.muster.sandbox.node;

import dev.muster.sandbox.node.http.ContainerLogs;
import dev.muster.sandbox.node.process.Leftovers;
import dev.muster.sandbox.node.process.PodFolder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The pods of this node: one worker each, and one pod at a time of each name. */
final class Pods implements ResourceEventHandler<Pod>, ContainerLogs {
    private final Machine machine;
    private final CountDownLatch cleaned = new CountDownLatch(1);
    private final Map<String, PodWorker> workers = new TreeMap<>();
    // Pods whose name another one has, which is not gone yet.
    private final Map<String, Pod> successors = new TreeMap<>();
    private boolean stopping;

    Pods(Machine machine) {
        this.machine = machine;
    }

    @Override
    public void onAdd(Pod pod) {
        see(pod);
    }

    @Override
    public void onUpdate(Pod before, Pod pod) {
        see(pod);
    }

    @Override
    public synchronized void onDelete(Pod pod, boolean stateUnknown) {
        var key = key(pod);
        var successor = successors.get(key);
        if (successor != null && uid(successor).equals(uid(pod))) {
            successors.remove(key);
        }
        var worker = workers.get(key);
        if (worker != null && uid(worker.pod()).equals(uid(pod))) {
            worker.tell(new News.Gone());
        }
    }

    private synchronized void see(Pod pod) {
        var key = key(pod);
        var worker = workers.get(key);
        if (worker == null) {
            start(key, pod);
        } else if (uid(worker.pod()).equals(uid(pod))) {
            worker.tell(new News.Seen(pod));
        } else {
            worker.tell(new News.Gone());
            successors.put(key, pod);
        }
    }

    private void start(String key, Pod pod) {
        if (stopping) {
            return;
        }
        var worker = new PodWorker(machine, pod);
        workers.put(key, worker);
        Thread.ofVirtual().name("pod " + key).start(() -> work(key, worker));
    }

    private void work(String key, PodWorker worker) {
        try {
            cleaned.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        worker.run();
        finished(key);
    }

    private synchronized void finished(String key) {
        workers.remove(key);
        var successor = successors.remove(key);
        if (successor != null) {
            start(key, successor);
        }
        machine.ports().keep(jobs());
    }

    /**
     * Kills what the last node left of pods that are not there any more; only then is anything
     * started.
     *
     * @param there the pods that the API server has for this node
     */
    synchronized void clean(List<Pod> there) throws IOException {
        var known =
                Stream.concat(there.stream(), workers.values().stream().map(PodWorker::pod))
                        .map(pod -> machine.folder(pod).path())
                        .collect(Collectors.toSet());
        for (var folder : PodFolder.all(machine.root())) {
            if (!known.contains(folder.path())) {
                Leftovers.kill(folder.path());
                folder.delete();
            }
        }
        machine.ports().keep(jobs());
        cleaned.countDown();
    }

    /** Ends all pods: SIGTERM now, SIGKILL at {@code killAt}. No other is taken. */
    synchronized void stop(Instant killAt) {
        stopping = true;
        workers.values().forEach(worker -> worker.tell(new News.Stopping(killAt)));
    }

    synchronized boolean allOver() {
        return workers.values().stream().allMatch(PodWorker::over);
    }

    @Override
    public synchronized List<Pod> pods() {
        return workers.values().stream().map(PodWorker::pod).toList();
    }

    @Override
    public synchronized Answer find(
            String namespace, String pod, String container, boolean previous) {
        var worker = workers.get(namespace + "/" + pod);
        return worker == null
                ? new Answer.Unknown("pod \"%s\" does not exist here".formatted(pod))
                : worker.log(container, previous);
    }

    private Set<String> jobs() {
        return workers.values().stream()
                .flatMap(worker -> Machine.job(worker.pod()).stream())
                .collect(Collectors.toSet());
    }

    private static String key(Pod pod) {
        return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    }

    private static String uid(Pod pod) {
        return pod.getMetadata().getUid();
    }
}
