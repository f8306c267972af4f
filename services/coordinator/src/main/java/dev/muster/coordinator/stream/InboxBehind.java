package dev.muster.coordinator.stream;

import dev.muster.schemas.Topics;
import java.util.Collection;
import org.apache.kafka.common.Metric;
import org.jspecify.annotations.Nullable;

/** How many records of the inbox a process has still to read, by what its consumers say. */
final class InboxBehind {
    private static final String LAG = "records-lag";
    private static final String TOPIC = "topic";

    private InboxBehind() {}

    /** Of the partition that is behind most; not a number: nothing was read of any yet. */
    static double of(Collection<? extends Metric> metrics) {
        return metrics.stream()
                .filter(metric -> metric.metricName().name().equals(LAG))
                .filter(metric -> isInbox(metric.metricName().tags().get(TOPIC)))
                .map(Metric::metricValue)
                .filter(Double.class::isInstance)
                .mapToDouble(Double.class::cast)
                .filter(lag -> !Double.isNaN(lag))
                .max()
                .orElse(Double.NaN);
    }

    /** Consumers write it with and without its dots. */
    private static boolean isInbox(@Nullable String topic) {
        var inbox = Topics.INBOX.name();
        return inbox.equals(topic) || inbox.replace('.', '_').equals(topic);
    }
}
