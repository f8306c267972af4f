package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Memories;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.ContainerEnd;
import dev.muster.coordinator.core.model.Event.EarlierRuns;
import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.ExitCodes;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import dev.muster.coordinator.core.model.Hook;
import dev.muster.coordinator.core.model.JobSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Containers that run out of memory, that a signal ends or that their cluster takes away, and rules
 * that say so of each, most of them that there is to be more memory. What is promised of it stands
 * by itself.
 */
final class MemoryChance implements Piece {
    private final Random random;
    private final Chance policies;
    private final MemoryPromises promises = new MemoryPromises();

    /** What is seen of a pod in each version of it. */
    private final Map<String, Pod> seen = new HashMap<>();

    /** How the last run of a container ended, each time that it starts again. */
    private final Map<String, ContainerFate> again = new HashMap<>();

    MemoryChance(long seed) {
        random = new Random(seed ^ 0x00311L);
        policies = new Chance(random, seed);
    }

    @Override
    public Event of(Event event) {
        return switch (event) {
            case Event.Submitted(var id, var spec, var request) ->
                    new Event.Submitted(id, remembering(spec), request);
            case Event.PodSeen(var by, var job, var pod)
                    when !pod.mark().rank().equals(Hook.RANK) ->
                    new Event.PodSeen(by, job, told(pod));
            case Event.OthersUse(var by, var node, var used) ->
                    new Event.OthersUse(by, node, used.with("memory", gibi(random.nextInt(6))));
            default -> event;
        };
    }

    private static long gibi(int count) {
        return Fixtures.gibi(count);
    }

    /**
     * Those who judge a job's host list know neither what rules say of a container that starts
     * again, nor of gangs that start anew while they grow.
     */
    private JobSpec remembering(JobSpec spec) {
        boolean isFree = !spec.work().hostList();
        var roles = Respec.roles(spec, role -> role(role, isFree));
        var failing = isFree ? Fixtures.failing(policy(), roles) : roles;
        long all = 0;
        for (var role : failing.roles()) {
            all += role.demand().get("memory") * role.replicas();
        }
        long most = all + all / 4 * random.nextInt(6);
        return all == 0 || random.nextBoolean()
                ? failing
                : Fixtures.limited(Amounts.of(Map.of("memory", most)), failing);
    }

    private JobSpec.Role role(JobSpec.Role role, boolean isFree) {
        var care =
                isFree && random.nextInt(4) == 0
                        ? new JobSpec.Care(policy(), role.care().critical())
                        : role.care();
        var cared = Fixtures.caring(care, role);
        return switch (random.nextInt(8)) {
            case 0 -> cared; // It may name none.
            case 1 -> Memories.burstable(2, 1, cared);
            case 2 -> Memories.burstable(3, 2, cared);
            case 3, 4 -> Memories.burstable(2, 2, cared);
            default -> Memories.burstable(1, 1, cared);
        };
    }

    /** With enough of a budget that memory grows several times. */
    private FailurePolicy policy() {
        var policy = policies.failurePolicy();
        return new FailurePolicy(
                policy.otherwise(),
                new FailurePolicy.Limits(3 + random.nextInt(6), 6, Duration.ZERO),
                policy.delay(),
                policy.settle(),
                policy.nodeLost(),
                rules());
    }

    private List<Rule> rules() {
        var growth =
                new Action.GrowMemory(
                        1_001 + random.nextInt(2_000), random.nextInt(3) == 0 ? gibi(3) : 0);
        var starved = random.nextInt(6) > 0 ? growth : other();
        var first = new Rule(List.of(), List.of("OOMKilled"), null, starved);
        var faulty = new Rule(List.of(new ExitCodes(139, 139)), List.of(), null, other());
        var signalled = new Rule(List.of(new ExitCodes(128, 255)), List.of(), null, other());
        return random.nextBoolean() ? List.of(first, faulty) : List.of(first, faulty, signalled);
    }

    private Action other() {
        return switch (random.nextInt(7)) {
            case 0 -> new Action.RestartPod();
            case 1 -> new Action.RestartRole();
            case 2 -> new Action.RestartGang();
            case 3 -> new Action.RestartInPlace();
            case 4 -> new Action.ExcludeNode();
            case 5 -> new Action.Ignore();
            default -> new Action.Fail("it is hopeless");
        };
    }

    /** Of the same pod in the same version always the same. */
    private Pod told(Pod pod) {
        var version = pod.mark().podUid() + "@" + pod.resourceVersion();
        var known = seen.get(version);
        if (known == null) {
            known = fate(pod);
            seen.put(version, known);
        }
        return known;
    }

    private Pod fate(Pod pod) {
        var runs = pod.runs();
        var told = runs == null ? pod : again(pod, runs);
        return switch (pod.phase()) {
            case PENDING -> told;
            case RUNNING -> told.main() == null ? told : Memories.ended(told, ofContainer());
            case SUCCEEDED -> random.nextInt(3) > 0 ? told : failed(told);
            case FAILED -> failed(told);
        };
    }

    private ContainerEnd ofContainer() {
        return Objects.requireNonNull(ContainerFate.ofContainer(random).end());
    }

    private Pod again(Pod pod, EarlierRuns runs) {
        var run = pod.mark().podUid() + "#" + runs.count();
        var fate = again.computeIfAbsent(run, _ -> ContainerFate.ofContainer(random));
        var told = Fixtures.again(pod, new EarlierRuns(runs.count(), fate.end(), runs.inits()));
        promises.hasFailed(told, fate);
        return told;
    }

    private Pod failed(Pod pod) {
        var fate = ContainerFate.ofPod(random);
        var failed = fate.failed(pod);
        promises.hasFailed(failed, fate);
        return failed;
    }

    @Override
    public void hears(Play play, Event event, List<Effect> effects) {
        promises.hear(play, effects);
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        promises.areKept(play);
    }

    @Override
    public int weighed() {
        return promises.weighed();
    }
}
