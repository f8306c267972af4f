package dev.muster.coordinator.core.simulation;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Hook;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.model.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Images and settings that cannot be used, for a while or for ever, and plans that the API server
 * refuses: a job waits five minutes for the former, no less and no longer, and ends with the
 * latter.
 */
final class HinderedChance implements Piece {
    private static final List<String> REASONS =
            List.of("ErrImagePull", "InvalidImageName", "CreateContainerConfigError");

    private static final Duration LIMIT = Duration.ofMinutes(5);

    /** Another try would have no more than this. */
    private static final Duration LEAST = Duration.ofSeconds(30);

    /** After so long it is looked at again where nobody saw anything meanwhile. */
    private static final Duration SOON = Duration.ofSeconds(6);

    private static final int STEP = 10_000;

    private final Random random;

    /** By its uid, what is seen of a pod that is kept, and until when. */
    private final Map<String, Kept> kept = new HashMap<>();

    private record Kept(Event.Pod pod, Instant since, Instant until) {
        boolean isForGood() {
            return until.equals(Instant.MAX);
        }
    }

    /** Pods that nothing keeps, or that are gone. */
    private final Set<String> free = new TreeSet<>();

    private final Map<JobId, Job> jobs = new TreeMap<>();

    /** Of each, since when something has kept a pod of it. */
    private final Map<JobId, Instant> hindered = new TreeMap<>();

    private Instant now = Instant.MIN;

    /** Everybody was heard of since then. */
    private Instant seenSince = Instant.MIN;

    private Event.PodManagerAlive alive =
            new Event.PodManagerAlive("pods", Set.of(0), Set.of(), false);

    private int failed;
    private int refused;

    HinderedChance(long seed) {
        random = new Random(seed ^ 0x41dL);
    }

    @Override
    public Event of(Event event) {
        return switch (event) {
            case Event.PodSeen(var by, var job, var pod) -> new Event.PodSeen(by, job, seen(pod));
            case Event.PodGone(_, _, var mark) -> {
                kept.remove(mark.podUid());
                free.add(mark.podUid());
                yield event;
            }
            case Event.PodManagerAlive told -> {
                alive = told;
                yield event;
            }
            case Event.PlanApplied(var job, var version, var confirm, _)
                    when !confirm && runs(job, version) && random.nextInt(40) == 0 ->
                    refused(job, version);
            default -> event;
        };
    }

    /** What is told to go is refused by nobody. */
    private boolean runs(JobId job, long version) {
        var known = jobs.get(job);
        return known != null && known.state().isUp() && known.fences().plan() == version;
    }

    private static Event refused(JobId job, long version) {
        return new Event.PlanRefused(job, version, "Invalid", "it is not taken");
    }

    private Event.Pod seen(Event.Pod pod) {
        var uid = pod.mark().podUid();
        var known = kept.get(uid);
        boolean isNew = known == null && free.add(uid);
        boolean mayBe =
                isNew
                        && pod.phase() == Event.PodPhase.PENDING
                        && pod.node() != null
                        && !pod.mark().rank().equals(Hook.RANK);
        if (mayBe && random.nextInt(8) == 0) {
            var reason = REASONS.get(random.nextInt(REASONS.size()));
            boolean isForGood = random.nextBoolean();
            var until = isForGood ? Instant.MAX : now.plusSeconds(20L + random.nextInt(400));
            var by = new Event.Hindrance(reason, "it cannot be used");
            known = new Kept(OneJob.hindered(pod, by), now, until);
            kept.put(uid, known);
        }
        return known == null || !now.isBefore(known.until()) ? pod : known.pod();
    }

