package dev.muster.bench.command;

import dev.muster.bench.jobs.Heard;
import dev.muster.bench.jobs.InboxNews;
import dev.muster.bench.jobs.JobPods;
import dev.muster.bench.jobs.Jobs;
import dev.muster.bench.jobs.Stage;
import dev.muster.bench.jobs.Submitter;
import dev.muster.bench.report.Latencies;
import dev.muster.bench.report.Report;
import dev.muster.bench.system.Flags;
import dev.muster.bench.system.MeasuredSystem;
import dev.muster.bench.system.Memory;
import dev.muster.bench.system.Nodes;
import dev.muster.bench.system.Replicas;
import dev.muster.bench.system.Service;
import dev.muster.cli.CommandFailedException;
import dev.muster.sandbox.process.PartProcess;
import dev.muster.v1.InboxKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a watcher takes, and how far it is behind, when a cluster is large. */
@Command(
        name = "watcher",
        description = "Memory, lag and inbox records of a watcher with many pods on KWOK nodes.",
        mixinStandardHelpOptions = true)
final class WatcherCommand implements Callable<Integer> {
    private static final String POOL = "default";
    private static final int GANG = 20;
    private static final String FIRST = "gang-0";
    private static final Duration LIMIT = Duration.ofMinutes(20);
    private static final Duration REST = Duration.ofSeconds(20);

    @Mixin private Manner manner = new Manner();

    @Option(names = "--pods", defaultValue = "10000", description = "(default: ${DEFAULT-VALUE})")
    private int pods;

    @Option(names = "--nodes", defaultValue = "1000", description = "(default: ${DEFAULT-VALUE})")
    private int nodes;

    @Option(
            names = "--failures",
            defaultValue = "200",
            description = "Pods that fail when all run, for the lag (default: ${DEFAULT-VALUE}).")
    private int failures;

    @Override
    public Integer call() throws Exception {
        var headings = new ArrayList<>(List.of("lag of"));
        headings.addAll(Latencies.headings());
        var report = manner.report("watcher", headings);
        var pretended = new Nodes.Pretended(nodes);
        report.how(Flags.DEPLOYMENT.said())
                .how(pretended.said())
                .how("%d pods in gangs of %d, one namespace, one shard".formatted(pods, GANG))
                .how(
                        "lag: from just before a pod's status says Failed until that is read from the"
                                + " inbox, one pod after the other");
        MeasuredSystem.measure(
                Flags.DEPLOYMENT, pretended, manner.progress(), system -> measure(system, report));
        manner.write(report);
        return 0;
    }

    private void measure(MeasuredSystem system, Report report) {
        try (var submitter = Submitter.open(system.context(), Jobs.restarted(GANG));
                var heard = Heard.open(system.context());
                var news = InboxNews.open(system.context(), POOL);
                var replicas = new Replicas(system, Service.WATCHER)) {
            report.how(memory("without a pod", watcher(system)));
            submit(submitter, heard);
            LockSupport.parkNanos(REST.toNanos());
            report.how(memory("with all pods", watcher(system))).how(records(news.counts()));
            var cells = new ArrayList<>(List.of("a pod that failed"));
            cells.addAll(Latencies.of(lags(system, news)).cells());
            report.row(cells);
            report.how(killed(replicas, news)).how(memory("after that snapshot", watcher(system)));
        }
    }

    /** Of pods of one job among all. */
    private List<Duration> lags(MeasuredSystem system, InboxNews news) {
        var lags = new ArrayList<Duration>();
        var random = manner.random();
        // Opened no sooner: a watch that heard nothing while ten thousand pods came was ended.
        try (var some = JobPods.open(system.context(), FIRST)) {
            some.awaitRunning(GANG, Set.of(), LIMIT);
            for (int i = 0; i < failures; i++) {
                lags.add(lag(some, news, random));
            }
        }
        return lags;
    }

    private void submit(Submitter submitter, Heard heard) {
        var names = new LinkedHashMap<String, Long>();
        for (int i = 0; i < pods / GANG; i++) {
            var name = "gang-" + i;
            names.put(name, submitter.submit(name));
        }
        if (!heard.await(Stage.RUNNING, names.keySet(), LIMIT)) {
            throw CommandFailedException.failed("not all pods ran within " + LIMIT, null);
        }
    }

    private static Duration lag(JobPods some, InboxNews news, RandomGenerator random) {
        var before = some.uids();
        var failure = some.fail(random, Jobs.RESTARTS_POD);
        long told = news.awaitFailed(failure.pod(), LIMIT);
        some.awaitRunning(1, before, LIMIT);
        return Duration.ofNanos(told - failure.moment());
    }

    /** A watcher that is started again tells all that is there. */
    private static String killed(Replicas replicas, InboxNews news) {
        var before = news.counts();
        var victim = replicas.acting(0);
        var launch = Replicas.launchOf(victim);
        long killed = System.nanoTime();
        victim.kill();
        replicas.again(victim, launch);
        long told = news.awaitSnapshot(LIMIT);
        replicas.awaitCalm();
        var since = new LinkedHashMap<InboxKind, Long>();
        news.counts()
                .forEach((kind, count) -> since.put(kind, count - before.getOrDefault(kind, 0L)));
        return "killed and started again at once: the snapshot was whole after %.1f s; %s"
                .formatted((told - killed) / 1e9, words(since));
    }

    private String records(Map<InboxKind, Long> counts) {
        long ofPods =
                counts.getOrDefault(InboxKind.POD_SEEN, 0L)
                        + counts.getOrDefault(InboxKind.POD_GONE, 0L);
        return String.format(
                Locale.ROOT,
                "until all ran: %s; %.2f records per pod",
                words(counts),
                ofPods / (double) pods);
    }

    private static String words(Map<InboxKind, Long> counts) {
        return counts.entrySet().stream()
                .map(each -> each.getKey() + " " + each.getValue())
                .collect(Collectors.joining(", "));
    }

    private static PartProcess watcher(MeasuredSystem system) {
        return system.processes().stream()
                .filter(process -> process.part().equals(Service.WATCHER.title()))
                .findFirst()
                .orElseThrow();
    }

    private static String memory(String when, PartProcess process) {
        var memory = Memory.of(process);
        return "memory %s: %d MiB of its own, %d resident, %d at most"
                .formatted(when, memory.own(), memory.resident(), memory.peak());
    }
}
