package dev.muster.coordinator.history.whatif;

import dev.muster.coordinator.core.Pool;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.Event.PodMark;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Event.Witness;
import dev.muster.coordinator.core.model.Hook;
import dev.muster.coordinator.core.model.HookRun;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Settings;
import dev.muster.coordinator.core.model.Source;
import dev.muster.schemas.contract.NamespaceShard;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A pool that goes another way through the same stretch of the log: what users, operators and nodes
 * do is as recorded, pods are only thought of and do what theirs did, shifted with their start.
 */
final class Trial {
    private static final Duration SOON = Duration.ofMillis(1);

    private final Alteration alteration;
    private final RecordedRun course;
    private final UsualTimes usual;
    private final Pool pool;
    private final PriorityQueue<Due> coming =
            new PriorityQueue<>(Comparator.comparing(Due::at).thenComparingLong(Due::order));
    private final SimulatedPods pods = new SimulatedPods();
    private final Map<String, Integer> times = new LinkedHashMap<>();
    private final Map<PodKey, Event.PlanRefused> refused = new LinkedHashMap<>();
    private final Map<JobId, Job.Fences> before = new LinkedHashMap<>();
    private final Map<JobId, Long> asked = new LinkedHashMap<>();
    private final Map<Integer, Witness> witnesses = new TreeMap<>();
    private final Map<JobId, Instant> inLine = new LinkedHashMap<>();
    private final Map<JobId, Start> starts = new LinkedHashMap<>();
    private final Set<JobId> assumed = new LinkedHashSet<>();
    private Witness witness = new Witness(0, 1, -1);
    private Instant now = Instant.EPOCH;
    private long order;

    /**
     * A job's first start within the stretch.
     *
     * @param waited since it had come into line, or come back
     */
    record Start(String queue, Instant at, Duration waited) {}

    private record Due(Instant at, long order, Event event) {}

    /**
     * @param rows of the pool where the stretch begins
     */
    Trial(List<Row> rows, Alteration alteration, RecordedRun course) {
        this.alteration = alteration;
        this.course = course;
        usual = course.usual();
        var altered = alteration.rows(rows.stream());
        pool = altered.isEmpty() ? Pool.empty() : Pool.restore(altered);
        now = pool.now();
        for (var row : altered) {
            if (row instanceof Job job) {
                before.put(job.id(), job.fences());
                note(job);
                var open = job.past().checkpoint();
                if (open != null) {
                    asked.put(job.id(), open.id());
                }
            } else if (row instanceof Rank rank && !rank.sight().gone()) {
                goOn(rank, pods.remember(rank));
            } else if (row instanceof HookRun run && run.making() != null) {
                pods.remember(run.job(), run.making());
            } else if (row instanceof Settings settings) {
                witness = new Witness(0, settings.shards(), witness.epoch(), settings.watchEpoch());
            } else if (row instanceof Source source && isFirstShard(source)) {
                witness = new Witness(0, witness.shards(), source.epoch(), witness.layout());
            }
        }
    }

    /** From where the log's pool told it to go it goes on by itself, until this one tells it. */
    private void goOn(Rank rank, PodMark mark) {
        var making = course.making(rank.job(), mark);
        if (making == null) {
            return;
        }
        times.put(Rank.id(rank.job(), rank.id()), 1);
        var told = making.told();
        if (told == null) {
            return;
        }
        for (var one : course.news(rank.job(), rank.id(), 1)) {
            var at = making.ordered().plus(one.after());
            if (!at.isBefore(told)) {
                var pod = SimulatedPods.again(one.pod(), mark, rank.making().node());
                coming.add(new Due(at, order++, new Event.PodSeen(witness, rank.job(), pod)));
            }
        }
    }

    private static boolean isFirstShard(Source source) {
        return source.kind() == Source.Kind.WATCHER && source.number() == 0;
    }

    Map<JobId, Start> starts() {
        return starts;
    }

    /** Jobs of which, or of a role of which, no pod is in the log: how those run is assumed. */
    Set<JobId> assumed() {
        return assumed;
    }

