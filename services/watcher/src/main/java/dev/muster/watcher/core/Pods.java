package dev.muster.watcher.core;

import dev.muster.schemas.contract.LabelNames;
import dev.muster.schemas.contract.Limits;
import dev.muster.schemas.contract.PodNames;
import dev.muster.watcher.core.WatchedPod.PodName;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads pods: what is published of ours, and what room every one takes.
 *
 * @param installation whose pods are ours; another installation's are foreign, whatever their pool
 */
public record Pods(String installation) {
    /** A longer message is cut: it is for people, and a record has to stay small. */
    static final int LONGEST_MESSAGE = 1024;

    /** So often Kubernetes' quota controller does it, if nobody has set it otherwise. */
    static final Duration QUOTAS_COUNTED_ANEW = Duration.ofMinutes(5);

    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

    /**
     * Never fails for what the API server can hold; a pod with labels of ours that cannot be read,
     * or with another name than we give, is foreign.
     */
    public WatchedPod read(Pod pod) {
        var node = nodeOf(pod);
        var phase = phaseOf(pod, node);
        var ended = phase == PodPhase.SUCCEEDED || phase == PodPhase.FAILED;
        return new WatchedPod(
                nameOf(pod),
                ended ? null : node,
                ended,
                PodDemand.of(pod),
                PodDemand.limits(pod),
                traitsOf(pod),
                ended ? null : chargedUntil(pod),
                identityOf(pod).map(identity -> report(pod, identity, phase, node)).orElse(null));
    }

    public static PodName nameOf(Pod pod) {
        return new PodName(pod.getMetadata().getNamespace(), pod.getMetadata().getName());
    }

    /** Whether the pod says that it is ours and its name or other labels do not bear it out. */
    public boolean isUnreadable(Pod pod) {
        return installation.equals(labelsOf(pod).get(LabelNames.INSTALLATION))
                && identityOf(pod).isEmpty();
    }

    private static QuotaTraits traitsOf(Pod pod) {
        return new QuotaTraits(
                pod.getSpec().getActiveDeadlineSeconds() != null,
                pod.getStatus() != null && "BestEffort".equals(pod.getStatus().getQosClass()));
    }

    /** Kubernetes waits for its grace once more, and counts anew then, though maybe not at once. */
    private static @Nullable Instant chargedUntil(Pod pod) {
        var end = pod.getMetadata().getDeletionTimestamp();
        var grace = pod.getMetadata().getDeletionGracePeriodSeconds();
        return end == null || grace == null
                ? null
                : Instant.parse(end).plusSeconds(grace).plus(QUOTAS_COUNTED_ANEW);
    }

    private PodReport report(Pod pod, PodIdentity identity, PodPhase phase, @Nullable String node) {
        var status = pod.getStatus();
        var version = Long.parseLong(pod.getMetadata().getResourceVersion());
        var sidecars = sidecars(pod);
        return new PodReport(
                labelsOf(pod).getOrDefault(LabelNames.POOL, ""),
                identity,
                version,
                statusOf(pod, phase, node),
                status == null ? List.of() : beside(status, sidecars, identity),
                status == null
                        ? List.of()
                        : containers(
                                status.getInitContainerStatuses().stream()
                                        .filter(init -> !sidecars.contains(init.getName()))
                                        .toList(),
                                identity));
    }

