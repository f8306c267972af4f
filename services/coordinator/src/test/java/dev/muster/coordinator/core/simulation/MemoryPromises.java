package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.Failure;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Others;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Row;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Memory grows when a rule says so after there was too little, and then by what the rule says or as
 * far as its bounds let it; it never shrinks. Whoever is made from then on has it, and room for it.
 * Where it cannot grow any more, its job ends and says so.
 */
final class MemoryPromises {
    private static final String STARVED = "OOMKilled";
    private static final int KILLED = 137;
    private static final long MEBI = 1L << 20;

    /** A job and its ranks as they were before one step. */
    private record Known(Job job, List<Rank> ranks) {
        @Nullable Rank rank(Rank now) {
            return ranks.stream()
                    .filter(rank -> rank.id().equals(now.id()))
                    .findFirst()
                    .orElse(null);
        }

        boolean hasStarved(String role) {
            return ranks.stream()
                    .anyMatch(rank -> rank.id().role().equals(role) && isStarved(rank));
        }
    }

    /** A node, and what others use of it. */
    private record Room(Node node, Amounts others) {
        Amounts left() {
            return node.allocatable().minus(others);
        }
    }

    private final Map<JobId, Known> known = new HashMap<>();
    private List<Room> rooms = List.of();

    /** What came of the step that is looked at next. */
    private List<Effect> effects = List.of();

    /** Of pods in a version of theirs. */
    private final Map<String, ContainerFate> fates = new HashMap<>();

    /** Ends that were judged, growths, ranks that got more, and jobs that could not. */
    private final int[] weighed = new int[4];

    void hasFailed(Pod pod, ContainerFate fate) {
        fates.put(pod.mark().podUid() + "@" + pod.resourceVersion(), fate);
    }

    /**
     * @param next what comes of a step
     * @param play as it is before
     */
    void hear(Play play, List<Effect> next) {
        areKept(play);
        effects = next;
    }

    void areKept(Play play) {
        var now = rooms(play);
        for (var row : play.rows(Row.Table.JOB).values()) {
            var job = (Job) row;
            var ranks = play.ranks(job.id());
            var was = known.put(job.id(), new Known(job, ranks));
            if (was != null && (was.job() != job || was.ranks() != ranks)) {
                isKept(play, was, new Known(job, ranks), now);
            }
        }
        rooms = now;
        effects = List.of();
    }

    private static List<Room> rooms(Play play) {
        var others = new TreeMap<String, Amounts>();
        for (var row : play.rows(Row.Table.OTHERS).values()) {
            var use = (Others) row;
            others.merge(use.node(), use.used(), Amounts::plus);
        }
        return play.rows(Row.Table.NODE).values().stream()
                .map(row -> (Node) row)
                .map(node -> new Room(node, others.getOrDefault(node.name(), Amounts.NONE)))
                .toList();
    }

    private void isKept(Play play, Known was, Known now, List<Room> roomsNow) {
        for (var role : now.job().spec().roles()) {
            long before = memory(was.job().spec().role(role.name()));
            long after = memory(role);
            if (after < before) {
                throw new AssertionError(
                        "%s of %s shrinks from %d to %d"
                                .formatted(role.name(), now.job().id(), before, after));
            }
            if (after > before) {
                weighed[1]++;
                grows(was, now, role, roomsNow);
            }
        }
        now.ranks().forEach(rank -> isMadeOfIt(play, was, now, rank));
        if (was.job().state().isUp()) {
            deniedIsSaid(was, now, roomsNow);
        }
    }

    /** 0: it names none. */
    private static long memory(JobSpec.Role role) {
        var memory = role.pod().memory();
        return memory == null ? 0 : memory.now();
    }

    private void grows(Known was, Known now, JobSpec.Role role, List<Room> roomsNow) {
        var job = was.job();
        var before = job.spec().role(role.name());
        var rule = growth(job.spec().failureOf(role.name()));
        boolean isAllowed =
                rule != null
                        && (was.hasStarved(role.name()) || now.hasStarved(role.name()))
                        && memory(role) <= wanted(before, rule)
                        && (!rule.isBounded() || memory(role) <= rule.max())
                        && isWithinLimits(now.job().spec())
                        && (isOnSomeNode(before, role, rooms)
                                || isOnSomeNode(before, role, roomsNow));
        if (!isAllowed) {
            throw new AssertionError(
                    "%s grows by %s: %s".formatted(before, rule, now.job().spec()));
        }
        var budgets = now.job().past().budgets();
        boolean isCounted =
                budgets.all() > job.past().budgets().all() || budgets.silences() != null;
        boolean isTold =
                now.job().due().status()
                        || effects.stream().anyMatch(effect -> tells(effect, job.id()));
        if (!isCounted || !isTold) {
            throw new AssertionError(
                    "%s grows and nobody knows: %s, %s".formatted(role, now.job(), effects));
        }
    }

