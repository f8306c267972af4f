package dev.muster.admission.stream;

import dev.muster.admission.core.Entry;
import dev.muster.admission.core.OtherJobs;
import dev.muster.schemas.JobKeys;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads the stores of this process from outside their own tasks. */
@Component
public final class Lookup implements OtherJobs {
    private volatile @Nullable Open open;

    private record Open(KafkaStreams streams, Codec codec) {
        ReadOnlyKeyValueStore<String, byte[]> store(String name) {
            return streams.store(
                    StoreQueryParameters.fromNameAndType(
                            name, QueryableStoreTypes.keyValueStore()));
        }
    }

    void open(KafkaStreams streams, Codec codec) {
        open = new Open(streams, codec);
    }

    void close() {
        open = null;
    }

    /**
     * Queues and pools as the coordinators publish them.
     *
     * @throws InvalidStateStoreException when the streams do not run, or not yet
     */
    public PublishedSettings shown() {
        var now = open;
        if (now == null) {
            throw new InvalidStateStoreException("the streams do not run");
        }
        return new PublishedSettings(
                now.store(AdmissionTopology.QUEUES),
                now.store(AdmissionTopology.POOLS),
                now.codec());
    }

    @Override
    public @Nullable Entry find(String namespace, String name) {
        var now = open;
        try {
            return now == null
                    ? null
                    : Rows.entry(
                            now.store(AdmissionTopology.DIRECTORY)
                                    .get(JobKeys.of(namespace, name)));
        } catch (InvalidStateStoreException e) {
            // Partitions are moving: the pool will say it.
            return null;
        }
    }
}
