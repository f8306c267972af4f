package dev.muster.podmanager.kafka;

import dev.muster.schemas.Topics;
import dev.muster.schemas.crash.CrashPoint;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the plans of our partitions, from the beginning at each assignment, and has a partition
 * opened for work once its end of that moment is reached. Those that are read about the same time
 * are opened together, by one list of the whole installation.
 *
 * <p>Offsets mean nothing here. They are committed all the same, since the broker takes them only
 * from a member that it has not replaced: that is our proof of tenure.
 */
final class PlanFeed implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(PlanFeed.class);
    private static final Duration POLL = Duration.ofMillis(200);

    /** So long those that are read wait for the others while none comes nearer to its end. */
    private static final Duration TOGETHER = Duration.ofSeconds(1);

    private final Consumer<byte[], byte @Nullable []> consumer;
    private final PatientReader reader;
    private final PlanIntake intake;
    private final Seeding seeding;
    private final Tenure tenure;
    private final InstantSource clock;

    /** The ends that must be reached first. Only the reading thread touches it. */
    private final Map<TopicPartition, Long> loading = new HashMap<>();

    /** Assigned, and their ends are not known yet. Only the reading thread touches it. */
    private final Set<TopicPartition> endless = new HashSet<>();

    /** Records before those ends, and since when it is so many. For the reading thread. */
    private long left;

    private Instant leftSince = Instant.MIN;

    private boolean joined;
    private volatile boolean ready;
    private volatile boolean stopping;

    PlanFeed(
            Consumer<byte[], byte @Nullable []> consumer,
            PlanIntake intake,
            Seeding seeding,
            Tenure tenure,
            InstantSource clock) {
        this.consumer = consumer;
        this.reader = new PatientReader(consumer, "plans wait", intake::take);
        this.intake = intake;
        this.seeding = seeding;
        this.tenure = tenure;
        this.clock = clock;
    }

    /** Reads until {@link #stop}; leaves the group at its end, so that others take over at once. */
    @Override
    public void run() {
        try (consumer) {
            consumer.subscribe(List.of(Topics.JOB_PLANS.name()), new Rebalancing());
            while (!stopping) {
                read();
                prove();
                openWhatIsRead();
            }
        } catch (WakeupException e) {
            // Stopped.
        }
    }

    void stop() {
        stopping = true;
        consumer.wakeup();
    }

    /** Every partition that we have is open; true as well when there are none left for us. */
    boolean isReady() {
        return ready && seeding.isIdle();
    }

    private void read() {
        intake.parkWhatWaits();
        reader.read(POLL);
    }

    private void prove() {
        if (!tenure.isProofDue()) {
            return;
        }
        var asked = clock.instant();
        CrashPoint.POD_MANAGER_PROVING.pass("");
        try {
            // A position that is not known yet is asked of the broker, which may be silent.
            var positions = new HashMap<TopicPartition, OffsetAndMetadata>();
            for (var partition : consumer.assignment()) {
                var position = consumer.position(partition, tenure.patience());
                positions.put(partition, new OffsetAndMetadata(position));
            }
            if (positions.isEmpty()) {
                return;
            }
            consumer.commitSync(positions, tenure.patience());
            CrashPoint.POD_MANAGER_PROVEN.pass("");
            tenure.prove(asked);
        } catch (CommitFailedException | RebalanceInProgressException e) {
            // Not proven; the next poll joins again.
        } catch (RetriableException e) {
            silent(e);
        }
    }

    private static void silent(RetriableException e) {
        log.atWarn().addKeyValue("why", e.getMessage()).log("the broker is silent");
    }

    private void openWhatIsRead() {
        var read = new HashSet<TopicPartition>();
        long before = left;
        try {
            left = findRead(read);
        } catch (RetriableException e) {
            silent(e);
            return;
        }
        var now = clock.instant();
        if (left != before) {
            leftSince = now;
        }
        if (left == 0 || !leftSince.plus(TOGETHER).isAfter(now)) {
            if (!read.isEmpty()) {
                seeding.open(numbers(read));
            }
            loading.keySet().removeAll(read);
        }
        ready = joined && loading.isEmpty();
    }

    /** Adds those whose end is reached, and returns how many records the others have left. */
    private long findRead(Set<TopicPartition> read) {
        if (!endless.isEmpty()) {
            loading.putAll(consumer.endOffsets(endless, tenure.patience()));
            endless.clear();
        }
        long all = 0;
        for (var each : loading.entrySet()) {
            var behind = each.getValue() - consumer.position(each.getKey(), tenure.patience());
            if (behind > 0) {
                all += behind;
            } else {
                read.add(each.getKey());
            }
        }
        return all;
    }

    private static List<Integer> numbers(Collection<TopicPartition> partitions) {
        var numbers = new ArrayList<Integer>();
        partitions.forEach(partition -> numbers.add(partition.partition()));
        return numbers;
    }

    private final class Rebalancing implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            joined = true;
            // To Kafka no partitions would mean all of them.
            if (!partitions.isEmpty()) {
                ready = false;
                consumer.seekToBeginning(partitions);
                // Their ends are asked for later: here no silence of the broker could be waited
                // out.
                endless.addAll(partitions);
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            partitions.forEach(loading::remove);
            partitions.forEach(endless::remove);
            partitions.forEach(reader::forget);
            try {
                // Not long: what stays ours is to be proven meanwhile.
                seeding.close(numbers(partitions), tenure.patience().dividedBy(2));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new KafkaException("interrupted", e);
            }
            log.atInfo().addKeyValue("partitions", numbers(partitions)).log("partitions closed");
        }

        /** Somebody has them already: nothing is waited for. */
        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            onPartitionsRevoked(partitions);
        }
    }
}
