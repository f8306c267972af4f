package dev.muster.coordinator.core.simulation;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Hook;
import dev.muster.coordinator.core.model.HookRun;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Row;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Hooks whose containers something keeps from starting: each has its time, which does not begin
 * anew, and what kept it is why it failed.
 */
final class StuckHookChance implements Piece {
    private static final List<String> REASONS =
            List.of("ErrImagePull", "InvalidImageName", "CreateContainerConfigError");

    private static final long STEP = 4_000;

    private final Random random;

    private final Set<JobId> scaled = new HashSet<>();

    private Event.PodManagerAlive alive =
            new Event.PodManagerAlive("pods", Set.of(0), Set.of(), false);

    /** By its uid, what is seen of a pod that is kept. */
    private final Map<String, Event.Pod> kept = new HashMap<>();

    private final Set<String> known = new HashSet<>();

    /** Those that were kept before the event. */
    private final Map<JobId, HookRun> stuck = new TreeMap<>();

    private int weighed;

    StuckHookChance(long seed) {
        random = new Random(seed ^ 0x57ccL);
    }

    @Override
    public Event of(Event event) {
        return switch (event) {
            case Event.PodSeen(var by, var job, var pod) when pod.mark().rank().equals(Hook.RANK) ->
                    new Event.PodSeen(by, job, seen(pod));
            case Event.ChangeAsked(var job, var change, var request) ->
                    // Few commands have a hook of their own.
                    new Event.ChangeAsked(job, HookedCommands.hooked(change, this::hook), request);
            default -> event;
        };
    }

    /** Few are scaled otherwise; and somebody looks while a hook is kept. */
    @Override
    public List<Later> echoes(Event told) {
        return switch (told) {
            case Event.PodManagerAlive said -> {
                alive = said;
                yield List.of();
            }
            case Event.PodSeen(_, _, var pod) when kept.containsKey(pod.mark().podUid()) ->
                    LongStream.range(1, 6)
                            .boxed()
                            .flatMap(i ->
                                    Stream.of(
                                            new Later(i * STEP, new Event.WatcherAlive(WATCHER)),
                                            new Later(i * STEP, alive)))
                            .toList();
            case Event.PodSeen(_, var job, _) when scaled.add(job) ->
                    List.of(
                            new Later(
                                    random.nextInt(5_000),
                                    new Event.ChangeAsked(job, change(), null)));
            default -> List.of();
        };
    }

    private Change change() {
        var terms = HookedCommands.hooked(Change.Terms.PLAIN, hook());
        return random.nextBoolean()
                ? new Change.ScaleOut("worker", 1, terms)
                : new Change.SetReplicas("worker", 1 + random.nextInt(4), terms);
    }

    private Hook hook() {
        return HookedCommands.hook(Duration.ofSeconds(1 + random.nextInt(5)), random.nextInt(3));
    }

    private Event.Pod seen(Event.Pod pod) {
        var uid = pod.mark().podUid();
        boolean mayBe = pod.phase() == Event.PodPhase.PENDING && pod.node() != null;
        if (mayBe && known.add(uid) && random.nextInt(4) > 0) {
            var reason = REASONS.get(random.nextInt(REASONS.size()));
            kept.put(uid, OneJob.hindered(pod, new Event.Hindrance(reason, "it cannot be used")));
        }
        return kept.getOrDefault(uid, pod);
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        var runs = new TreeMap<JobId, HookRun>();
        for (var row : play.rows(Row.Table.HOOK).values()) {
            runs.put(((HookRun) row).job(), (HookRun) row);
        }
        boolean mayBeLost = event instanceof Event.PodGone || event instanceof Event.SnapshotEnd;
        stuck.forEach((id, before) -> {
            var run = runs.get(id);
            var now = run == null ? null : run.making();
            if (now != null && now.incarnation() == making(before).incarnation()) {
                hasTheSameTime(making(before), now);
            } else if (!mayBeLost) {
                failedOfThat((Job) play.rows(Row.Table.JOB).get(id.toString()), before);
            }
        });
        stuck.clear();
        runs.values().removeIf(run -> run.making() == null || run.making().hindrance() == null);
        stuck.putAll(runs);
    }

    private static HookRun.Making making(HookRun run) {
        return Objects.requireNonNull(run.making());
    }

    private static void hasTheSameTime(HookRun.Making before, HookRun.Making now) {
        if (!now.until().equals(before.until())) {
            throw new AssertionError("%s has another time than %s".formatted(now, before));
        }
    }

    /** Where its attempt goes on, and nothing else ended its command. */
    private void failedOfThat(@Nullable Job job, HookRun before) {
        var scaling = job == null ? null : job.past().scaling();
        var hooked = scaling == null ? null : scaling.hook();
        if (hooked == null
                || !job.state().isUp()
                || job.fences().attempt() != making(before).attempt()
                || scaling.number() != before.command()
                || scaling.isOver() && !scaling.reason().equals("HookFailed")) {
            return;
        }
        weighed++;
        var why = Objects.requireNonNull(making(before).hindrance()).reason();
        if (!hooked.reason().equals(why)) {
            throw new AssertionError("%s failed with %s".formatted(before, hooked));
        }
    }

    @Override
    public int weighed() {
        return weighed;
    }
}
