package dev.muster.bench.system;

import static java.util.Objects.requireNonNull;

import dev.muster.cli.CommandFailedException;
import dev.muster.sandbox.process.Launch;
import dev.muster.sandbox.process.PartProcess;
import dev.muster.sandbox.service.ServiceProcess;
import dev.muster.sandbox.service.ServiceSpec;
import dev.muster.schemas.Topics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** The processes of one service of a system: which one acts, killed, started again, added. */
public final class Replicas implements AutoCloseable {
    /** A Lease is taken within this, and its shard told. */
    private static final Duration LEASES_TAKEN = Duration.ofSeconds(15);

    private static final Duration REST = Duration.ofSeconds(5);
    private static final Duration REST_WITHIN = Duration.ofMinutes(20);

    private final MeasuredSystem system;
    private final Service service;
    private final Groups groups;

    /** By the name that each was started under. */
    private final Map<String, ServiceProcess> all = new TreeMap<>();

    public Replicas(MeasuredSystem system, Service service) {
        this.system = system;
        this.service = service;
        this.groups = new Groups(system.context());
        all.put(service.title(), requireNonNull(system.muster().services().get(service.title())));
    }

    /**
     * The same service, told to call its clients by its name, so that the broker tells who it is.
     */
    static ServiceSpec named(ServiceSpec spec) {
        return spec.withVariable("SPRING_KAFKA_CLIENT_ID", spec.name());
    }

    /** How many there are, those that were killed and not started again among them. */
    public int count() {
        return all.size();
    }

    /** Starts one more; when this returns it says that it is ready. */
    public void add() {
        var first = requireNonNull(all.get(service.title())).spec();
        var name = service.title() + "-" + (all.size() + 1);
        all.put(name, ServiceProcess.start(system.place(), named(first.named(name))));
    }

    /**
     * A standby that reads what it has missed takes a processor as long as that lasts, and nobody
     * says when it has read all.
     */
    private void awaitRest() {
        long end = System.nanoTime() + REST_WITHIN.toNanos();
        for (var before = cpu(); System.nanoTime() < end; before = cpu()) {
            LockSupport.parkNanos(REST.toNanos());
            var times = cpu().since(before).times().values();
            if (times.stream().allMatch(time -> time.multipliedBy(4).compareTo(REST) < 0)) {
                return;
            }
        }
        throw CommandFailedException.failed(
                service.title() + " was not at rest within " + REST_WITHIN, null);
    }

    private Cpu cpu() {
        return Cpu.of(all.values().stream().map(ServiceProcess::process).toList());
    }

    /** What each has of the machine's memory, in words. */
    public String memory() {
        return all.entrySet().stream()
                .map(each -> {
                    var memory = Memory.of(each.getValue().process());
                    return "%s %d MiB resident, at most %d"
                            .formatted(each.getKey(), memory.resident(), memory.peak());
                })
                .collect(Collectors.joining("; "));
    }

    /**
     * Waits until all are ready, have shared out the work for some seconds, and have nothing left
     * to read.
     */
    public void awaitCalm() {
        all.values().forEach(ServiceProcess::awaitReady);
        switch (service) {
            case COORDINATOR -> {
                groups.awaitCalm("muster-coordinator", Topics.INBOX);
                awaitRest();
            }
            case ADMISSION -> groups.awaitCalm("muster-admission", Topics.JOB_REQUESTS);
            case POD_MANAGER -> groups.awaitCalm("muster-pod-manager", Topics.JOB_PLANS);
            case WATCHER -> LockSupport.parkNanos(LEASES_TAKEN.toNanos());
        }
    }

    /**
     * The one that acts for the pool; of admission and pod-manager, whose processes all act, one
     * with a share.
     */
    public ServiceProcess acting(int pool) {
        return switch (service) {
            case COORDINATOR -> hosting(pool);
            // Nobody gives a Lease up as long as it lives.
            case ADMISSION, POD_MANAGER, WATCHER ->
                    all.values().stream()
                            .min(Comparator.comparing(each -> started(each.process())))
                            .orElseThrow();
        };
    }

    private ServiceProcess hosting(int pool) {
        var client = groups.host("muster-coordinator", Topics.INBOX, pool);
        return all.entrySet().stream()
                .filter(each -> client.startsWith(each.getKey() + "-StreamThread-"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow(() ->
                        CommandFailedException.failed(
                                "nobody hosts pool " + pool + ": " + client, null));
    }

    private static Instant started(PartProcess process) {
        return ProcessHandle.of(process.pid())
                .flatMap(handle -> handle.info().startInstant())
                .orElseThrow(
                        () -> CommandFailedException.failed(process.part() + " has ended", null));
    }

    /** What starts the process again as it was started: to be asked for while it lives. */
    public static Launch launchOf(ServiceProcess service) {
        var place = service.place();
        var name = service.spec().name();
        return new Launch(
                name,
                commandLine(service.process()),
                service.spec().environment(),
                place.data(name),
                place.log(name));
    }

    private static List<String> commandLine(PartProcess process) {
        var file = Path.of("/proc", Long.toString(process.pid()), "cmdline");
        try {
            var words = Files.readString(file, StandardCharsets.UTF_8).split("\0", -1);
            var command = new ArrayList<>(List.of(words));
            command.removeLast(); // what is behind the last zero
            return command;
        } catch (IOException e) {
            throw CommandFailedException.failed("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /** Starts one that was killed again, and does not wait for it. */
    public void again(ServiceProcess killed, Launch launch) {
        var process = killed.place().start(launch);
        var name = killed.spec().name();
        all.put(name, new ServiceProcess(killed.spec(), killed.place(), process, killed.port()));
    }

    /** Ends those that were added. */
    @Override
    public void close() {
        all.entrySet().stream()
                .filter(each -> !each.getKey().equals(service.title()))
                .forEach(each -> each.getValue().stop());
        groups.close();
    }
}
