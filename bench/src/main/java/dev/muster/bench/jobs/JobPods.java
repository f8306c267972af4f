package dev.muster.bench.jobs;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.Context;
import dev.muster.schemas.contract.LabelNames;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The pods of one job, as a watch tells them to this JVM, by their uids. */
public final class JobPods implements AutoCloseable {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(2);

    private final KubernetesClient client;
    private final Map<String, Pod> there = new ConcurrentHashMap<>();
    private final Map<String, Long> created = new ConcurrentHashMap<>();
    private final Map<String, Long> running = new ConcurrentHashMap<>();
    private final Watch watch;
    private volatile @Nullable WatcherException failure;

    private JobPods(KubernetesClient client, String job) {
        this.client = client;
        this.watch =
                client.pods()
                        .inNamespace(Submitter.NAMESPACE)
                        .withLabel(LabelNames.JOB, job)
                        .watch(new Hearing());
    }

    /** Hears of the job's pods from now on. */
    public static JobPods open(Context context, String job) {
        var config = Config.fromKubeconfig(context.kubeconfig().toFile());
        return new JobPods(new KubernetesClientBuilder().withConfig(config).build(), job);
    }

    private final class Hearing implements Watcher<Pod> {
        @Override
        public void eventReceived(Action action, Pod pod) {
            long moment = System.nanoTime();
            var uid = pod.getMetadata().getUid();
            created.putIfAbsent(uid, moment);
            if (action == Action.DELETED) {
                there.remove(uid);
                return;
            }
            there.put(uid, pod);
            if (pod.getStatus() != null && "Running".equals(pod.getStatus().getPhase())) {
                running.putIfAbsent(uid, moment);
            }
        }

        @Override
        public void onClose(WatcherException cause) {
            failure = cause;
        }
    }

    /**
     * A failure that was written.
     *
     * @param pod its name
     * @param moment just before
     */
    public record Failure(String pod, long moment) {}

    /** All pods that were ever heard of. */
    public Set<String> uids() {
        return Set.copyOf(created.keySet());
    }

    /** Lets a container of one of the pods end, as its kubelet would say it. */
    public Failure fail(RandomGenerator random, int exitCode) {
        var pods = there.values().stream().filter(JobPods::runs).toList();
        var pod = pods.get(random.nextInt(pods.size()));
        var status = pod.getStatus().getContainerStatuses().getFirst();
        var ended =
                new ContainerStatusBuilder(status)
                        .withReady(false)
                        .withNewState()
                        .withNewTerminated()
                        .withExitCode(exitCode)
                        .withReason("Error")
                        .endTerminated()
                        .endState()
                        .build();
        long moment = System.nanoTime();
        try {
            client.pods()
                    .inNamespace(Submitter.NAMESPACE)
                    .withName(pod.getMetadata().getName())
                    .editStatus(now ->
                            new PodBuilder(now)
                                    .editStatus()
                                    .withPhase("Failed")
                                    .withContainerStatuses(ended)
                                    .endStatus()
                                    .build());
        } catch (KubernetesClientException e) {
            // The client repeats what was not answered: the pod may be gone by then, as it is to
            // be.
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw e;
            }
        }
        return new Failure(pod.getMetadata().getName(), moment);
    }

    private static boolean runs(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() == null
                && pod.getStatus() != null
                && "Running".equals(pod.getStatus().getPhase());
    }

    /**
     * Waits until so many pods run.
     *
     * @param without pods that do not count
     * @return the moment at which the last of them was heard to run
     */
    public long awaitRunning(int count, Set<String> without, Duration within) {
        return await(running, count, without, within);
    }

    /**
     * Waits until so many pods are created.
     *
     * @param without pods that do not count
     * @return the moment at which the last of them was heard of
     */
    public long awaitCreated(int count, Set<String> without, Duration within) {
        return await(created, count, without, within);
    }

    private long await(Map<String, Long> moments, int count, Set<String> without, Duration within) {
        long end = System.nanoTime() + within.toNanos();
        while (System.nanoTime() < end) {
            var found =
                    moments.entrySet().stream()
                            .filter(pod -> !without.contains(pod.getKey()))
                            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
            if (found.size() >= count) {
                return found.values().stream().mapToLong(Long::longValue).max().orElseThrow();
            }
            if (failure != null) {
                throw CommandFailedException.failed("the watch of the pods ended", failure);
            }
            Moments.await(System.nanoTime() + LOOK_AGAIN.toNanos());
        }
        throw CommandFailedException.failed(
                "there were not %d pods within %s".formatted(count, within), null);
    }

    @Override
    public void close() {
        watch.close();
        client.close();
    }
}
