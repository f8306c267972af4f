package dev.muster.podmanager.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.FakeRegistry;
import dev.muster.schemas.serde.RegistryUnavailableException;
import dev.muster.v1.JobPlan;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class KafkaSetupTest {
    /** Else the proof of tenure would not come in time, nor would the plans of other partitions. */
    @Test
    @Timeout(value = 8, unit = TimeUnit.SECONDS)
    void plansOfManyPartitionsWaitOnceForASilentRegistry() {
        try (var registry = new FakeRegistry();
                var client = KafkaSetup.hurried(registry.config())) {
            registry.fallSilent();
            var decoder = KafkaSetup.decoder(Topics.JOB_PLANS.name(), JobPlan.class, client);

            for (int partition = 0; partition < 5; partition++) {
                assertThatExceptionOfType(RegistryUnavailableException.class)
                        .isThrownBy(() -> decoder.apply(new byte[] {0, 0, 0, 0, 9, 1}));
            }

            assertThat(registry.requests()).hasSize(1);
        }
    }

    /** The same goes for what can never be read, whatever the registry says. */
    @Test
    @Timeout(value = 8, unit = TimeUnit.SECONDS)
    void recordsThatAreToBeParkedWaitOnceForASilentRegistry() {
        var producer =
                new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
        try (var registry = new FakeRegistry();
                var client = KafkaSetup.hurried(registry.config())) {
            registry.fallSilent();
            var encode = KafkaSetup.parkedEncoder(registry.config(), client);
            var parked = new ParkedRecords(producer, encode, new Instance());
            var in = new ConsumerRecord<>(Topics.JOB_PLANS.name(), 0, 0, new byte[1], new byte[1]);

            parked.park(in, "no key of a job");
            for (int i = 0; i < 5; i++) {
                parked.parkWhatWaits();
            }

            assertThat(registry.requests()).hasSize(1);
            assertThat(producer.history()).isEmpty();
        }
    }
}
