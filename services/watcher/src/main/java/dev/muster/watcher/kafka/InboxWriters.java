package dev.muster.watcher.kafka;

import dev.muster.schemas.TopicPresence;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroSerializer;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.Witness;
import dev.muster.watcher.core.Report;
import dev.muster.watcher.core.Term;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a writer for each term. What the registry said once is known to all of them, so that a
 * takeover does not wait for it.
 */
public final class InboxWriters implements AutoCloseable {
    /** Of a thousand pods that change at once many are told in one request; nobody notices it. */
    private static final int LINGER_MILLIS = 5;

    private static final Logger LOG = LoggerFactory.getLogger(InboxWriters.class);

    private static final InboxEvents NOBODYS = new InboxEvents(new Witness(0, 1, 0L, 0L));

    private final Map<String, Object> kafka;
    private final AvroSerializer<InboxEvent> serializer = new AvroSerializer<>();

    /**
     * @param kafka the settings of the producers and of the serializer
     */
    public InboxWriters(Map<String, Object> kafka) {
        this.kafka = kafka;
        serializer.configure(kafka, false);
    }

    /**
     * @param shard which shard tells
     * @param time by which the term is judged
     * @param onNews called, from any thread, when something did not arrive, or so much has that
     *     {@link InboxWriter#goOn} is to be called
     */
    public InboxWriter open(int shard, Term term, InstantSource time, Runnable onNews) {
        return new InboxWriter(producer("watcher-" + shard), serializer, shard, term, time, onNews);
    }

    /**
     * Does for nobody what a term begins with: loads its classes, asks the registry, reaches the
     * broker. Writes nothing; what fails is left to the first term.
     */
    public void rehearse() {
        try (var producer = producer("watcher-rehearsal")) {
            rehearse(new Report.Alive());
            TopicPresence.require(kafka, Topics.INBOX);
            producer.partitionsFor(Topics.INBOX.name());
        } catch (KafkaException | ExecutionException e) {
            LOG.atInfo().addKeyValue("problem", e.toString()).log("not rehearsed");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Writes this as it would be sent, for nobody. */
    public void rehearse(Report report) {
        serializer.serialize(Topics.INBOX.name(), NOBODYS.of("", report, 0, Instant.EPOCH));
    }

    @Override
    public void close() {
        serializer.close();
    }

    private KafkaProducer<String, byte[]> producer(String client) {
        var settings = new TreeMap<>(kafka);
        settings.put(ProducerConfig.CLIENT_ID_CONFIG, client);
        settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
        settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.LINGER_MS_CONFIG, LINGER_MILLIS);
        return new KafkaProducer<>(settings);
    }
}