    /** Hears one event of the log. */
    void hear(Event event, Instant at) {
        goOn(at);
        if (event instanceof Event.Sight sight) {
            witness = sight.witness();
            witnesses.put(witness.shard(), witness);
        }
        switch (event) {
            case Event.PodSeen(_, var job, var pod) -> {
                if (isAsRecorded(job, pod.mark(), at) && pods.seeAsRecorded(job, pod)) {
                    give(event, at);
                }
            }
            case Event.PodGone(_, var job, var mark) -> {
                if (isAsRecorded(job, mark, at) && pods.remove(job, mark)) {
                    give(event, at);
                }
            }
            case Event.PlanApplied(var job, var plan, _, _) when isOfBefore(job, plan) ->
                    give(event, at);
            case Event.PlanRefused(var job, var plan, _, _) when isOfBefore(job, plan) ->
                    give(event, at);
            case Event.SnapshotEnd(var of, _) -> {
                list(of, at);
                give(event, at);
            }
            case Event.NodeReleased _ ->
                    alteration
                            .events(event)
                            .forEach(instead -> {
                                give(instead, at);
                                goWith(instead);
                            });
            case Event.PlanApplied _, Event.PlanRefused _, Event.PlanHindered _ -> {}
            case Event.TimePassed _ -> {}
            case Event.CheckpointAnswered answer when isOpen(answer) -> give(event, at);
            // It speaks of sizes and of asks that there may not be here.
            case Event.Signal _ -> {}
            case Event.Command _, Event.Sight _, Event.PodManagerAlive _, Event.CoreVersion _ ->
                    alteration.events(event).forEach(instead -> give(instead, at));
        }
    }

    /** Those that are thought of there go with their node: the log may not tell it of them. */
    private void goWith(Event event) {
        if (event instanceof Event.NodeReleased(_, var node, var moved) && !moved) {
            pods.on(node).stream()
                    .filter(made -> !isAsRecorded(made.job(), made.mark(), Instant.MAX))
                    .forEach(this::drop);
        }
    }

    private boolean isOfBefore(JobId job, long plan) {
        var fences = before.get(job);
        return fences != null && plan <= fences.plan();
    }

    /** It answers what was asked before the stretch. */
    private boolean isOpen(Event.CheckpointAnswered answer) {
        return Long.valueOf(answer.ask()).equals(asked.get(answer.job()));
    }

    /** It was there before, and had not been told to go until then: that may not be so here. */
    private boolean isAsRecorded(JobId job, PodMark mark, Instant at) {
        var fences = before.get(job);
        if (fences == null || mark.incarnation() > fences.incarnation()) {
            return false;
        }
        var making = course.making(job, mark);
        var told = making == null ? null : making.told();
        return told == null || at.isBefore(told);
    }

    /** A complete list names the pods that are thought of too; the others it has itself. */
    private void list(Witness of, Instant at) {
        for (var made : pods.all()) {
            var seen = made.seen();
            if (seen != null
                    && shard(made.job(), of) == of.shard()
                    && !isAsRecorded(made.job(), made.mark(), at)) {
                give(new Event.PodSeen(of, made.job(), seen), at);
            }
        }
    }

    private static int shard(JobId job, Witness of) {
        return NamespaceShard.of(job.namespace(), of.shards());
    }

    /** All that comes by itself until then. */
    void goOn(Instant until) {
        while (true) {
            var alarm = pool.nextAlarm().filter(at -> !at.isAfter(until)).orElse(null);
            var due = coming.peek();
            if (due != null && due.at().isAfter(until)) {
                due = null;
            }
            if (due != null && (alarm == null || !alarm.isBefore(due.at()))) {
                coming.remove();
                happen(due);
            } else if (alarm != null) {
                var at = alarm.isAfter(now) ? alarm : now;
                give(new Event.TimePassed(at), at);
            } else {
                return;
            }
        }
    }

    /** Of pods the watcher tells that is there by then. */
    private void happen(Due due) {
        if (due.event() instanceof Event.PodSeen(_, var job, var pod)) {
            var seen = pods.see(job, pod);
            if (seen != null) { // Otherwise it was deleted before it came so far.
                give(new Event.PodSeen(witnessOf(job), job, seen), due.at());
            }
        } else if (due.event() instanceof Event.PodGone(_, var job, var mark)) {
            give(new Event.PodGone(witnessOf(job), job, mark), due.at());
        } else {
            give(due.event(), due.at());
        }
    }

    private void give(Event event, Instant at) {
        now = at.isAfter(now) ? at : now;
        var step = pool.on(event, now);
        step.effects().forEach(this::follow);
        while (step.more()) {
            step = pool.on(new Event.TimePassed(now), now);
            step.effects().forEach(this::follow);
        }
    }

