package dev.muster.streams;

import static org.apache.kafka.clients.producer.ProducerConfig.TRANSACTIONAL_ID_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.TRANSACTION_TIMEOUT_CONFIG;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;

class TransactionTimeTest {
    private final AtomicLong monotonic = new AtomicLong(-7);
    private final TransactionTime time = time(Duration.ofSeconds(2));

    @Test
    void eachFurtherTryHasTwiceAsLongUpToAMinute() {
        assertThat(time.next()).hasSeconds(2);
        assertThat(time.next()).hasSeconds(4);
        assertThat(time.next()).hasSeconds(8);
        assertThat(time.next()).hasSeconds(16);
        assertThat(time.next()).hasSeconds(32);
        assertThat(time.next()).hasSeconds(60);
        assertThat(time.next()).hasSeconds(60);
    }

    @Test
    void afterTenQuietMinutesItBeginsAnew() {
        assertThat(time.next()).hasSeconds(2);
        passes(Duration.ofMinutes(10));
        assertThat(time.next()).hasSeconds(4);
        passes(Duration.ofMinutes(10).plusNanos(1));
        assertThat(time.next()).hasSeconds(2);
    }

    @Test
    void timeThatIsConfiguredToBeLongerStands() {
        var slow = time(Duration.ofMinutes(3));
        assertThat(slow.next()).hasMinutes(3);
        assertThat(slow.next()).hasMinutes(3);
    }

    @Test
    void threadsProducersHaveTheirOwn() {
        var clients = new PacedClients();
        var one =
                Map.<String, Object>of(
                        TRANSACTIONAL_ID_CONFIG, "service-1", TRANSACTION_TIMEOUT_CONFIG, 2_000);
        var other =
                Map.<String, Object>of(
                        TRANSACTIONAL_ID_CONFIG, "service-2", TRANSACTION_TIMEOUT_CONFIG, 2_000);

        assertThat(clients.patient(one)).containsEntry(TRANSACTION_TIMEOUT_CONFIG, 2_000);
        assertThat(clients.patient(one)).containsEntry(TRANSACTION_TIMEOUT_CONFIG, 4_000);
        assertThat(clients.patient(other)).containsEntry(TRANSACTION_TIMEOUT_CONFIG, 2_000);
    }

    @Test
    void producerWithoutTransactionsIsLeftAlone() {
        var config = Map.<String, Object>of(ProducerConfig.CLIENT_ID_CONFIG, "service");
        assertThat(new PacedClients().patient(config)).isEqualTo(config);
    }

    private TransactionTime time(Duration first) {
        return new TransactionTime(first, monotonic::get);
    }

    private void passes(Duration duration) {
        monotonic.addAndGet(duration.toNanos());
    }
}
