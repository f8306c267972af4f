package dev.muster.watcher.core;

import dev.muster.schemas.contract.LabelNames;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads OpenKruise's ContainerRecreateRequests. Its daemon ends each as Completed, whatever became
 * of it: how it went, the states of the containers say, which some never get.
 *
 * @param pods whose requests are ours
 */
public record RestartRequests(Pods pods) {
    /** The label by which those of an installation are found. */
    public static final String INSTALLATION = LabelNames.INSTALLATION;

    private static final String COMPLETED = "Completed";
    private static final String SUCCEEDED = "Succeeded";
    private static final String FAILED = "Failed";

    /** Empty: it is not ours, its labels make no sense, or it is not given up. */
    public Optional<FailedRestart> read(GenericKubernetesResource request) {
        var meta = request.getMetadata();
        var pool = meta.getLabels() == null ? null : meta.getLabels().get(LabelNames.POOL);
        var spec = map(request.getAdditionalProperties().get("spec"));
        var status = map(request.getAdditionalProperties().get("status"));
        if (pool == null || !isGivenUp(spec, status)) {
            return Optional.empty();
        }
        var version = Long.parseLong(meta.getResourceVersion());
        return pods.identityOf(
                        meta, Pods.text(spec.get("podName")), podUid(meta.getOwnerReferences()))
                .map(pod ->
                        new FailedRestart(pool, meta.getName(), pod, version, messageOf(status)));
    }

    private static boolean isGivenUp(Map<?, ?> spec, Map<?, ?> status) {
        var states = maps(status.get("containerRecreateStates"));
        long asked = maps(spec.get("containers")).size();
        long done = states.stream().filter(state -> SUCCEEDED.equals(state.get("phase"))).count();
        return FAILED.equals(status.get("phase"))
                || states.stream().anyMatch(state -> FAILED.equals(state.get("phase")))
                || COMPLETED.equals(status.get("phase")) && done < asked;
    }

    /** What it says in all, and of each container. */
    private static String messageOf(Map<?, ?> status) {
        var all =
                Stream.concat(
                        Stream.of(status), maps(status.get("containerRecreateStates")).stream());
        return Pods.text(
                all.map(part -> Pods.text(part.get("message")))
                        .filter(message -> !message.isEmpty())
                        .distinct()
                        .collect(Collectors.joining("; ")));
    }

    /** Of the pod that it goes with. */
    private static String podUid(List<OwnerReference> owners) {
        return owners.stream()
                .filter(owner -> "Pod".equals(owner.getKind()))
                .map(OwnerReference::getUid)
                .findFirst()
                .orElse("");
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    private static List<? extends Map<?, ?>> maps(@Nullable Object value) {
        return value instanceof List<?> list
                ? list.stream().map(RestartRequests::map).toList()
                : List.of();
    }
}