    private static boolean tells(Effect effect, JobId job) {
        return effect instanceof Effect.Status status && status.job().id().equals(job);
    }

    private static long wanted(JobSpec.Role role, Action.GrowMemory rule) {
        long exact = Math.ceilDiv(memory(role) * rule.thousandths(), 1_000);
        return Math.ceilDiv(exact, MEBI) * MEBI;
    }

    private static boolean isWithinLimits(JobSpec spec) {
        long most = spec.work().limits().get("memory");
        long all =
                spec.roles().stream()
                        .mapToLong(role -> role.demand().get("memory") * role.replicas())
                        .sum();
        return most == 0 || all <= most;
    }

    /**
     * Where it was on one that takes it, it still is; else on one that is large enough for what it
     * was, or has as much memory at all, if there is any. Spot pods have nodes of their own.
     */
    private static boolean isOnSomeNode(JobSpec.Role was, JobSpec.Role now, List<Room> rooms) {
        var taking =
                rooms.stream()
                        .filter(room -> was.filter().accepts(room.node()))
                        .filter(room -> fits(was, room.left()))
                        .toList();
        if (!taking.isEmpty() && was.spot() == 0) {
            return taking.stream().anyMatch(room -> fits(now, room.left()));
        }
        var large = rooms.stream().filter(room -> fits(was, room.node().allocatable())).toList();
        long asked = now.demand().get("memory");
        return rooms.isEmpty()
                || was.spot() > 0
                || (large.isEmpty() ? rooms : large)
                        .stream()
                                .anyMatch(room -> asked <= room.node().allocatable().get("memory"));
    }

    private static boolean fits(JobSpec.Role role, Amounts left) {
        return left.minus(role.demand()).isNowhereNegative();
    }

    /** It has what its role had when it was made, and its room is of that size. */
    private void isMadeOfIt(Play play, Known was, Known now, Rank rank) {
        var role = now.job().spec().role(rank.id().role());
        var before = was.rank(rank);
        boolean isNew = before == null || before.making().newest() != rank.making().newest();
        if (isNew && rank.making().memory() != role.pod().grown()) {
            throw new AssertionError("%s has not what there is: %s".formatted(rank, role));
        }
        weighed[2] += isNew && role.pod().grown() > 0 ? 1 : 0;
        var use = play.use(rank).requests();
        if (use.size() > 0 && use.get("memory") != asked(role, rank.making().memory())) {
            throw new AssertionError("%s has other room: %s".formatted(rank, use));
        }
        for (var effect : effects) {
            if (effect instanceof Effect.RunPlan plan
                    && plan.job().equals(rank.job())
                    && plan.version() == now.job().fences().plan()) {
                plan.pods().stream()
                        .filter(pod -> pod.rank().equals(rank.id()))
                        .filter(pod -> pod.memory() != rank.making().memory())
                        .forEach(pod -> {
                            throw new AssertionError("%s is planned as %s".formatted(rank, pod));
                        });
            }
        }
        if (before != null) {
            isJudged(now.job(), before, rank);
        }
    }

    /** The whole of what a pod asks for keeps to what its container gets. */
    private static long asked(JobSpec.Role role, long memory) {
        var known = role.pod().memory();
        if (known == null) {
            return 0;
        }
        long asked = known.request() == null ? known.asked() : known.request();
        return memory == 0 ? asked : (long) Math.ceil((double) memory / known.asked() * asked);
    }

    private void isJudged(Job job, Rank before, Rank rank) {
        var failure = rank.sight().failure();
        boolean isNews =
                rank.state() == RankState.FAILED
                        && before.state() != RankState.FAILED
                        && before.sight().failure() == null
                        && before.making().newest() == rank.making().newest();
        if (failure == null || !isNews || before.isLeaving() || before.sight().deleting()) {
            return;
        }
        long version = rank.sight().resourceVersion();
        var fate = fates.get(rank.sight().podUid() + "@" + version);
        if (fate != null && before.sight().resourceVersion() < version) {
            weighed[0]++;
            if (!fate.is(failure)) {
                throw new AssertionError("%s is told as %s".formatted(fate, failure));
            }
        }
        if (job.state().isUp()
                && job.spec().work().elastic() == null
                && said(job.spec().failureOf(rank.id().role()), failure) instanceof Action.Fail) {
            throw new AssertionError("%s goes on after %s".formatted(job, failure));
        }
    }

