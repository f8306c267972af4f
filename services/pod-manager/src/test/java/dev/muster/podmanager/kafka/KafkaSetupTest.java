package dev.muster.podmanager.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.FakeRegistry;
import dev.muster.schemas.serde.RegistryUnavailableException;
import dev.muster.v1.JobPlan;
import java.util.HashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class KafkaSetupTest {
    /** Else the proof of tenure would not come in time, nor would the plans of other partitions. */
    @Test
    @Timeout(value = 8, unit = TimeUnit.SECONDS)
    void plansOfManyPartitionsWaitOnceForASilentRegistry() {
        try (var registry = new FakeRegistry()) {
            registry.fallSilent();
            var settings = new HashMap<String, Object>(registry.config());
            var decoder = KafkaSetup.decoder(Topics.JOB_PLANS.name(), JobPlan.class, settings);

            for (int partition = 0; partition < 5; partition++) {
                assertThatExceptionOfType(RegistryUnavailableException.class)
                        .isThrownBy(() -> decoder.apply(new byte[] {0, 0, 0, 0, 9, 1}));
            }

            assertThat(registry.requests()).hasSize(1);
        }
    }
}
