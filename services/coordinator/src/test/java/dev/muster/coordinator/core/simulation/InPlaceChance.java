package dev.muster.coordinator.core.simulation;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.EarlierRuns;
import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.ExitCodes;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import dev.muster.coordinator.core.model.Hook;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Containers that are to start again in their pods, which some never do, and kubelets that start
 * one again many times before anybody looks. What is promised of both stands by itself.
 */
final class InPlaceChance implements Piece {
    private static final int MANY = 20;

    private final Random random;
    private final Chance policies;
    private final InPlacePromises promises = new InPlacePromises();
    private final KubeletPromises kubelets = new KubeletPromises();

    /** What is seen of a pod in each version of it. */
    private final Map<String, Pod> seen = new HashMap<>();

    /** Roles whose containers the kubelet does not start again by itself. */
    private final Set<String> waiting = new HashSet<>();

    /** Somebody was asked just now. */
    private boolean isAsked;

    InPlaceChance(long seed) {
        random = new Random(seed ^ 0x1291aceL);
        policies = new Chance(random, seed);
    }

    @Override
    public Event of(Event event) {
        return switch (event) {
            case Event.Submitted(var id, var spec, var request) ->
                    new Event.Submitted(id, restarting(id, spec), request);
            case Event.PodSeen(var by, var job, var pod)
                    when !pod.mark().rank().equals(Hook.RANK) ->
                    new Event.PodSeen(by, job, told(job, pod));
            case Event.PodManagerAlive _ -> alive();
            default -> event;
        };
    }

    /** Most can ask for it. */
    private Event alive() {
        return new Event.PodManagerAlive("pods", Set.of(0), Set.of(), random.nextInt(8) > 0);
    }

    /** Those who judge a job's host list know nothing of such rules. */
    private JobSpec restarting(JobId id, JobSpec spec) {
        if (spec.work().hostList()) {
            return spec;
        }
        var restarting = Fixtures.failing(policy(), Respec.roles(spec, this::role));
        restarting.roles().stream()
                .filter(role -> role.restart() == JobSpec.Restart.NEVER)
                .forEach(role -> waiting.add(id + "/" + role.name()));
        return restarting;
    }

    private JobSpec.Role role(JobSpec.Role role) {
        return random.nextInt(3) > 0 ? role : Respec.restarting(role, JobSpec.Restart.ON_FAILURE);
    }

    /** With enough of a budget that much is charged. */
    private FailurePolicy policy() {
        var policy = policies.failurePolicy();
        var codes = random.nextBoolean() ? List.<ExitCodes>of() : List.of(new ExitCodes(1, 100));
        return new FailurePolicy(
                policy.otherwise(),
                new FailurePolicy.Limits(10 + random.nextInt(90), 9, Duration.ZERO),
                policy.delay(),
                policy.settle(),
                policy.nodeLost(),
                random.nextInt(4) == 0
                        ? List.of()
                        : List.of(new Rule(codes, List.of(), null, new Action.RestartInPlace())));
    }

    private Pod told(JobId job, Pod pod) {
        var version = pod.mark().podUid() + "@" + pod.resourceVersion();
        boolean mayStay = waiting.contains(job + "/" + pod.mark().rank().role());
        var told = seen.computeIfAbsent(version, _ -> mayStay ? fallen(pod) : again(pod));
        promises.sees(told);
        return told;
    }

    /** Some fall, and their pods stay until somebody asks; nothing more is seen of those then. */
    private Pod fallen(Pod pod) {
        boolean hasEnded = pod.phase() == PodPhase.SUCCEEDED || pod.phase() == PodPhase.FAILED;
        return hasEnded && random.nextInt(3) > 0
                ? Fixtures.pod(pod.mark(), pod.resourceVersion(), PodPhase.RUNNING, pod.node(), 42)
                : again(pod);
    }

    /** Containers of some pods start again so often each time. */
    private static Pod again(Pod pod) {
        var runs = pod.runs();
        boolean isOften = Math.floorMod(Objects.hash(pod.mark().podUid()), 6) == 0;
        return runs == null || !isOften
                ? pod
                : Fixtures.again(
                        pod, new EarlierRuns(runs.count() * MANY, runs.last(), runs.inits()));
    }

    /** All are heard of until it must have been seen. */
    @Override
    public List<Later> echoes(Event told) {
        boolean wasAsked = isAsked;
        isAsked = false;
        return wasAsked
                ? Stream.of(30_000L, 60_000L, 90_000L, 95_000L).flatMap(this::heard).toList()
                : List.of();
    }

    private Stream<Later> heard(long millis) {
        return Stream.of(
                new Later(millis, new Event.WatcherAlive(WATCHER)), new Later(millis, alive()));
    }

    @Override
    public void hears(Play play, Event event, List<Effect> effects) {
        promises.hear(play, event, effects);
        isAsked |=
                effects.stream()
                        .anyMatch(effect ->
                                effect instanceof Effect.RunPlan plan
                                        && plan.pods().stream()
                                                .anyMatch(pod -> pod.inPlace() != 0));
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        promises.areKept(play);
        kubelets.areKept(play, event);
    }

    @Override
    public int weighed() {
        return Math.min(promises.weighed(), kubelets.weighed());
    }
}
