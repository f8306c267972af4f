package dev.muster.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.schemas.TopicFinding.Changed;
import dev.muster.schemas.TopicFinding.Larger;
import dev.muster.schemas.TopicFinding.Shorter;
import dev.muster.schemas.TopicFinding.Wrong;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TopicComparisonTest {
    private static final String INBOX = Topics.INBOX.name();
    private static final String MONTH = "2592000000";
    private static final String WEEK = "604800000";
    private static final String RETENTION = "retention.ms";

    @ParameterizedTest
    @MethodSource("dev.muster.schemas.Topics#all")
    void topicOfTheCatalogueIsLeftAlone(Topic<?> topic) {
        var settings = new HashMap<>(topic.settings());
        settings.put("compression.type", "zstd");

        assertThat(TopicComparison.of(topic, topic.partitions(), settings)).isEmpty();
    }

    @Test
    void otherPartitionCountIsWrongAndNeverChanged() {
        assertThat(TopicComparison.of(Topics.INBOX, 65, Topics.INBOX.settings()))
                .containsExactly(new Wrong(INBOX, "partition count", "65", "64"));
    }

    /** A week is as long as the snapshotter may fail. */
    @ParameterizedTest
    @MethodSource
    void whatIsOnlyLookedBackAtMayBeKeptForAWeek(Topic<?> topic) {
        var asked = topic.settings().get(RETENTION);
        assertThat(TopicComparison.of(topic, topic.partitions(), keptFor(topic, WEEK)))
                .containsExactly(new Shorter(topic.name(), RETENTION, WEEK, asked));
        assertThat(TopicComparison.of(topic, topic.partitions(), keptFor(topic, "604799999")))
                .containsExactly(new Changed(topic.name(), RETENTION, "604799999", asked));
    }

    static Stream<Topic<?>> whatIsOnlyLookedBackAtMayBeKeptForAWeek() {
        return Stream.of(Topics.SNAPSHOTS, Topics.JOB_EVENTS, Topics.DECISIONS);
    }

    @ParameterizedTest
    @MethodSource
    void whatIsWorkedWithIsKeptAsLongAsItIsNeeded(Topic<?> topic) {
        var asked = topic.settings().get(RETENTION);
        var less = String.valueOf(Long.parseLong(asked) - 1);
        assertThat(TopicComparison.of(topic, topic.partitions(), keptFor(topic, less)))
                .containsExactly(new Changed(topic.name(), RETENTION, less, asked));
    }

    static Stream<Topic<?>> whatIsWorkedWithIsKeptAsLongAsItIsNeeded() {
        return Stream.of(
                Topics.INBOX,
                Topics.JOB_REQUESTS,
                Topics.REQUEST_RESULTS,
                Topics.JOB_SIGNALS,
                Topics.PARKED);
    }

    private static Map<String, String> keptFor(Topic<?> topic, String millis) {
        var settings = new HashMap<>(topic.settings());
        settings.put(RETENTION, millis);
        return settings;
    }

    @ParameterizedTest
    @MethodSource
    void settingIsChangedUnlessThatLosesRecords(String setting, String is, TopicFinding finding) {
        var settings = new HashMap<>(Topics.INBOX.settings());
        settings.put(setting, is);

        assertThat(TopicComparison.of(Topics.INBOX, 64, settings)).containsExactly(finding);
    }

    static Stream<Arguments> settingIsChangedUnlessThatLosesRecords() {
        var stamp = "message.timestamp.type";
        return Stream.of(
                argumentSet(
                        "shorter",
                        "retention.ms",
                        "60000",
                        new Changed(INBOX, "retention.ms", "60000", MONTH)),
                argumentSet(
                        "longer",
                        "retention.ms",
                        "9999999999",
                        new Larger(INBOX, "retention.ms", "9999999999", MONTH)),
                argumentSet(
                        "for ever",
                        "retention.ms",
                        "-1",
                        new Larger(INBOX, "retention.ms", "-1", MONTH)),
                argumentSet(
                        "smaller messages",
                        "max.message.bytes",
                        "1048588",
                        new Changed(INBOX, "max.message.bytes", "1048588", "4194304")),
                argumentSet(
                        "stamp",
                        stamp,
                        "CreateTime",
                        new Changed(INBOX, stamp, "CreateTime", "LogAppendTime")),
                argumentSet(
                        "policy",
                        "cleanup.policy",
                        "compact",
                        new Wrong(INBOX, "cleanup.policy", "compact", "delete")));
    }
}
