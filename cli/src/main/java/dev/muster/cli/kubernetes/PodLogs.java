package dev.muster.cli.kubernetes;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.ExitCode;
import dev.muster.cli.kubernetes.Following.Pauses;
import dev.muster.cli.text.Hints;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Logs of a job's pods, found by their labels. */
public final class PodLogs implements AutoCloseable {
    private final KubernetesClient client;
    private final Pauses pauses;

    private PodLogs(KubernetesClient client, Pauses pauses) {
        this.client = client;
        this.pauses = pauses;
    }

    /**
     * Which pods, and how much of each.
     *
     * @param role only of this role; null: of all
     * @param index only of this index; null: all
     * @param tail how many last lines; null: all
     * @param previous of what ran in a pod before its container was started again there, and of
     *     pods in which one was
     */
    public record Wanted(
            String namespace,
            String job,
            @Nullable String role,
            @Nullable Integer index,
            @Nullable Integer tail,
            boolean previous) {}

    /** Uses the cluster that the file names. */
    public static PodLogs open(Path kubeconfig) {
        return open(kubeconfig, Pauses.USUAL);
    }

    static PodLogs open(Path kubeconfig, Pauses pauses) {
        if (!Files.isReadable(kubeconfig)) {
            throw CommandFailedException.failed("cannot read the kubeconfig " + kubeconfig, null);
        }
        var config = Config.fromKubeconfig(kubeconfig.toFile());
        config.setRequestRetryBackoffLimit(2);
        return new PodLogs(new KubernetesClientBuilder().withConfig(config).build(), pauses);
    }

    /**
     * Prints what is there now, pod after pod.
     *
     * @return whether each pod had a log; of one that has none the reason is printed
     */
    public boolean print(Wanted wanted, Consumer<String> lines) {
        try {
            var log = new PodLog(client, wanted.tail(), wanted.previous(), false);
            var all = new JobPods(client, wanted).now();
            var pods =
                    wanted.previous()
                            ? startedAgain(all, wanted)
                            : started(all, wanted).stream()
                                    .filter(pod -> !JobPods.isPending(pod))
                                    .toList();
            var haveAll = true;
            for (var pod : pods) {
                var prefix = JobPods.prefix(pod, pods.size());
                haveAll &=
                        log.read(
                                pod,
                                line -> {
                                    lines.accept(prefix + line);
                                    return true;
                                });
            }
            return haveAll;
        } catch (KubernetesClientException e) {
            throw trouble(e);
        }
    }

    /**
     * Prints what comes, from all pods at once, also from those that start meanwhile, until all of
     * them have ended.
     *
     * @param lines says whether it wants more
     * @return whether each pod had a log; of one that has none the reason is printed
     */
    public boolean follow(Wanted wanted, Predicate<String> lines) {
        try {
            var pods = new JobPods(client, wanted);
            var log = new PodLog(client, wanted.tail(), wanted.previous(), true);
            return new Following(log, pauses, lines).run(started(pods.now(), wanted), pods);
        } catch (KubernetesClientException e) {
            throw trouble(e);
        }
    }

    /** All, of which at least one has something to say. */
    private static List<Pod> started(List<Pod> pods, Wanted wanted) {
        if (pods.stream().allMatch(JobPods::isPending)) {
            var which = wanted.namespace() + "/" + wanted.job();
            throw new CommandFailedException(
                    ExitCode.NOT_FOUND,
                    List.of(
                            pods.isEmpty()
                                    ? "there is no pod of a job %s ('%s' shows the job, if it is there)"
                                            .formatted(
                                                    which,
                                                    Hints.get(wanted.namespace(), wanted.job()))
                                    : "no pod of job " + which + " has started yet"),
                    null);
        }
        return pods;
    }

    private static List<Pod> startedAgain(List<Pod> pods, Wanted wanted) {
        var again = pods.stream().filter(PodLog::hasPrevious).toList();
        if (again.isEmpty()) {
            throw CommandFailedException.notFound(
                    "in no pod of job %s/%s that is there a container was started again"
                            .formatted(wanted.namespace(), wanted.job()));
        }
        return again;
    }

    private static CommandFailedException trouble(KubernetesClientException e) {
        var status = e.getStatus() == null ? null : e.getStatus().getMessage();
        return CommandFailedException.failed(
                status == null
                        ? "the API server does not answer: " + e.getMessage()
                        : "the API server says: " + status,
                e);
    }

    @Override
    public void close() {
        client.close();
    }
}
