package dev.muster.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TopicsTest {
    private static final String THIRTY_DAYS = "2592000000";

    @ParameterizedTest
    @MethodSource("dev.muster.schemas.Topics#all")
    void topicBearsTheHousesName(Topic<?> topic) {
        assertThat(topic.name()).matches("muster\\.[a-z]+(-[a-z]+)*");
        assertThat(topic.subject()).isEqualTo(topic.name() + "-value");
    }

    @ParameterizedTest
    @MethodSource("dev.muster.schemas.Topics#all")
    void topicTakesFourMebibytes(Topic<?> topic) {
        assertThat(topic.settings()).containsEntry("max.message.bytes", "4194304");
    }

    @Test
    void namesAndRecordsAreUsedOnce() {
        assertThat(Topics.all()).extracting(Topic::name).doesNotHaveDuplicates().hasSize(14);
        assertThat(Topics.all()).extracting(Topic::value).doesNotHaveDuplicates();
    }

    @Test
    void whatIsKeyedByTheNameHasOnePartitionCount() {
        assertThat(Topics.all())
                .filteredOn(topic -> topic.key().startsWith("namespace/name"))
                .hasSize(6)
                .allMatch(topic -> topic.partitions() == Topics.NAME_PARTITIONS);
    }

    @Test
    void inboxIsStampedByTheBroker() {
        assertThat(Topics.INBOX.settings())
                .isEqualTo(
                        Map.of(
                                "cleanup.policy", "delete",
                                "max.message.bytes", "4194304",
                                "message.timestamp.type", "LogAppendTime",
                                "retention.ms", THIRTY_DAYS,
                                "segment.ms", "86400000"));
    }

    @Test
    void whatAnybodyWritesIsStampedByTheBroker() {
        assertThat(Topics.all())
                .filteredOn(topic ->
                        topic.writers().contains("anybody") || topic.writers().contains("jobs"))
                .hasSize(4)
                .allSatisfy(topic ->
                        assertThat(topic.settings())
                                .containsEntry("message.timestamp.type", "LogAppendTime"));
    }

    @Test
    void whatOurServicesStampIsTakenWhateverItsTime() {
        assertThat(Topics.all())
                .extracting(Topic::settings)
                .filteredOn(settings -> settings.get("message.timestamp.type").equals("CreateTime"))
                .hasSize(9)
                .allSatisfy(settings ->
                        assertThat(settings)
                                .containsEntry(
                                        "message.timestamp.after.max.ms",
                                        String.valueOf(Long.MAX_VALUE)));
    }

    @Test
    void newestOfEachKeyIsKept() {
        assertThat(List.of(Topics.JOB_PLANS, Topics.JOB_STATUS, Topics.QUEUES, Topics.POOLS))
                .extracting(Topic::settings)
                .allSatisfy(settings ->
                        assertThat(settings)
                                .containsEntry("cleanup.policy", "compact")
                                .doesNotContainKey("retention.ms"));
    }
}
