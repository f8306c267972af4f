package dev.muster.coordinator.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.junit.jupiter.api.Test;

class InboxBehindTest {
    private record Told(MetricName metricName, Object metricValue) implements Metric {}

    @Test
    void partitionThatIsBehindMostCounts() {
        var behind =
                List.of(
                        lag("records-lag", "muster.inbox", 3.0),
                        lag("records-lag", "muster_inbox", 7.0),
                        lag("records-lag", "muster.inbox", Double.NaN),
                        lag("records-lag", "muster-coordinator-rows-changelog", 90.0),
                        lag("records-lag-max", "muster.inbox", 80.0));
        assertThat(InboxBehind.of(behind)).isEqualTo(7);
    }

    @Test
    void whoHasReadNothingYetDoesNotKnow() {
        assertThat(InboxBehind.of(List.of())).isNaN();
    }

    private static Metric lag(String name, String topic, double value) {
        return new Told(new MetricName(name, "consumer", "", Map.of("topic", topic)), value);
    }
}
