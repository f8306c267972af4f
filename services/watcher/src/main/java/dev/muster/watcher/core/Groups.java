package dev.muster.watcher.core;

import dev.muster.schemas.contract.LabelNames;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads Volcano's PodGroups.
 *
 * @param installation whose groups are ours
 */
public record Groups(String installation) {
    /** What Volcano says of a group that waits for its first pod. */
    private static final Pattern NO_PODS = Pattern.compile("\\d+/0 tasks in gang unschedulable");

    /** Empty: it is not ours, or its labels make no sense. */
    public Optional<GroupReport> read(GenericKubernetesResource group) {
        var meta = group.getMetadata();
        var labels = meta.getLabels() == null ? Map.<String, String>of() : meta.getLabels();
        var job = labels.get(LabelNames.JOB);
        var uid = labels.get(LabelNames.UID);
        var pool = labels.get(LabelNames.POOL);
        var attempt = labels.getOrDefault(LabelNames.ATTEMPT, "");
        if (!installation.equals(labels.get(LabelNames.INSTALLATION))
                || job == null
                || uid == null
                || pool == null
                || !attempt.matches("\\d{1,9}")) {
            return Optional.empty();
        }
        Map<?, ?> status =
                group.getAdditionalProperties().get("status") instanceof Map<?, ?> map
                        ? map
                        : Map.of();
        var why = refusal(status);
        return Optional.of(
                new GroupReport(
                        pool,
                        new Job(meta.getNamespace(), job, uid),
                        Integer.parseInt(attempt),
                        meta.getName(),
                        Long.parseLong(meta.getResourceVersion()),
                        Pods.text(status.get("phase")),
                        why != null,
                        why == null ? "" : Pods.text(why.get("reason")),
                        why == null ? "" : Pods.text(why.get("message"))));
    }

    /**
     * Its condition Unschedulable, unless it was scheduled later, or has no pods yet; null: nothing
     * is in the way.
     */
    private static @Nullable Map<?, ?> refusal(Map<?, ?> status) {
        var refused = condition(status, "Unschedulable");
        var scheduled = condition(status, "Scheduled");
        boolean isPast =
                refused != null
                        && scheduled != null
                        && Pods.text(scheduled.get("lastTransitionTime"))
                                        .compareTo(Pods.text(refused.get("lastTransitionTime")))
                                > 0;
        boolean isEmpty =
                refused != null && NO_PODS.matcher(Pods.text(refused.get("message"))).lookingAt();
        return isPast || isEmpty ? null : refused;
    }

    private static @Nullable Map<?, ?> condition(Map<?, ?> status, String type) {
        var conditions = status.get("conditions") instanceof List<?> list ? list : List.of();
        for (var each : conditions) {
            if (each instanceof Map<?, ?> condition
                    && type.equals(condition.get("type"))
                    && "True".equals(condition.get("status"))) {
                return condition;
            }
        }
        return null;
    }
}