    private void follow(Effect effect) {
        if (effect instanceof Effect.Started started) {
            var since = inLine.remove(started.job());
            var waited = since == null ? Duration.ZERO : Duration.between(since, now);
            starts.putIfAbsent(started.job(), new Start(started.queue(), now, waited));
        } else if (effect instanceof Effect.Status status) {
            note(status.job());
        } else if (effect instanceof Effect.RunPlan plan) {
            follow(plan);
        } else if (effect instanceof Effect.StopPlan plan) {
            pods.stopped(plan).forEach(this::drop);
            applied(plan, plan.stop().confirm());
        } else if (effect instanceof Effect.CheckpointTold told && RecordedRun.isAsked(told)) {
            answer(told);
        }
    }

    private void note(Job job) {
        if (job.state() instanceof JobState.Queued) {
            inLine.put(job.id(), job.past().inLine());
        }
    }

    private void follow(Effect.RunPlan plan) {
        Event.PlanRefused refusal = null;
        for (var pod : plan.all()) { // To the last: each that is refused counts as made once.
            var its = refusal(plan.job(), pod);
            refusal = refusal == null ? its : refusal;
        }
        if (refusal != null) {
            later(
                    SOON,
                    new Event.PlanRefused(
                            plan.job(), plan.version(), refusal.reason(), refusal.message()));
            return;
        }
        plan.all().forEach(pod -> make(plan, pod));
        pods.unplanned(plan).forEach(this::drop);
        applied(plan, false);
    }

    /** What the API server did not take then it does not take here. */
    private Event.@Nullable PlanRefused refusal(JobId job, Effect.PlannedPod pod) {
        if (pods.isThere(job, pod) || pod.part().drain() != null) {
            return null;
        }
        var rank = Rank.id(job, pod.rank());
        var key = new PodKey(job, pod.rank(), pod.incarnation());
        var known = refused.get(key);
        if (known != null) {
            return known;
        }
        int time = times.getOrDefault(rank, 0) + 1;
        var refusal = course.refusal(job, pod.rank(), time);
        if (refusal != null) {
            times.put(rank, time);
            refused.put(key, refusal);
        }
        return refusal;
    }

    /** What it is asked here the log may not have asked: it answers as it did then. */
    private void answer(Effect.CheckpointTold told) {
        var answer = course.answer(told.job());
        if (answer != null) {
            long id = told.checkpoint().id();
            later(
                    answer.after(),
                    new Event.CheckpointAnswered(told.job(), null, id, answer.saved(), ""));
        }
    }

    private void applied(Effect.Plan plan, boolean confirm) {
        var listed = pods.listed(plan.job());
        later(SOON, new Event.PlanApplied(plan.job(), plan.version(), confirm, listed));
    }

    private void later(Duration after, Event event) {
        coming.add(new Due(now.plus(after), order++, event));
    }

    private void make(Effect.RunPlan plan, Effect.PlannedPod planned) {
        var mark = pods.make(plan, planned);
        if (mark == null) {
            return;
        }
        pods.olderThan(plan.job(), mark).forEach(this::drop);
        int time = times.merge(Rank.id(plan.job(), planned.rank()), 1, Integer::sum);
        var news = course.news(plan.job(), planned.rank(), time);
        if (news.isEmpty()) {
            news = course.alike(plan.job(), planned.rank(), time);
        }
        if (news.isEmpty()) {
            assume(plan, mark, planned.node());
        }
        for (var one : news) {
            see(plan.job(), one.after(), SimulatedPods.again(one.pod(), mark, planned.node()));
        }
    }

    private void drop(SimulatedPods.Made made) {
        pods.remove(made.job(), made.mark());
        later(SOON, new Event.PodGone(witnessOf(made.job()), made.job(), made.mark()));
    }

    private void see(JobId job, Duration after, Pod pod) {
        later(after, new Event.PodSeen(witnessOf(job), job, pod));
    }

    private Witness witnessOf(JobId job) {
        return witnesses.getOrDefault(shard(job, witness), witness);
    }

    /** It never ran: it is taken to do what is usual in its queue, or for hooks. */
    private void assume(Effect.RunPlan plan, PodMark mark, String node) {
        var hook = plan.hook();
        Duration begins;
        Duration runs;
        if (hook != null && mark.rank().equals(Hook.RANK)) {
            var most = hook.hook().timeout();
            begins = usual.hookStart();
            runs = usual.hookRun().compareTo(most) < 0 ? usual.hookRun() : most;
        } else {
            assumed.add(plan.job());
            begins = usual.start(plan.queue());
            runs = usual.run(plan.queue());
        }
        var ends = begins.plus(runs);
        see(plan.job(), begins, SimulatedPods.pod(mark, 1, PodPhase.RUNNING, node));
        see(plan.job(), ends, SimulatedPods.pod(mark, 2, PodPhase.SUCCEEDED, node));
    }
}
