package dev.muster.sandbox.node;

import dev.muster.sandbox.node.Preparation.Prepared;
import dev.muster.sandbox.node.core.LogChoice;
import dev.muster.sandbox.node.core.PodRules;
import dev.muster.sandbox.node.core.PodRun;
import dev.muster.sandbox.node.core.PodRun.Why;
import dev.muster.sandbox.node.core.PodShape;
import dev.muster.sandbox.node.core.PodStatuses;
import dev.muster.sandbox.node.core.Recollection;
import dev.muster.sandbox.node.core.RunState.Ended;
import dev.muster.sandbox.node.core.RunState.Running;
import dev.muster.sandbox.node.http.ContainerLogs.Answer;
import dev.muster.sandbox.node.process.ContainerProcess;
import dev.muster.sandbox.node.process.PodFolder;
import dev.muster.sandbox.node.process.RunFolder.Exit;
import dev.muster.sandbox.node.process.TerminationMessage;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one pod, on a thread of its own, which alone changes what is known of it: takes news through
 * the rules, does what they say, writes it down, reports it.
 */
final class PodWorker implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(PodWorker.class);
    private static final Duration RETRY = Duration.ofSeconds(1);
    // As a kubelet: mounted config maps and secrets follow theirs within a minute or so.
    private static final Duration REFRESH = Duration.ofSeconds(60);
    private static final int START_ERROR = 128;

    private final Machine machine;
    private final PodRules rules;
    private final PodShape shape;
    private final PodFolder folder;
    private final Preparation preparation;
    private final PodContainers containers;
    private final PodReport report;
    private final BlockingQueue<News> news = new LinkedBlockingQueue<>();
    // Without a folder, a final phase is all that is left of a pod.
    private final boolean settled;

    private volatile Pod pod;
    private volatile PodRun run;
    private volatile boolean over;
    private boolean gone;
    private boolean removed;
    private Instant refreshAt;
    private @Nullable PodRun saved;

    PodWorker(Machine machine, Pod pod) {
        this.machine = machine;
        this.rules = machine.rules();
        this.pod = pod;
        this.shape = PodShape.of(pod);
        this.folder = machine.folder(pod);
        this.preparation = new Preparation(machine, folder);
        this.containers = new PodContainers(folder, this::tell);
        this.report = new PodReport(machine.api(), shape, rules);
        var now = Instant.now();
        var known = folder.saved().map(PodFolder.Saved::run);
        this.settled = known.isEmpty() && Recollection.isFinal(pod);
        this.run = known.orElseGet(() -> Recollection.of(pod, now));
        this.refreshAt = now.plus(REFRESH);
        tell(new News.Seen(pod));
    }

    void tell(News piece) {
        news.add(piece);
    }

    Pod pod() {
        return pod;
    }

    /** Where the log of a container is. Asked by other threads. */
    Answer log(String container, boolean previous) {
        return switch (LogChoice.of(rules, shape, run, container, previous)) {
            case LogChoice.NoContainer(var message) -> new Answer.Unknown(message);
            case LogChoice.NoLog(var message) -> new Answer.Nothing(message);
            case LogChoice.Incarnation(var number) ->
                    new Answer.Found(
                            folder.run(container, number).log(),
                            () -> isCurrent(container, number));
        };
    }

    /** Whether nothing of the pod runs, nothing will, and the API server knows. */
    boolean over() {
        return over;
    }

    @Override
    public void run() {
        containers.adopt(run);
        containers.living().forEach(this::probe);
        takeNews(Instant.now());
        while (!(gone && over)) {
            takeNews(step());
        }
        folder.delete();
    }

    /** Does what is to be done now. Answers when to look again if there is no news. */
    private Instant step() {
        try {
            var wake = settled ? settled() : follow();
            if (over && !gone && !removed && isDeleted(pod)) {
                machine.api().remove(pod);
                removed = true;
            }
            return wake;
        } catch (IOException | RuntimeException e) {
            // Whatever it is, the pod's processes need somebody: an API server that is away, a disk
            // that is full.
            LOG.atWarn()
                    .addKeyValue("pod", name())
                    .addKeyValue("why", e.getMessage())
                    .log("trying again");
            return Instant.now().plus(RETRY);
        }
    }

    private Instant settled() {
        over = true;
        return Instant.MAX;
    }

    private Instant follow() throws IOException {
        run = rules.due(shape, run, Instant.now());
        var next = rules.next(shape, run, Instant.now());
        while (next.start().isPresent()) {
            start(next.start().get());
            next = rules.next(shape, run, Instant.now());
        }
        containers.stop(next.stop());
        save();
        if (!gone) {
            report.send(pod, run, next.over());
        }
        over = next.over();
        refreshVolumes();
        var wake = next.wake().orElse(Instant.MAX);
        return refreshAt.isBefore(wake) ? refreshAt : wake;
    }

    private void start(String name) throws IOException {
        var container = spec(name);
        switch (preparation.prepare(pod, container)) {
            case Prepared.Held(var reason, var message) -> {
                var retryAt = Instant.now().plus(RETRY);
                run = run.with(name, was -> was.held(reason, message, retryAt));
            }
            case Prepared.Ready ready -> start(name, ready);
        }
    }

    private void start(String name, Prepared.Ready ready) {
        var now = Instant.now();
        run = rules.starting(shape, run, name, now);
        int incarnation = run.of(name).restarts();
        try {
            // Written down first: a node that is killed here must not start it a second time.
            save();
            probe(name, containers.start(name, incarnation, ready));
            LOG.atInfo()
                    .addKeyValue("pod", name())
                    .addKeyValue("container", name)
                    .addKeyValue("incarnation", incarnation)
                    .log("started");
        } catch (IOException | RuntimeException e) {
            var why = Objects.requireNonNullElse(e.getMessage(), "");
            var end = new Ended(START_ERROR, "StartError", why, Instant.EPOCH, now);
            run = run.with(name, was -> was.ended(end));
        }
    }

    private void probe(String name, ContainerProcess process) {
        var container = spec(name);
        if (container.getReadinessProbe() != null) {
            int incarnation = run.of(name).restarts();
            var probe = new ReadinessProbe(pod, container, folder.root(name), process);
            Thread.startVirtualThread(
                    () -> probe.run(ready -> tell(new News.Probed(name, incarnation, ready))));
        }
    }

    private void refreshVolumes() throws IOException {
        if (!Instant.now().isBefore(refreshAt)) {
            refreshAt = Instant.now().plus(REFRESH);
            if (!containers.living().isEmpty()) {
                preparation.refreshVolumes(pod);
            }
        }
    }

    private void save() {
        if (!run.equals(saved)) {
            var metadata = pod.getMetadata();
            folder.save(
                    new PodFolder.Saved(
                            metadata.getNamespace(), metadata.getName(), metadata.getUid(), run));
            saved = run;
        }
    }

    /** Waits for news until {@code wake} and takes all that has come. */
    private void takeNews(Instant wake) {
        try {
            var now = Instant.now();
            long wait =
                    wake.isAfter(now.plus(REFRESH))
                            ? REFRESH.toMillis()
                            : Math.max(0, Duration.between(now, wake).toMillis() + 1);
            var first = news.poll(wait, TimeUnit.MILLISECONDS);
            if (first != null) {
                var all = new ArrayList<News>();
                all.add(first);
                news.drainTo(all);
                all.forEach(this::take);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("nobody interrupts a pod's worker", e);
        }
    }

    private void take(News piece) {
        switch (piece) {
            case News.Seen(var seen) -> seen(seen);
            case News.Gone _ -> {
                gone = true;
                run = run.ending(Why.DELETED, Instant.now());
            }
            case News.Stopping(var killAt) -> run = run.ending(Why.SHUTDOWN, killAt);
            case News.Probed(var name, var incarnation, var ready) -> {
                if (isCurrent(name, incarnation)) {
                    run = run.with(name, was -> was.readiness(ready));
                }
            }
            case News.Ended(var name, var incarnation, var exit) -> {
                if (isCurrent(name, incarnation)) {
                    ended(name, exit);
                }
            }
        }
    }

    private void seen(Pod seen) {
        if (!Objects.equals(
                seen.getMetadata().getAnnotations(), pod.getMetadata().getAnnotations())) {
            refreshAt = Instant.now();
        }
        pod = seen;
        if (isDeleted(seen)) {
            var grace = seen.getMetadata().getDeletionGracePeriodSeconds();
            run = run.ending(Why.DELETED, Instant.now().plusSeconds(grace == null ? 0 : grace));
        }
    }

    private boolean isCurrent(String name, int incarnation) {
        var container = run.of(name);
        return container.state() instanceof Running && container.restarts() == incarnation;
    }

    private void ended(String name, Exit exit) {
        containers.ended(name);
        int incarnation = run.of(name).restarts();
        var started =
                run.of(name).state() instanceof Running(var startedAt) ? startedAt : exit.at();
        var end =
                exit.known()
                        ? new Ended(
                                exit.code(),
                                exit.code() == 0 ? "Completed" : "Error",
                                TerminationMessage.of(
                                        spec(name),
                                        folder.root(name),
                                        folder.run(name, incarnation).log(),
                                        exit.code()),
                                started,
                                exit.at())
                        : PodStatuses.unknownEnd(started, exit.at());
        run = run.with(name, was -> was.ended(end));
        LOG.atInfo()
                .addKeyValue("pod", name())
                .addKeyValue("container", name)
                .addKeyValue("exitCode", exit.code())
                .log("ended");
    }

    private Container spec(String name) {
        return Stream.of(pod.getSpec().getInitContainers(), pod.getSpec().getContainers())
                .flatMap(containers -> containers.stream())
                .filter(container -> container.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no container " + name));
    }

    private String name() {
        return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    }

    private static boolean isDeleted(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() != null;
    }
}
