package dev.muster.coordinator.history.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class TopicReaderTest {
    private static final TopicPartition PARTITION = new TopicPartition("inbox", 3);

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    private final TopicReader reader =
            new TopicReader(consumer, new Patience(Duration.ofMillis(50)));

    @Test
    void walkGivesUpWhenTheRestDoesNotCome() {
        var walk = reader.read(PARTITION, 0, 10);
        consumer.addRecord(record(0));
        assertThat(walk.next().offset()).isZero();
        assertThatThrownBy(walk::hasNext)
                .isInstanceOf(TimeoutException.class)
                .hasMessage("nothing of inbox-3 came within 0 s");
    }

    @Test
    void walkPassesOverWhatHasNoRecords() {
        var walk = reader.read(PARTITION, 0, 10);
        consumer.schedulePollTask(() -> consumer.seek(PARTITION, 10));
        assertThat(walk.hasNext()).isFalse();
    }

    @Test
    void walkEndsBeforeItsEnd() {
        var walk = reader.read(PARTITION, 0, 1);
        List.of(0, 1).forEach(offset -> consumer.addRecord(record(offset)));
        assertThat(walk.next().offset()).isZero();
        assertThat(walk.hasNext()).isFalse();
    }

    private ConsumerRecord<byte[], byte[]> record(int offset) {
        consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
        return new ConsumerRecord<>("inbox", PARTITION.partition(), offset, null, new byte[0]);
    }
}