    /** Init containers that run on beside the others, and end with them. */
    private static Set<String> sidecars(Pod pod) {
        return pod.getSpec() == null
                ? Set.of()
                : pod.getSpec().getInitContainers().stream()
                        .filter(init -> "Always".equals(init.getRestartPolicy()))
                        .map(Container::getName)
                        .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<ContainerReport> beside(
            io.fabric8.kubernetes.api.model.PodStatus status,
            Set<String> sidecars,
            PodIdentity identity) {
        var all = new ArrayList<>(status.getContainerStatuses());
        status.getInitContainerStatuses().stream()
                .filter(init -> sidecars.contains(init.getName()))
                .forEach(all::add);
        return containers(all, identity);
    }

    private static PodStatus statusOf(Pod pod, PodPhase phase, @Nullable String node) {
        var status = pod.getStatus();
        var deleting = pod.getMetadata().getDeletionTimestamp() != null;
        if (status == null) {
            return new PodStatus(phase, "", "", node, "", false, deleting, false);
        }
        var unschedulable =
                condition(pod, "PodScheduled")
                        .filter(c -> "False".equals(c.getStatus()))
                        .filter(c -> "Unschedulable".equals(c.getReason()));
        var message = unschedulable.map(PodCondition::getMessage).orElse(status.getMessage());
        return new PodStatus(
                phase,
                reason(pod),
                text(message),
                node,
                text(status.getPodIP()),
                condition(pod, "Ready").filter(c -> "True".equals(c.getStatus())).isPresent(),
                deleting,
                unschedulable.isPresent());
    }

    /** The pod's own; where it has none, why the cluster takes it away. */
    private static String reason(Pod pod) {
        var own = text(pod.getStatus().getReason());
        return own.isEmpty()
                ? condition(pod, "DisruptionTarget")
                        .filter(c -> "True".equals(c.getStatus()))
                        .map(c -> text(c.getReason()))
                        .orElse("")
                : own;
    }

    private Optional<PodIdentity> identityOf(Pod pod) {
        var meta = pod.getMetadata();
        return identityOf(meta, meta.getName(), meta.getUid());
    }

    /**
     * By the labels of an object that is about a pod, and the pod's name, which a copy of one of
     * ours does not have; empty: it is not ours, or cannot be read.
     */
    Optional<PodIdentity> identityOf(ObjectMeta meta, String pod, String podUid) {
        var labels = labelsOf(meta);
        var job = labels.get(LabelNames.JOB);
        var uid = labels.get(LabelNames.UID);
        var role = labels.get(LabelNames.ROLE);
        var index = number(labels.get(LabelNames.INDEX));
        var attempt = number(labels.get(LabelNames.ATTEMPT));
        var incarnation = number(labels.get(LabelNames.INCARNATION));
        var plan = number(labels.get(LabelNames.PLAN));
        if (!installation.equals(labels.get(LabelNames.INSTALLATION))
                || labels.get(LabelNames.POOL) == null
                || job == null
                || uid == null
                || role == null
                || !fitInt(index)
                || !fitInt(attempt)
                || !fitInt(incarnation)
                || plan < 0
                || !pod.equals(PodNames.of(job, role, (int) index))) {
            return Optional.empty();
        }
        return Optional.of(
                new PodIdentity(
                        new Job(meta.getNamespace(), job, uid),
                        role,
                        (int) index,
                        (int) attempt,
                        (int) incarnation,
                        plan,
                        pod,
                        podUid));
    }

    private static List<ContainerReport> containers(
            List<ContainerStatus> statuses, PodIdentity identity) {
        boolean isHook = identity.role().equals(LabelNames.HOOK);
        int longest = isHook ? Limits.HOOK_OUTPUT : LONGEST_MESSAGE;
        return statuses.stream().map(status -> container(status, longest)).toList();
    }

    private static ContainerReport container(ContainerStatus status, int longest) {
        var state = status.getState() == null ? new ContainerState() : status.getState();
        var last = status.getLastState() == null ? null : status.getLastState().getTerminated();
        var ended = state.getTerminated();
        var waiting = state.getWaiting();
        return new ContainerReport(
                status.getName(),
                ended != null
                        ? ContainerReport.State.TERMINATED
                        : state.getRunning() != null
                                ? ContainerReport.State.RUNNING
                                : ContainerReport.State.WAITING,
                Boolean.TRUE.equals(status.getReady()),
                status.getRestartCount() == null ? 0 : status.getRestartCount(),
                ended == null ? null : ended.getExitCode(),
                ended == null ? null : ended.getSignal(),
                text(
                        ended != null
                                ? ended.getReason()
                                : waiting == null ? "" : waiting.getReason()),
                ended != null
                        ? LastWords.of(ended.getMessage(), longest)
                        : text(waiting == null ? "" : waiting.getMessage()),
                last == null ? null : last.getExitCode(),
                last == null ? "" : text(last.getReason()));
    }

    /** Kubernetes' phase Unknown says that the node is not heard of: silence, which is no end. */
    private static PodPhase phaseOf(Pod pod, @Nullable String node) {
        var phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
        return switch (phase == null ? "" : phase) {
            case "Running" -> PodPhase.RUNNING;
            case "Succeeded" -> PodPhase.SUCCEEDED;
            case "Failed" -> PodPhase.FAILED;
            case "Unknown" -> node == null ? PodPhase.PENDING : PodPhase.RUNNING;
            default -> PodPhase.PENDING;
        };
    }

    private static @Nullable String nodeOf(Pod pod) {
        var node = pod.getSpec().getNodeName();
        return node == null || node.isEmpty() ? null : node;
    }

    private static Optional<PodCondition> condition(Pod pod, String type) {
        return pod.getStatus().getConditions().stream()
                .filter(condition -> type.equals(condition.getType()))
                .findFirst();
    }

    private static Map<String, String> labelsOf(Pod pod) {
        return labelsOf(pod.getMetadata());
    }

    private static Map<String, String> labelsOf(ObjectMeta meta) {
        var labels = meta.getLabels();
        return labels == null ? Map.of() : labels;
    }

    static String text(@Nullable Object value) {
        var text = value == null ? "" : value.toString();
        return text.length() <= LONGEST_MESSAGE ? text : text.substring(0, LONGEST_MESSAGE);
    }

    private static long number(@Nullable String label) {
        return label != null && NUMBER.matcher(label).matches() ? Long.parseLong(label) : -1;
    }

    private static boolean fitInt(long number) {
        return number >= 0 && number <= Integer.MAX_VALUE;
    }
}
