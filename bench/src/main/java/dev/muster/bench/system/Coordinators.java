package dev.muster.bench.system;

import static java.util.Objects.requireNonNull;

import dev.muster.cli.Trouble;
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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;

/** The coordinators of a system: which one hosts a pool, killed, started again, added. */
public final class Coordinators implements AutoCloseable {
    public static final String FIRST = "coordinator";

    private static final String GROUP = "muster-coordinator";
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration CALM = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private static final Comparator<TopicPartition> BY_NUMBER =
            Comparator.comparingInt(TopicPartition::partition);

    private final MeasuredSystem system;
    private final Admin admin;
    private final Map<String, ServiceProcess> all = new TreeMap<>();

    public Coordinators(MeasuredSystem system) {
        this.system = system;
        this.admin = Admin.create(Map.of("bootstrap.servers", system.context().bootstrapServers()));
        all.put(FIRST, requireNonNull(system.muster().services().get(FIRST)));
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
    public void add(String name) {
        var spec = named(requireNonNull(all.get(FIRST)).spec().named(name));
        all.put(name, ServiceProcess.start(system.place(), spec));
    }

    /**
     * Waits until the group has kept the same members with the same partitions for some seconds,
     * and every inbox partition has its host.
     */
    public void awaitCalm() {
        long end = System.nanoTime() + LIMIT.toNanos();
        Map<TopicPartition, String> before = Map.of();
        for (long since = System.nanoTime(); System.nanoTime() < end; ) {
            var now = hosts();
            if (!now.equals(before)) {
                before = now;
                since = System.nanoTime();
            } else if (now.size() == Topics.INBOX.partitions()
                    && System.nanoTime() - since > CALM.toNanos()) {
                return;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        throw Trouble.failed("the coordinators' group did not come to rest: " + before, null);
    }

    /** The client that hosts each inbox partition; empty while the group is not stable. */
    private Map<TopicPartition, String> hosts() {
        try {
            var group = admin.describeConsumerGroups(List.of(GROUP)).describedGroups();
            var now = requireNonNull(group.get(GROUP)).get();
            if (now.groupState() != GroupState.STABLE) {
                return Map.of();
            }
            var hosts = new TreeMap<TopicPartition, String>(BY_NUMBER);
            for (var member : now.members()) {
                take(member, hosts);
            }
            return hosts;
        } catch (ExecutionException e) {
            throw Trouble.failed("cannot describe the group " + GROUP + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Trouble.failed("interrupted", e);
        }
    }

    private static void take(MemberDescription member, Map<TopicPartition, String> hosts) {
        for (var partition : member.assignment().topicPartitions()) {
            if (partition.topic().equals(Topics.INBOX.name())) {
                hosts.put(partition, member.clientId());
            }
        }
    }

    /** The coordinator that hosts the pool with this number. */
    public ServiceProcess hosting(int pool) {
        var client = hosts().getOrDefault(new TopicPartition(Topics.INBOX.name(), pool), "");
        return all.entrySet().stream()
                .filter(each -> client.startsWith(each.getKey() + "-StreamThread-"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow(
                        () -> Trouble.failed("nobody hosts pool " + pool + ": " + client, null));
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
            throw Trouble.failed("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /** Starts a coordinator that was killed again, and does not wait for it. */
    public void again(ServiceProcess killed, Launch launch) {
        var process = killed.place().start(launch);
        var name = killed.spec().name();
        all.put(name, new ServiceProcess(killed.spec(), killed.place(), process, killed.port()));
    }

    /** Waits until all say that they are ready. */
    public void awaitReady() {
        all.values().forEach(ServiceProcess::awaitReady);
    }

    @Override
    public void close() {
        admin.close();
    }
}
