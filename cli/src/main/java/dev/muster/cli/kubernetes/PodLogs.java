package dev.muster.cli.kubernetes;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.ExitCode;
import dev.muster.schemas.contract.LabelNames;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.PrettyLoggable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Logs of a job's pods, found by their labels. */
public final class PodLogs implements AutoCloseable {
    private static final String MAIN = "main";
    private static final Duration LOOK = Duration.ofMillis(200);

    private final KubernetesClient client;

    private PodLogs(KubernetesClient client) {
        this.client = client;
    }

    /**
     * Which pods, and how much of each.
     *
     * @param role only of this role; null: of all
     * @param index only of this index; null: all
     * @param tail how many last lines; null: all
     */
    public record Wanted(
            String namespace,
            String job,
            @Nullable String role,
            @Nullable Integer index,
            @Nullable Integer tail) {}

    /** Uses the cluster that the file names. */
    public static PodLogs open(Path kubeconfig) {
        if (!Files.isReadable(kubeconfig)) {
            throw CommandFailedException.failed("cannot read the kubeconfig " + kubeconfig, null);
        }
        var config = Config.fromKubeconfig(kubeconfig.toFile());
        config.setRequestRetryBackoffLimit(2);
        return new PodLogs(new KubernetesClientBuilder().withConfig(config).build());
    }

    /** Prints what is there now, pod after pod. */
    public void print(Wanted wanted, Consumer<String> lines) {
        try {
            var pods = started(wanted);
            for (var pod : pods) {
                var log = tailing(pod, wanted).getLog();
                var prefix = prefix(pod, pods.size());
                (log == null ? "" : log).lines().forEach(line -> lines.accept(prefix + line));
            }
        } catch (KubernetesClientException e) {
            throw trouble(e);
        }
    }

    /**
     * Prints what comes, from all pods at once, until all of them have ended.
     *
     * @param lines says whether it wants more
     */
    public void follow(Wanted wanted, Predicate<String> lines) {
        try {
            var pods = started(wanted);
            var enough = new AtomicBoolean();
            var readers = new ArrayList<Thread>();
            for (var pod : pods) {
                var prefix = prefix(pod, pods.size());
                readers.add(
                        Thread.ofVirtual()
                                .start(() ->
                                        stream(
                                                pod,
                                                wanted,
                                                line -> print(lines, prefix + line, enough))));
            }
            // Those that wait for a line that may never come end with the client.
            for (var reader : readers) {
                while (!enough.get() && !reader.join(LOOK)) {}
            }
        } catch (KubernetesClientException e) {
            throw trouble(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean print(Predicate<String> lines, String line, AtomicBoolean enough) {
        synchronized (lines) {
            if (!enough.get() && !lines.test(line)) {
                enough.set(true);
            }
            return !enough.get();
        }
    }

    private void stream(Pod pod, Wanted wanted, Predicate<String> lines) {
        try (var watch = tailing(pod, wanted).watchLog();
                InputStream in = watch.getOutput();
                var reader =
                        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            var line = reader.readLine();
            while (line != null && lines.test(line)) {
                line = reader.readLine();
            }
        } catch (IOException | KubernetesClientException e) {
            var _ = lines.test("(the log ended: " + e.getMessage() + ")");
        }
    }

    private PrettyLoggable tailing(Pod pod, Wanted wanted) {
        PodResource resource = client.pods().resource(pod);
        var container = resource.inContainer(mainContainer(pod));
        return wanted.tail() == null ? container : container.tailingLines(wanted.tail());
    }

    /** Those that have something to say, by role and index. */
    private List<Pod> started(Wanted wanted) {
        var labels = new TreeMap<String, String>();
        labels.put(LabelNames.JOB, wanted.job());
        if (wanted.role() != null) {
            labels.put(LabelNames.ROLE, wanted.role());
        }
        if (wanted.index() != null) {
            labels.put(LabelNames.INDEX, wanted.index().toString());
        }
        var pods =
                client.pods().inNamespace(wanted.namespace()).withLabels(labels).list().getItems();
        var started =
                pods.stream()
                        .filter(pod -> !"Pending".equals(pod.getStatus().getPhase()))
                        .sorted(
                                Comparator.comparing(PodLogs::role)
                                        .thenComparingInt(PodLogs::index))
                        .toList();
        if (started.isEmpty()) {
            var which = wanted.namespace() + "/" + wanted.job();
            throw new CommandFailedException(
                    ExitCode.NOT_FOUND,
                    List.of(
                            pods.isEmpty()
                                    ? "there is no pod of a job %s (muster get %s shows the job, if it is there)"
                                            .formatted(which, wanted.job())
                                    : "no pod of job " + which + " has started yet"),
                    null);
        }
        return started;
    }

    private static String mainContainer(Pod pod) {
        var names = pod.getSpec().getContainers().stream().map(Container::getName).toList();
        return names.contains(MAIN) ? MAIN : names.getFirst();
    }

    private static String prefix(Pod pod, int pods) {
        return pods == 1 ? "" : role(pod) + "-" + index(pod) + " | ";
    }

    private static String role(Pod pod) {
        return label(pod, LabelNames.ROLE);
    }

    private static int index(Pod pod) {
        var text = label(pod, LabelNames.INDEX);
        return text.chars().allMatch(Character::isDigit) && !text.isEmpty()
                ? Integer.parseInt(text)
                : 0;
    }

    private static String label(Pod pod, String name) {
        return pod.getMetadata().getLabels().getOrDefault(name, "");
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
