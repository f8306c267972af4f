package dev.muster.cli.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.Context;
import dev.muster.cli.ExitCode;
import dev.muster.coordinator.history.log.Patience;
import dev.muster.schemas.Topics;
import dev.muster.schemas.Uid;
import dev.muster.v1.JobRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reading up to where topics ended. */
@Timeout(20)
class ReadToTest {
    private static final Patience SHORT = new Patience(Duration.ofMillis(50));
    private static final String TOPIC = Topics.JOB_REQUESTS.name();
    private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 3);
    private static final Context NOWHERE =
            new Context("http://127.0.0.1:1", "127.0.0.1:1", "http://127.0.0.1:1", Path.of(""));

    private final MockConsumer<String, JobRequest> consumer = new MockConsumer<>("earliest");
    private final List<Long> read = new ArrayList<>();

    ReadToTest() {
        consumer.updatePartitions(
                TOPIC,
                List.of(new PartitionInfo(TOPIC, 3, Node.noNode(), new Node[0], new Node[0])));
        consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
        consumer.updateEndOffsets(Map.of(PARTITION, 10L));
        consumer.assign(List.of(PARTITION));
        consumer.seek(PARTITION, 0);
    }

    @Test
    void brokerThatFallsSilentInTheMiddleEndsTheCommand() {
        consumer.addRecord(record(0));
        assertThatThrownBy(() -> read(10))
                .isInstanceOfSatisfying(
                        TimeoutException.class,
                        silence ->
                                assertThat(Kafka.trouble(NOWHERE, silence))
                                        .isInstanceOf(CommandFailedException.class)
                                        .hasMessage(
                                                "no Kafka broker answers at 127.0.0.1:1: is the"
                                                        + " system up?")
                                        .returns(
                                                ExitCode.FAILED, CommandFailedException::exitCode));
        assertThat(read).containsExactly(0L);
    }

    @Test
    void whatIsThereIsReadAndNoMoreIsWaitedFor() {
        consumer.schedulePollTask(() -> {});
        consumer.schedulePollTask(
                () -> List.of(0, 7).forEach(at -> consumer.addRecord(record(at))));
        // Behind the last record may be the marks of transactions.
        consumer.schedulePollTask(() -> consumer.seek(PARTITION, 10));
        read(10);
        assertThat(read).containsExactly(0L, 7L);
    }

    @Test
    void submissionInAPartitionThatIsNotThereIsNotFound() {
        assertThat(Submissions.read(consumer, Uid.parse("99-1"))).isEmpty();
    }

    @Test
    void submissionIsTheRecordThatItsUidNames() {
        List.of(6, 7, 8).forEach(at -> consumer.addRecord(record(at)));
        assertThat(Submissions.read(consumer, Uid.parse("3-7")))
                .hasValueSatisfying(record -> assertThat(record.offset()).isEqualTo(7));
        assertThat(Submissions.read(consumer, Uid.parse("3-10"))).isEmpty();
    }

    private void read(long end) {
        Kafka.readTo(
                consumer,
                Map.of(PARTITION, end),
                SHORT,
                records -> records.forEach(record -> read.add(record.offset())));
    }

    private static ConsumerRecord<String, JobRequest> record(long offset) {
        return new ConsumerRecord<>(TOPIC, 3, offset, "ml/a", null);
    }
}
