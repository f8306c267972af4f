package dev.muster.schemas;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.kafka.common.utils.Utils;

/**
 * Which partition a key belongs to: what Kafka's own Java client chooses, but for keys with a uid,
 * which go by the name alone. So all that is said of one name is in partitions of one number.
 */
public final class Partitions {
    /** On every topic that is keyed by the name, or by the name and uid. */
    public static int ofName(String namespace, String name) {
        return ofKey(JobKeys.of(namespace, name), Topics.NAME_PARTITIONS);
    }

    /** On a topic of the catalogue; for the inbox ask the pool's number instead. */
    public static int ofKey(Topic<?> topic, String key) {
        return ofKey(key, topic.partitions());
    }

    /** On a topic with that many partitions. */
    public static int ofKey(String key, int partitions) {
        var bytes = JobKeys.withoutUid(key).getBytes(UTF_8);
        return Utils.toPositive(Utils.murmur2(bytes)) % partitions;
    }

    private Partitions() {}
}
