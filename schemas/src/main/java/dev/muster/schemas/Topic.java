package dev.muster.schemas;

import dev.muster.schemas.contract.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.config.TopicConfig;

/**
 * One topic as every installation has it. How many replicas it has is the installer's choice.
 *
 * @param key what the key of a record is, in words
 * @param value the class of every value; its schema stands under the subject {@link #subject()}
 * @param writers the services that write it, in words
 * @param readers the services that read it, in words
 */
public record Topic<T extends SpecificRecord>(
        String name,
        String key,
        Class<T> value,
        int partitions,
        Kept kept,
        List<String> writers,
        List<String> readers) {

    private static final String NO_LIMIT = String.valueOf(Long.MAX_VALUE);
    private static final Duration LONGEST_SEGMENT = Duration.ofDays(1);

    /** How long records stay. */
    public sealed interface Kept {
        /** Every record, for a time that is counted from the record's timestamp. */
        record For(Duration retention) implements Kept {}

        /**
         * The same of what is only looked back at.
         *
         * @param least for which an operator may keep it
         */
        record History(Duration retention, Duration least) implements Kept {}

        /**
         * Every record, for a time that is counted from when the broker appended it: whoever writes
         * may have whatever clock.
         */
        record ForSinceAppend(Duration retention) implements Kept {}

        /** The newest record of each key, until a null takes its place. */
        record Newest() implements Kept {}
    }

    public Topic {
        if (partitions < 1) {
            throw new IllegalArgumentException(name + " must have a partition, had " + partitions);
        }
        writers = List.copyOf(writers);
        readers = List.copyOf(readers);
    }

    /** The registry's subject for the values. */
    public String subject() {
        return name + "-value";
    }

    /** The topic's settings at the broker, sorted by name. */
    public Map<String, String> settings() {
        var settings = new TreeMap<String, String>();
        settings.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, String.valueOf(Limits.RECORD_BYTES));
        switch (kept) {
            case Kept.For(var retention) -> {
                keepFor(retention, settings);
                stampedByWriters(settings);
            }
            case Kept.History(var retention, _) -> {
                keepFor(retention, settings);
                stampedByWriters(settings);
            }
            case Kept.ForSinceAppend(var retention) -> {
                keepFor(retention, settings);
                settings.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");
            }
            case Kept.Newest() -> keepNewest(settings);
        }
        return settings;
    }

    private static void keepFor(Duration retention, Map<String, String> settings) {
        // A segment goes as a whole: with eight to a retention nothing stays an eighth too long.
        var segment = retention.dividedBy(8);
        settings.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
        settings.put(TopicConfig.RETENTION_MS_CONFIG, millis(retention));
        settings.put(
                TopicConfig.SEGMENT_MS_CONFIG,
                millis(segment.compareTo(LONGEST_SEGMENT) < 0 ? segment : LONGEST_SEGMENT));
    }

    /**
     * A reader begins with the whole topic, so it is kept short: segments close after an hour, or
     * 64 MiB, and are cleaned when a fifth of the log is old.
     */
    private static void keepNewest(Map<String, String> settings) {
        settings.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
        stampedByWriters(settings);
        settings.put(TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG, "0.2");
        settings.put(TopicConfig.SEGMENT_MS_CONFIG, millis(Duration.ofHours(1)));
        settings.put(TopicConfig.SEGMENT_BYTES_CONFIG, String.valueOf(64 * 1024 * 1024));
        settings.put(TopicConfig.DELETE_RETENTION_MS_CONFIG, millis(Duration.ofDays(1)));
    }

    /**
     * Records are taken whatever their time. A pool's never goes back: where the broker's clock was
     * hours ahead and is set right, what the pool publishes is hours ahead of it, and must not wait
     * until the broker has caught up.
     */
    private static void stampedByWriters(Map<String, String> settings) {
        settings.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "CreateTime");
        settings.put(TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG, NO_LIMIT);
    }

    private static String millis(Duration duration) {
        return String.valueOf(duration.toMillis());
    }
}
