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
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
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

    /** While something is asked of the broker that comes with no record. */
    private static final Duration ASKING = Duration.ofMillis(20);

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

    /** Those of them that were said to be so. For the reading thread. */
    private Set<TopicPartition> said = Set.of();

    /** Records before those ends, one for each that has none, and since when it is so many. */
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
            join();
            while (!stopping) {
                turn();
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

    private void turn() {
        try {
            read();
            prove();
            openWhatIsRead();
        } catch (InvalidOffsetException e) {
            joinAnew(e.partitions());
        }
    }

    private void join() {
        consumer.subscribe(List.of(Topics.JOB_PLANS.name()), new Rebalancing());
    }

    /**
     * Kafka was put back to an earlier moment, or has lost records: no newer plan comes of those
     * that we know, and those that do come would count as older ones. Only with its assignment does
     * a consumer forget where the log ended, which would be taken for the end to be reached.
     */
    private void joinAnew(Set<TopicPartition> partitions) {
        log.atError().addKeyValue("partitions", numbers(partitions)).log("JOB-PLANS WENT BACK");
        joined = false;
        ready = false;
        consumer.unsubscribe();
        join();
    }

    private void begin(Collection<TopicPartition> partitions) {
        // To Kafka no partitions would mean all of them.
        if (!partitions.isEmpty()) {
            ready = false;
            consumer.seekToBeginning(partitions);
            endless.addAll(partitions);
        }
    }

    private void end(Collection<TopicPartition> partitions) {
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

    private void read() {
        intake.parkWhatWaits();
        reader.read(endless.isEmpty() ? POLL : ASKING);
    }

    private void prove() {
        if (!tenure.isProofDue()) {
            return;
        }
        var asked = clock.instant();
        CrashPoint.POD_MANAGER_PROVING.pass("");
        try {
            var positions = positions();
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

    /** Those of partitions that have a leader: any of them is as good a proof. */
    private Map<TopicPartition, OffsetAndMetadata> positions() {
        var known = new HashMap<TopicPartition, OffsetAndMetadata>();
        for (var partition : consumer.assignment()) {
            position(partition)
                    .ifPresent(offset -> known.put(partition, new OffsetAndMetadata(offset)));
        }
        return known;
    }

    /**
     * Where we are, as far as it is known: polls ask for it, and nobody waits for a partition
     * without a leader, or for a broker that is silent.
     */
    private OptionalLong position(TopicPartition partition) {
        try {
            return OptionalLong.of(consumer.position(partition, Duration.ZERO));
        } catch (RetriableException e) {
            return OptionalLong.empty();
        }
    }

    private void openWhatIsRead() {
        var read = new HashSet<TopicPartition>();
        long before = left;
        left = findRead(read);
        var now = clock.instant();
        if (left != before) {
            leftSince = now;
        }
        if (left == 0 || !leftSince.plus(TOGETHER).isAfter(now)) {
            if (!read.isEmpty()) {
                seeding.open(numbers(read));
            }
            loading.keySet().removeAll(read);
            sayWhoHasNoEnd();
        }
        ready = joined && loading.isEmpty() && endless.isEmpty();
    }

    private void sayWhoHasNoEnd() {
        if (!endless.isEmpty() && !endless.equals(said)) {
            log.atWarn()
                    .addKeyValue("partitions", numbers(endless))
                    .log("the broker is silent about partitions");
        }
        said = Set.copyOf(endless);
    }

    /** Adds those whose end is reached, and returns how much the others have left. */
    private long findRead(Set<TopicPartition> read) {
        endless.removeIf(this::isEndKnown);
        long all = endless.size();
        for (var each : loading.entrySet()) {
            var position = position(each.getKey());
            long behind = position.isEmpty() ? 1 : each.getValue() - position.getAsLong();
            if (behind > 0) {
                all += behind;
            } else {
                read.add(each.getKey());
            }
        }
        return all;
    }

    /** Polls hear of it with the records. If it is known now, that is the end to be reached. */
    private boolean isEndKnown(TopicPartition partition) {
        var position = position(partition);
        var behind = position.isEmpty() ? position : consumer.currentLag(partition);
        if (behind.isEmpty()) {
            return false;
        }
        loading.put(partition, position.getAsLong() + behind.getAsLong());
        return true;
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
            begin(partitions);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            end(partitions);
        }

        /** Somebody has them already: nothing is waited for. */
        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            onPartitionsRevoked(partitions);
        }
    }
}
