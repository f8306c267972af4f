package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.avro.Fields.same;
import static dev.muster.coordinator.stream.avro.Fields.uid;

import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.ContainerEnd;
import dev.muster.coordinator.core.model.Event.EarlierRuns;
import dev.muster.coordinator.core.model.Event.Hindrance;
import dev.muster.coordinator.core.model.Event.InitRuns;
import dev.muster.coordinator.core.model.Event.PodMark;
import dev.muster.coordinator.core.model.Failure;
import dev.muster.coordinator.core.model.Hook;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.schemas.contract.NoPull;
import dev.muster.v1.ContainerSeen;
import dev.muster.v1.ContainerState;
import dev.muster.v1.PlanApplied;
import dev.muster.v1.PodIdentity;
import dev.muster.v1.PodNeeds;
import dev.muster.v1.PodPhase;
import dev.muster.v1.PodSeen;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Pods as they were seen or listed. */
final class InboundPods {
    private static final String MAIN = "main";

    /**
     * Why else a kubelet does not start a container, and will not unless somebody mends something.
     */
    private static final Set<String> HINDRANCES =
            Set.of(
                    "ErrImageNeverPull",
                    "ImageInspectError",
                    "InvalidImageName",
                    "CreateContainerConfigError",
                    "CreateContainerError",
                    "RunContainerError");

    private final Submissions submissions;

    InboundPods(Submissions submissions) {
        this.submissions = submissions;
    }

    static PodMark mark(PodIdentity pod) {
        return new PodMark(
                new RankId(pod.getRole(), pod.getIndex()),
                pod.getAttempt(),
                pod.getIncarnation(),
                pod.getPlan(),
                pod.getPodUid());
    }

    static Event applied(JobId job, PlanApplied applied) {
        return new Event.PlanApplied(
                job,
                applied.getVersion(),
                applied.getConfirm(),
                applied.getPods().stream()
                        .map(pod ->
                                new Event.ListedPod(
                                        uid(pod.getJobUid()),
                                        mark(pod.getIdentity()),
                                        pod.getDeleting()))
                        .toList());
    }

    Event.Pod pod(JobId job, PodSeen seen) {
        return new Event.Pod(
                mark(seen.getIdentity()),
                seen.getResourceVersion(),
                same(Event.PodPhase.class, seen.getPhase()),
                seen.getNode(),
                seen.getReady(),
                seen.getDeleting(),
                seen.getUnschedulable(),
                end(job, seen),
                hindrance(job, seen),
                seen.getReason(),
                seen.getMessage(),
                runs(
                        main(mainContainer(job, seen.getIdentity()), seen.getContainers()),
                        seen.getInitContainers()));
    }

    private String mainContainer(JobId job, PodIdentity pod) {
        var submission = submissions.of(job);
        return submission == null
                ? MAIN
                : submission.getNeeds().stream()
                        .filter(needs -> needs.getRole().equals(pod.getRole()))
                        .map(PodNeeds::getMainContainer)
                        .findFirst()
                        .orElse(pod.getRole().equals(Hook.ROLE) ? Hook.ROLE : MAIN);
    }

    /** Of the container that counts; where it never ran, of the one that kept it from running. */
    private @Nullable ContainerEnd end(JobId job, PodSeen seen) {
        var main = end(main(mainContainer(job, seen.getIdentity()), seen.getContainers()), null);
        if (main != null || seen.getPhase() != PodPhase.FAILED) {
            return main;
        }
        return seen.getInitContainers().stream()
                .map(init -> end(init, init.getName()))
                .filter(end -> end != null && end.exitCode() != 0)
                .findFirst()
                .orElse(null);
    }

    /** Of the container that counts, and of those that have to succeed before it runs. */
    private static @Nullable EarlierRuns runs(
            @Nullable ContainerSeen main, List<ContainerSeen> inits) {
        var again = inits.stream().filter(init -> init.getRestartCount() > 0).toList();
        int own = main == null ? 0 : main.getRestartCount();
        int all = own + again.stream().mapToInt(ContainerSeen::getRestartCount).sum();
        if (all == 0) {
            return null;
        }
        // Init containers run one after the other: the last that failed is the one of now.
        var failed = again.stream().filter(init -> !isAfterSuccess(init)).toList();
        var init = failed.isEmpty() ? again : failed;
        var last =
                main != null && own > 0
                        ? before(main, null)
                        : before(init.getLast(), init.getLast().getName());
        var each =
                inits.stream()
                        .map(one -> new InitRuns(one.getRestartCount(), isAfterSuccess(one)))
                        .toList();
        return new EarlierRuns(all, last, each);
    }

    /** Where a pod's sandbox is made anew, all that had succeeded there run again. */
    private static boolean isAfterSuccess(ContainerSeen init) {
        return init.getLastExitCode() == null || init.getLastExitCode() == 0;
    }

    private static @Nullable ContainerEnd before(ContainerSeen container, @Nullable String init) {
        var code = container.getLastExitCode();
        return code == null ? null : new ContainerEnd(code, container.getLastReason(), "", init);
    }

    /**
     * The first container that the kubelet cannot start as it stands. In a pod that runs only the
     * one that counts matters, which ran before: what becomes of sidecars is not the job's concern.
     */
    private @Nullable Hindrance hindrance(JobId job, PodSeen seen) {
        var main = main(mainContainer(job, seen.getIdentity()), seen.getContainers());
        var all = Stream.concat(seen.getInitContainers().stream(), seen.getContainers().stream());
        var counting = seen.getPhase() == PodPhase.RUNNING ? Stream.ofNullable(main) : all;
        return counting.filter(container -> container.getState() == ContainerState.WAITING)
                .filter(container -> isHindrance(container.getReason()))
                .map(container -> new Hindrance(container.getReason(), container.getMessage()))
                .findFirst()
                .orElse(null);
    }

    private static boolean isHindrance(String reason) {
        return NoPull.WORDS.contains(reason) || HINDRANCES.contains(reason);
    }

    private static @Nullable ContainerSeen main(String name, List<ContainerSeen> containers) {
        return containers.stream()
                .filter(container -> container.getName().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static @Nullable ContainerEnd end(
            @Nullable ContainerSeen container, @Nullable String init) {
        if (container == null || container.getState() != ContainerState.TERMINATED) {
            return null;
        }
        return new ContainerEnd(
                exitCode(container), container.getReason(), container.getMessage(), init);
    }

    private static int exitCode(ContainerSeen container) {
        var code = container.getExitCode();
        var signal = container.getSignal();
        if (code == null && signal == null) {
            throw new UnusableEventException(
                    "container %s terminated without an exit code".formatted(container.getName()));
        }
        return code != null ? code : Failure.SIGNALLED + signal;
    }
}