    /** Who could not have more has ended, and who had his rule's turn got more or has ended. */
    private void deniedIsSaid(Known was, Known now, List<Room> roomsNow) {
        var spec = was.job().spec();
        boolean isDenied =
                now.job().state() instanceof JobState.Ended(var end, _)
                        && end.phase() == Phase.FAILED
                        && end.reason().equals("MemoryLimitReached");
        if (isDenied) {
            weighed[3]++;
            boolean couldAll =
                    spec.work().elastic() == null
                            && spec.roles().stream()
                                    .allMatch(role ->
                                            growth(spec.failureOf(role.name())) == null
                                                    || canGrow(spec, role, rooms)
                                                            && canGrow(spec, role, roomsNow));
            if (couldAll) {
                throw new AssertionError("%s could have more".formatted(was.job()));
            }
        }
        // Of an elastic role some may return, and the whole gang only after others have finished.
        boolean isByRule =
                spec.work().elastic() == null
                        && spec.roles().stream()
                                .allMatch(role -> growth(spec.failureOf(role.name())) != null);
        for (var effect : effects) {
            if (isByRule
                    && effect instanceof Effect.Moved moved
                    && moved.job().equals(was.job().id())
                    && moved.to() == Phase.RESTARTING
                    && moved.reason().equals(STARVED)
                    && !moved.message().contains("; memory of role ")) {
                throw new AssertionError("%s says nothing of memory".formatted(moved));
            }
        }
        if (now.job().state().isUp()) {
            now.ranks().forEach(rank -> hasMore(was, now, rank));
        }
    }

    /** Where nothing stronger was charged. */
    private static void hasMore(Known was, Known now, Rank rank) {
        var before = was.rank(rank);
        boolean isReturned =
                before != null
                        && isStarved(before)
                        && before.state() == RankState.FAILED
                        && !before.isLeaving()
                        && rank.state() == RankState.RETURNING
                        && !now.job().spec().work().hostList();
        var spec = was.job().spec();
        if (!isReturned
                || spec.work().elastic() != null
                || growth(spec.failureOf(rank.id().role())) == null) {
            return;
        }
        int clusters = was.job().past().budgets().infrastructure();
        boolean isAnothers =
                now.job().past().budgets().infrastructure() > clusters
                        || now.job().past().budgets().silences() != null;
        long had = asGiven(spec, rank);
        if (!isAnothers && memory(now.job().spec().role(rank.id().role())) <= had) {
            throw new AssertionError("%s returns with no more".formatted(rank));
        }
    }

    private static long asGiven(JobSpec spec, Rank rank) {
        var memory = spec.role(rank.id().role()).pod().memory();
        long made = rank.making().memory();
        return made > 0 || memory == null ? made : memory.asked();
    }

    /** For sure: of several roles one may have got all that is left to them together. */
    private static boolean canGrow(JobSpec spec, JobSpec.Role role, List<Room> rooms) {
        var memory = role.pod().memory();
        var rule = growth(spec.failureOf(role.name()));
        boolean isShared = spec.roles().size() > 1 && spec.work().limits().get("memory") > 0;
        if (memory == null || rule == null || isShared || role.spot() > 0) {
            return false;
        }
        long more = memory(role) + MEBI;
        var larger = spec.with(spec.work().growing(role.name(), more));
        return (!rule.isBounded() || more <= rule.max())
                && isWithinLimits(larger)
                && isOnSomeNode(role, larger.role(role.name()), rooms);
    }

    private static boolean isStarved(Rank rank) {
        var failure = rank.sight().failure();
        return failure != null && failure.reason().equals(STARVED);
    }

    /** What a policy says of too little memory; null: that there is to be no more. */
    private static Action.@Nullable GrowMemory growth(FailurePolicy policy) {
        var action = said(policy, STARVED, KILLED);
        return action instanceof Action.GrowMemory growth ? growth : null;
    }

    private static @Nullable Action said(FailurePolicy policy, Failure failure) {
        var code = failure.exitCode();
        return said(policy, failure.reason(), code == null ? -1 : code);
    }

    private static @Nullable Action said(FailurePolicy policy, String reason, int code) {
        return policy.rules().stream()
                .filter(rule -> rule.reasons().isEmpty() || rule.reasons().contains(reason))
                .filter(rule ->
                        rule.exitCodes().isEmpty()
                                || rule.exitCodes().stream()
                                        .anyMatch(of -> of.first() <= code && code <= of.last()))
                .map(FailurePolicy.Rule::action)
                .findFirst()
                .orElse(null);
    }

    int weighed() {
        return IntStream.of(weighed).min().orElse(0);
    }
}
