package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.model.JobSpec.Restart.NEVER;

import dev.muster.coordinator.core.gang.GangRequirements;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.Event.PodMark;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Event.Witness;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Memory;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.PodSpec;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.Tally;
import dev.muster.coordinator.core.model.Topology;
import dev.muster.coordinator.core.model.Uid;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Small words for tests of the core. */
public final class Fixtures {
    public static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    public static final Witness WATCHER = new Witness(0, 1, 100);

    private Fixtures() {}

    public static JobId job(String name, long offset) {
        return new JobId("ml", name, new Uid(0, offset));
    }

    public static Amounts cpu(long cores) {
        return Amounts.of(Map.of("cpu", cores * 1000, "pods", 1L));
    }

    public static Node node(String name, long cores) {
        return new Node(
                name,
                1,
                new TreeMap<>(Map.of("kubernetes.io/hostname", name)),
                List.of(),
                false,
                true,
                Amounts.of(Map.of("cpu", cores * 1000, "memory", gibi(cores), "pods", 110L)),
                0);
    }

    public static long gibi(long count) {
        return count << 30;
    }

    /** The same role, with so much memory in its main container, which is limited to that. */
    public static JobSpec.Role remembering(long gibi, JobSpec.Role role) {
        var pod = role.pod();
        var share = new Memory.Share(gibi(gibi), 0);
        return role.with(
                new PodSpec(
                        pod.demand().with("memory", gibi(gibi)),
                        Amounts.of(Map.of("memory", gibi(gibi))),
                        pod.filter(),
                        pod.apart(),
                        pod.restart(),
                        pod.onHost(),
                        new Memory(gibi(gibi), share, share, 0),
                        pod.grace(),
                        pod.apartFrom()));
    }

    /** The same job, all of whose pods together never use more. */
    public static JobSpec limited(Amounts limits, JobSpec spec) {
        var work = spec.work();
        return with(spec, work.gang(), work.failure(), work.deadlines(), limits, work.elastic());
    }

    public static JobSpec.Role role(String name, int replicas, long cores) {
        return role(name, replicas, cpu(cores), NodeFilter.ANY);
    }

    public static JobSpec.Role role(String name, int replicas, Amounts demand, NodeFilter filter) {
        var pod =
                new PodSpec(
                        demand, Amounts.NONE, filter, false, NEVER, false, null, null, List.of());
        return new JobSpec.Role(name, replicas, replicas, 0, pod, List.of(), JobSpec.Care.PLAIN, 0);
    }

    /** The same role on its nodes' network. */
    static JobSpec.Role onHost(JobSpec.Role role) {
        var pod = role.pod();
        return role.with(
                new PodSpec(
                        pod.demand(),
                        pod.limits(),
                        pod.filter(),
                        pod.apart(),
                        pod.restart(),
                        true,
                        pod.memory(),
                        pod.grace(),
                        pod.apartFrom()));
    }

    /** The same role, of which so many start together. */
    public static JobSpec.Role atLeast(int min, JobSpec.Role role) {
        return new JobSpec.Role(
                role.name(),
                role.replicas(),
                min,
                role.spot(),
                role.pod(),
                role.dependsOn(),
                role.care(),
                0);
    }

    /** The same role, which waits for another. */
    static JobSpec.Role after(String other, JobSpec.Milestone until, JobSpec.Role role) {
        return behindAll(role, new JobSpec.DependsOn(other, until));
    }

    /** The same role, which waits for others. */
    static JobSpec.Role behindAll(JobSpec.Role role, JobSpec.DependsOn... others) {
        return new JobSpec.Role(
                role.name(),
                role.replicas(),
                role.min(),
                role.spot(),
                role.pod(),
                List.of(others),
                role.care(),
                0);
    }

    public static PoolSpec pool(QueuePolicy policy, PoolSpec.Preemption preemption) {
        return new PoolSpec(
                new TreeMap<>(),
                policy,
                preemption,
                PoolSpec.Priorities.PLAIN,
                PoolSpec.Spot.NONE,
                PoolSpec.Backing.NONE);
    }

    public static Event cancel(JobId job, String message, Event.@Nullable Request request) {
        return new Event.ChangeAsked(job, new Change.Cancel(null, message), request);
    }

    public static JobSpec at(int priority, JobSpec spec) {
        return spec.with(spec.place().at(priority));
    }

    static JobSpec behind(String job, boolean succeeded, JobSpec spec) {
        var place = spec.place();
        return spec.with(
                new JobSpec.Place(
                        place.queue(),
                        place.priority(),
                        place.priorityClass(),
                        place.suspended(),
                        List.of(new JobSpec.After(job, succeeded)),
                        place.labels()));
    }

    static JobSpec suspended(JobSpec spec) {
        var place = spec.place();
        return spec.with(
                new JobSpec.Place(
                        place.queue(),
                        place.priority(),
                        place.priorityClass(),
                        true,
                        place.after(),
                        place.labels()));
    }

    public static JobSpec spec(String queue, JobSpec.Role... roles) {
        return new JobSpec(
                new JobSpec.Place(queue, 0, null, false, List.of(), new TreeMap<>()),
                new JobSpec.Work(
                        new JobSpec.Gang(0, Duration.ofMinutes(5), Topology.NONE),
                        List.of(roles),
                        new JobSpec.Success.All(),
                        JobSpec.Cleanup.RUNNING,
                        Duration.ofHours(24),
                        Duration.ofSeconds(30),
                        FailurePolicy.PLAIN,
                        JobSpec.Deadlines.NONE,
                        Amounts.NONE,
                        null,
                        false,
                        null,
                        false));
    }

