package dev.muster.cli.kubernetes;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.ExitCode;
import dev.muster.cli.text.Hints;
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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Logs of a job's pods, found by their labels. */
public final class PodLogs implements AutoCloseable {
    private static final String MAIN = "main";
    private static final Duration LOOK = Duration.ofMillis(200);

    /** After so many looks at the readers it is asked which pods there are. */
    private static final int LOOKS = 10;

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

    /**
     * Prints what is there now, pod after pod.
     *
     * @return whether each pod had a log; of one that has none the reason is printed
     */
    public boolean print(Wanted wanted, Consumer<String> lines) {
        try {
            var pods = started(pods(wanted), wanted);
            var all = true;
            for (var pod : pods) {
                var prefix = prefix(pod, pods.size());
                var log = log(pod, wanted);
                log.lines().forEach(line -> lines.accept(prefix + line));
                all &= log.isThere();
            }
            return all;
        } catch (KubernetesClientException e) {
            throw trouble(e);
        }
    }

    private Log log(Pod pod, Wanted wanted) {
        try {
            var log = tailing(pod, wanted).getLog();
            return new Log(true, log == null ? List.of() : log.lines().toList());
        } catch (KubernetesClientException e) {
            if (e.getStatus() == null) {
                throw e;
            }
            // Of a pod that never came to run, as where its image could not be had.
            return new Log(false, List.of("(no log: " + e.getStatus().getMessage() + ")"));
        }
    }

    /** Of one pod. */
    private record Log(boolean isThere, List<String> lines) {}

    /**
     * Prints what comes, from all pods at once, also from those that start meanwhile, until all of
     * them have ended.
     *
     * @param lines says whether it wants more
     */
    public void follow(Wanted wanted, Predicate<String> lines) {
        try {
            new Following(wanted, lines).run(pods(wanted));
        } catch (KubernetesClientException e) {
            throw trouble(e);
        }
    }

    /** Reads the logs of pods while any is written. */
    private final class Following {
        private final Wanted wanted;
        private final Predicate<String> lines;
        private final AtomicBoolean enough = new AtomicBoolean();
        private final Map<String, Thread> readers = new ConcurrentSkipListMap<>();

        Following(Wanted wanted, Predicate<String> lines) {
            this.wanted = wanted;
            this.lines = lines;
        }

        /**
         * @param now the pods at the beginning, of which at least one has to have started
         */
        void run(List<Pod> now) {
            begin(started(now, wanted));
            var pods = now;
            // Those that wait for a line that may never come end with the client.
            while (!enough.get() && (isReading() || pods.stream().anyMatch(PodLogs::isPending))) {
                pause();
                pods = later();
                begin(pods.stream().filter(pod -> !isPending(pod)).toList());
            }
        }

        private void begin(List<Pod> pods) {
            for (var pod : pods) {
                var uid = pod.getMetadata().getUid();
                if (!readers.containsKey(uid)) {
                    readers.put(uid, Thread.ofVirtual().unstarted(() -> read(pod)));
                }
            }
            // All are counted before the first of them prints.
            readers.values().stream()
                    .filter(reader -> reader.getState() == Thread.State.NEW)
                    .forEach(Thread::start);
        }

        private void read(Pod pod) {
            stream(
                    pod,
                    wanted,
                    line -> PodLogs.print(lines, prefix(pod, readers.size()) + line, enough));
        }

        private boolean isReading() {
            return readers.values().stream().anyMatch(Thread::isAlive);
        }

        /** Not as long where the last reader ends. */
        private void pause() {
            boolean wasReading = isReading();
            for (int look = 0; look < LOOKS; look++) {
                LockSupport.parkNanos(LOOK.toNanos());
                if (enough.get() || (wasReading && !isReading())) {
                    return;
                }
            }
        }

        /** Those that are read are read on while the API server does not say what else there is. */
        private List<Pod> later() {
            try {
                return pods(wanted);
            } catch (KubernetesClientException e) {
                return List.of();
            }
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

    /** By role and index. */
    private List<Pod> pods(Wanted wanted) {
        var labels = new TreeMap<String, String>();
        labels.put(LabelNames.JOB, wanted.job());
        if (wanted.role() != null) {
            labels.put(LabelNames.ROLE, wanted.role());
        }
        if (wanted.index() != null) {
            labels.put(LabelNames.INDEX, wanted.index().toString());
        }
        return client
                .pods()
                .inNamespace(wanted.namespace())
                .withLabels(labels)
                .list()
                .getItems()
                .stream()
                .sorted(Comparator.comparing(PodLogs::role).thenComparingInt(PodLogs::index))
                .toList();
    }

    /** Those that have something to say, at least one. */
    private static List<Pod> started(List<Pod> pods, Wanted wanted) {
        var started = pods.stream().filter(pod -> !isPending(pod)).toList();
        if (started.isEmpty()) {
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
        return started;
    }

    private static boolean isPending(Pod pod) {
        return "Pending".equals(pod.getStatus().getPhase());
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
