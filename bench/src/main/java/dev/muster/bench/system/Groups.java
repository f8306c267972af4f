package dev.muster.bench.system;

import static java.util.Objects.requireNonNull;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.Context;
import dev.muster.schemas.Topic;
import java.time.Duration;
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

/** The groups in which the processes of a service share the partitions of a topic. */
final class Groups implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration CALM = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private static final Comparator<TopicPartition> BY_NUMBER =
            Comparator.comparingInt(TopicPartition::partition);

    private final Admin admin;

    Groups(Context context) {
        this.admin = Admin.create(Map.of("bootstrap.servers", context.bootstrapServers()));
    }

    /**
     * Waits until the group has kept the same members with the same partitions for some seconds,
     * and every partition of the topic has its host.
     */
    void awaitCalm(String group, Topic<?> topic) {
        long end = System.nanoTime() + LIMIT.toNanos();
        Map<TopicPartition, String> before = Map.of();
        for (long since = System.nanoTime(); System.nanoTime() < end; ) {
            var now = hosts(group, topic);
            if (!now.equals(before)) {
                before = now;
                since = System.nanoTime();
            } else if (now.size() == topic.partitions()
                    && System.nanoTime() - since > CALM.toNanos()) {
                return;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        throw CommandFailedException.failed(
                "the group " + group + " did not come to rest: " + before, null);
    }

    /** The client that hosts the partition; empty: nobody, or the group is not stable. */
    String host(String group, Topic<?> topic, int partition) {
        return hosts(group, topic).getOrDefault(new TopicPartition(topic.name(), partition), "");
    }

    /** The client that hosts each partition; empty while the group is not stable. */
    private Map<TopicPartition, String> hosts(String group, Topic<?> topic) {
        try {
            var now =
                    requireNonNull(
                                    admin.describeConsumerGroups(List.of(group))
                                            .describedGroups()
                                            .get(group))
                            .get();
            if (now.groupState() != GroupState.STABLE) {
                return Map.of();
            }
            var hosts = new TreeMap<TopicPartition, String>(BY_NUMBER);
            for (var member : now.members()) {
                take(member, topic, hosts);
            }
            return hosts;
        } catch (ExecutionException e) {
            throw CommandFailedException.failed(
                    "cannot describe the group " + group + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandFailedException.failed("interrupted", e);
        }
    }

    private static void take(
            MemberDescription member, Topic<?> topic, Map<TopicPartition, String> hosts) {
        for (var partition : member.assignment().topicPartitions()) {
            if (partition.topic().equals(topic.name())) {
                hosts.put(partition, member.clientId());
            }
        }
    }

    @Override
    public void close() {
        admin.close();
    }
}
