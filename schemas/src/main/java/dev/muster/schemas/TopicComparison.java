package dev.muster.schemas;

import dev.muster.schemas.Topic.Kept;
import dev.muster.schemas.TopicFinding.Changed;
import dev.muster.schemas.TopicFinding.Larger;
import dev.muster.schemas.TopicFinding.Shorter;
import dev.muster.schemas.TopicFinding.Wrong;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.TopicConfig;

/** What there is to do about a topic that is there already. */
final class TopicComparison {
    /** Less of these throws records away or refuses them. */
    private static final Set<String> ONLY_RAISED =
            Set.of(
                    TopicConfig.RETENTION_MS_CONFIG,
                    TopicConfig.DELETE_RETENTION_MS_CONFIG,
                    TopicConfig.MAX_MESSAGE_BYTES_CONFIG);

    /**
     * Compares it with the catalogue.
     *
     * @param settings all that are in effect, by name
     * @return nothing when all is as the catalogue says; what else is set is nobody's business here
     */
    static List<TopicFinding> of(Topic<?> topic, int partitions, Map<String, String> settings) {
        var findings = new ArrayList<TopicFinding>();
        if (partitions != topic.partitions()) {
            // Never grown: keys would leave their history behind.
            findings.add(
                    new Wrong(
                            topic.name(),
                            "partition count",
                            String.valueOf(partitions),
                            String.valueOf(topic.partitions())));
        }
        topic.settings()
                .forEach((setting, wanted) -> {
                    var is = settings.getOrDefault(setting, "unset");
                    if (!is.equals(wanted)) {
                        findings.add(difference(topic, setting, is, wanted));
                    }
                });
        return findings;
    }

    private static TopicFinding difference(
            Topic<?> topic, String setting, String is, String wanted) {
        if (setting.equals(TopicConfig.CLEANUP_POLICY_CONFIG)) {
            return new Wrong(topic.name(), setting, is, wanted);
        }
        if (ONLY_RAISED.contains(setting) && isLarger(is, wanted)) {
            return new Larger(topic.name(), setting, is, wanted);
        }
        return setting.equals(TopicConfig.RETENTION_MS_CONFIG) && isEnough(topic, is)
                ? new Shorter(topic.name(), setting, is, wanted)
                : new Changed(topic.name(), setting, is, wanted);
    }

    private static boolean isEnough(Topic<?> topic, String retention) {
        return topic.kept() instanceof Kept.History(_, var least)
                && !retention.equals("unset")
                && Long.parseLong(retention) >= least.toMillis();
    }

    private static boolean isLarger(String is, String wanted) {
        return is.equals("-1") // without limit
                || (!is.equals("unset") && Long.parseLong(is) > Long.parseLong(wanted));
    }

    private TopicComparison() {}
}