    /** What becomes of the pod is seen once nothing keeps it; and somebody looks meanwhile. */
    @Override
    public List<Later> echoes(Event told) {
        if (told instanceof Event.PlanApplied(var job, var version, _, _)) {
            return random.nextInt(20) > 0
                    ? List.of()
                    : List.of(new Later(random.nextInt(500), refused(job, version - 1)));
        }
        if (!(told instanceof Event.PodSeen(_, _, var pod))
                || !(kept.get(pod.mark().podUid()) instanceof Kept known)
                || !now.isBefore(known.until())) {
            return List.of();
        }
        if (pod.resourceVersion() > known.pod().resourceVersion() && known.isForGood()) {
            return List.of();
        }
        if (pod.resourceVersion() > known.pod().resourceVersion()) {
            return List.of(new Later(Duration.between(now, known.until()).toMillis(), told));
        }
        boolean isLong = known.since().plus(LIMIT).plusSeconds(60).isBefore(now);
        return isLong
                ? List.of()
                : List.of(
                        new Later(STEP, new Event.WatcherAlive(WATCHER)),
                        new Later(STEP, alive),
                        new Later(STEP, told));
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        now = play.now();
        if (event instanceof Event.PlanRefused said) {
            isRefused(play, said);
        }
        boolean isBlind =
                play.rows(Row.Table.SOURCE).values().stream()
                        .anyMatch(row -> ((Source) row).isBlind(now));
        seenSince = isBlind ? now : seenSince;
        for (var row : play.rows(Row.Table.JOB).values()) {
            hasItsTime((Job) row);
        }
        jobs.clear();
        hindered.clear();
        for (var row : play.rows(Row.Table.JOB).values()) {
            jobs.put(((Job) row).id(), (Job) row);
        }
        for (var row : play.rows(Row.Table.RANK).values()) {
            var rank = (Rank) row;
            var since = rank.sight().hinderedSince();
            if (since != null && play.isUp(rank.job()) && !rank.isLeaving()) {
                hindered.merge(rank.job(), since, (a, b) -> a.isBefore(b) ? a : b);
                if (isHeardOf(play, rank)) {
                    isJudgedInTime(rank, since);
                }
            }
        }
    }

    /** Else nobody says whether anything keeps it still. */
    private static boolean isHeardOf(Play play, Rank rank) {
        var node = (Node) play.rows(Row.Table.NODE).get(rank.making().node());
        return node != null && node.ready() && !node.silent();
    }

    private void isJudgedInTime(Rank rank, Instant since) {
        if (since.plus(LIMIT).plus(SOON).isBefore(now) && seenSince.plus(SOON).isBefore(now)) {
            throw new AssertionError("%s is waited for for ever at %s".formatted(rank, now));
        }
    }

    /** It fails so when it was kept long enough, with what earlier attempts were. */
    private void hasItsTime(Job job) {
        var before = jobs.get(job.id());
        boolean isNow =
                before != null
                        && before.state().isUp()
                        && job.state() instanceof JobState.Ended(var end, _)
                        && end.phase() == Phase.FAILED
                        && REASONS.contains(end.reason());
        if (!isNow) {
            return;
        }
        failed++;
        var since = hindered.getOrDefault(job.id(), now);
        var all = before.times().hinderedFor().plus(Duration.between(since, now));
        if (all.plus(LEAST).compareTo(LIMIT) < 0) {
            throw new AssertionError("%s failed after only %s: %s".formatted(before, all, job));
        }
    }

    /**
     * Only what is said of the newest plan counts; a command under way fails instead of its job.
     */
    private void isRefused(Play play, Event.PlanRefused said) {
        var before = jobs.get(said.job());
        if (before == null || !before.state().isUp()) {
            return;
        }
        refused++;
        var job = play.job(said.job());
        var command = Scaling.underWay(before);
        var now = Scaling.underWay(job);
        boolean hasFailed = command != null && (now == null || now.number() != command.number());
        boolean goesOn = job.state().isUp() && !hasFailed;
        if (goesOn == (before.fences().plan() == said.version())) {
            throw new AssertionError("%s, and %s is %s".formatted(said, before, job.state()));
        }
    }

    @Override
    public int weighed() {
        return Math.min(failed, refused);
    }
}