    static JobSpec within(JobSpec.Deadlines deadlines, JobSpec spec) {
        var work = spec.work();
        return with(spec, work.gang(), work.failure(), deadlines, work.limits(), work.elastic());
    }

    /** The same job, whose gang must run sooner. */
    static JobSpec patient(Duration timeout, JobSpec spec) {
        var work = spec.work();
        var gang = new JobSpec.Gang(work.gang().min(), timeout, work.gang().topology());
        return with(spec, gang, work.failure(), work.deadlines(), work.limits(), work.elastic());
    }

    /** The same job, whose gang lies so. */
    static JobSpec lying(Topology topology, JobSpec spec) {
        var work = spec.work();
        var gang = new JobSpec.Gang(work.gang().min(), work.gang().timeout(), topology);
        return with(spec, gang, work.failure(), work.deadlines(), work.limits(), work.elastic());
    }

    /** The same job with another failure policy. */
    static JobSpec failing(FailurePolicy failure, JobSpec spec) {
        var work = spec.work();
        return with(spec, work.gang(), failure, work.deadlines(), work.limits(), work.elastic());
    }

    /** The same job, with these of its work. */
    static JobSpec with(
            JobSpec spec,
            JobSpec.Gang gang,
            FailurePolicy failure,
            JobSpec.Deadlines deadlines,
            Amounts limits,
            JobSpec.@Nullable Elastic elastic) {
        return AnotherWork.of(
                spec,
                work -> {
                    work.gang = gang;
                    work.failure = failure;
                    work.deadlines = deadlines;
                    work.limits = limits;
                    work.elastic = elastic;
                });
    }

    /** Ends with the first failure. */
    static final FailurePolicy NO_RESTARTS =
            policy(FailurePolicy.Otherwise.GANG, rule(new FailurePolicy.Action.Fail("")));

    public static FailurePolicy policy(
            FailurePolicy.Otherwise otherwise, FailurePolicy.Rule... rules) {
        var plain = FailurePolicy.PLAIN;
        return new FailurePolicy(
                otherwise,
                plain.limits(),
                plain.delay(),
                plain.settle(),
                plain.nodeLost(),
                List.of(rules));
    }

    /** Of every failure. */
    static FailurePolicy.Rule rule(FailurePolicy.Action action) {
        return new FailurePolicy.Rule(List.of(), List.of(), null, action);
    }

    public static JobSpec workers(int replicas, long cores) {
        return spec("default", role("worker", replicas, cores));
    }

    public static PodMark mark(String role, int index, int incarnation) {
        return new PodMark(
                new RankId(role, index), 1, incarnation, 1, "pod-" + role + index + incarnation);
    }

    static Pod pod(PodMark mark, long resourceVersion, PodPhase phase, String node) {
        return pod(mark, resourceVersion, phase, node, null);
    }

    public static Pod pod(
            PodMark mark,
            long resourceVersion,
            PodPhase phase,
            @Nullable String node,
            @Nullable Integer exitCode) {
        var end = exitCode == null ? null : new Event.ContainerEnd(exitCode, "", "");
        return new Pod(
                mark,
                resourceVersion,
                phase,
                node,
                phase == PodPhase.RUNNING,
                false,
                phase == PodPhase.PENDING && node == null,
                end,
                null,
                "",
                "",
                null);
    }

    /** The same pod, whose readiness probe has not succeeded. */
    static Pod unready(Pod pod) {
        return with(pod, false, pod.runs());
    }

    /** The same pod, which somebody deletes. */
    static Pod deleting(Pod pod) {
        return with(pod, pod.ready(), true, pod.runs());
    }

    /** The same pod, whose container was started again in it. */
    static Pod again(Pod pod, Event.EarlierRuns runs) {
        return with(pod, pod.ready(), runs);
    }

    private static Pod with(Pod pod, boolean ready, Event.@Nullable EarlierRuns runs) {
        return with(pod, ready, pod.deleting(), runs);
    }

    private static Pod with(
            Pod pod, boolean ready, boolean deleting, Event.@Nullable EarlierRuns runs) {
        return new Pod(
                pod.mark(),
                pod.resourceVersion(),
                pod.phase(),
                pod.node(),
                ready,
                deleting,
                pod.unschedulable(),
                pod.main(),
                pod.hindrance(),
                pod.reason(),
                pod.message(),
                runs);
    }

    public static Tally tally(int desired, int running, int succeeded, int failed) {
        int created = running + succeeded + failed;
        return new Tally(
                List.of(
                        new Tally.OfRole(
                                "worker", desired, desired, created, running, running, succeeded,
                                failed, 0, desired)));
    }

    /** What a job's gang needs at its start. */
    public static Shape shape(JobSpec spec) {
        return GangRequirements.of(spec.work(), PoolSpec.Spot.NONE).start();
    }

    public static List<RankId> ranks(String role, int count) {
        return IntStream.range(0, count).mapToObj(i -> new RankId(role, i)).toList();
    }
}
