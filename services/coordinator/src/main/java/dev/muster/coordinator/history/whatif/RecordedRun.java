package dev.muster.coordinator.history.whatif;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Step;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Bulk;
import dev.muster.coordinator.core.model.Checkpoint;
import dev.muster.coordinator.core.model.Clock;
import dev.muster.coordinator.core.model.Decision;
import dev.muster.coordinator.core.model.EndedJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodMark;
import dev.muster.coordinator.core.model.Hold;
import dev.muster.coordinator.core.model.HookRun;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.NamespaceQuota;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Others;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.model.Settings;
import dev.muster.coordinator.core.model.SettingsAnswer;
import dev.muster.coordinator.core.model.Source;
import dev.muster.coordinator.core.model.Suspicion;
import dev.muster.coordinator.core.model.Sweep;
import dev.muster.coordinator.core.model.Throughput;
import dev.muster.coordinator.core.model.UntoldEnd;
import dev.muster.coordinator.core.model.Waiting;
import dev.muster.coordinator.history.replay.Heard;
import dev.muster.coordinator.history.whatif.RecordedMaking.News;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How the jobs of a stretch of the log really went: when they came and started, how pods did. */
final class RecordedRun {
    private final Set<String> queues = new LinkedHashSet<>();
    private final Set<String> nodes = new LinkedHashSet<>();
    private final Set<JobId> waited = new LinkedHashSet<>();
    private final Map<JobId, Instant> starts = new LinkedHashMap<>();

    /** That the pool may still act upon. */
    private final Map<JobId, Event.PlanRefused> refused = new LinkedHashMap<>();

    private final Map<String, Instant> asked = new LinkedHashMap<>();
    private final Map<JobId, Answer> answers = new LinkedHashMap<>();
    private final Set<JobId> silent = new LinkedHashSet<>();
    private final Set<JobId> measured = new LinkedHashSet<>();
    private final Map<JobId, Map<RankId, List<RecordedMaking>>> makings = new LinkedHashMap<>();
    private final Map<PodKey, RecordedMaking> byIncarnation = new LinkedHashMap<>();

    private final Map<JobId, Job> before = new LinkedHashMap<>();

    /** Since the job was stopped last. */
    private final Map<JobId, Map<PodKey, RecordedMaking>> living = new LinkedHashMap<>();

    private Instant end = Instant.EPOCH;

    /** What a job said, so long after it was asked to save. */
    record Answer(Duration after, boolean saved) {}

    /** Knows the row from before; that of a job comes before those of its ranks. */
    void know(Row row) {
        switch (row) {
            case Job job -> {
                before.put(job.id(), job);
                if (job.state() instanceof JobState.Queued
                        || job.state() instanceof JobState.Suspended) {
                    waited.add(job.id());
                }
            }
            case Queue queue -> queues.add(queue.name());
            case Node node -> nodes.add(node.name());
            case Rank rank -> know(rank);
            case Clock _, Settings _, Others _, NamespaceQuota _, Hold _ -> {}
            case Hold.Room _, HookRun _, Source _, Alarm _, Bulk _ -> {}
            case Waiting _, Sweep _, Throughput _, Suspicion _, EndedJob _, UntoldEnd _ -> {}
            case SettingsAnswer _ -> {}
        }
    }

    /** What is left to see of one that had ended says nothing of how it ran. */
    private void know(Rank rank) {
        var job = before.get(rank.job());
        if (job == null || rank.sight().gone() || rank.state().hasEnded()) {
            return;
        }
        var ordered = job.times().admitted();
        var started = job.times().started();
        var since = ordered == null ? job.times().submitted() : ordered;
        var making = new RecordedMaking(job.spec().place().queue(), true, since);
        if (rank.state() == RankState.RUNNING) {
            making.seen(started == null ? since : started, SimulatedPods.seen(rank));
        }
        if (rank.sight().podUid() != null) {
            making.made();
        }
        boolean isToldToLeave = rank.isLeaving() && !rank.isUntold();
        if (!job.state().isUp() || isToldToLeave || rank.sight().deleting()) {
            making.taken(since); // All that the log says of it is to come here, too.
        }
        add(new PodKey(job.id(), rank.id(), rank.making().incarnation()), making);
    }

    private void add(PodKey pod, RecordedMaking making) {
        byIncarnation.put(pod, making);
        living.computeIfAbsent(pod.job(), _ -> new LinkedHashMap<>()).put(pod, making);
        makings.computeIfAbsent(pod.job(), _ -> new LinkedHashMap<>())
                .computeIfAbsent(pod.rank(), _ -> new ArrayList<>())
                .add(making);
    }

    /** The names of all that there were. */
    Set<String> queues() {
        return queues;
    }

    /** The same of nodes. */
    Set<String> nodes() {
        return nodes;
    }

    /** The pool's time by which the last record was taken. */
    Instant end() {
        return end;
    }

    /**
     * Takes the next record.
     *
     * @param at the pool's time by which it was taken; the broker's may be behind it, or go back
     */
    void take(Heard.Taken taken, Instant at) {
        end = at;
        switch (taken.event()) {
            case Event.Submitted(var job, _, _) -> waited.add(job);
            case Event.PodSeen(_, var job, var pod) -> {
                var making = making(job, pod.mark());
                if (making != null) {
                    making.seen(at, pod);
                }
            }
            case Event.PodGone(_, var job, var mark) -> {
                var making = making(job, mark);
                if (making != null) {
                    making.taken(at);
                }
            }
            case Event.CheckpointAnswered answer -> {
                var since = asked.get(key(answer.job(), answer.ask()));
                if (since != null) {
                    answers.putIfAbsent(
                            answer.job(), new Answer(Duration.between(since, at), answer.saved()));
                }
            }
            case Event.Trained(var job, _) -> measured.add(job);
            case Event.PlanRefused refusal -> refused.put(refusal.job(), refusal);
            case Event.Command _, Event.Sight _, Event.Report _, Event.Signal _ -> {}
            case Event.PodManagerAlive _, Event.TimePassed _, Event.CoreVersion _ -> {}
        }
        var step = taken.step();
        step.changes().forEach(this::named);
        // First: what follows tells those to go that were refused.
        step.effects().forEach(this::refused);
        if (!step.more()) {
            refused.clear(); // What is left was of an old plan, or came too late.
        }
        step.effects().forEach(effect -> take(effect, at));
    }

    /** A queue that was asked for and refused there was not. */
    private void named(Step.Change change) {
        if (change.row() instanceof Queue queue) {
            queues.add(queue.name());
        } else if (change.row() instanceof Node node) {
            nodes.add(node.name());
        }
    }

    /** Where a refusal ended a job or a command, the pods meant are those that nobody ever saw. */
    private void refused(Effect effect) {
        if (effect instanceof Effect.Moved moved && moved.to() == Phase.FAILED) {
            refused(moved.job(), moved.message());
        } else if (effect instanceof Effect.Scaled scaled
                && scaled.scaling().stage() == Scaling.Stage.FAILED) {
            refused(scaled.job(), scaled.scaling().message());
        }
    }

    private void refused(JobId job, String message) {
        var refusal = refused.get(job);
        if (refusal != null && message.contains(refusal.message())) {
            living.getOrDefault(job, Map.of()).values().forEach(making -> making.refused(refusal));
        }
    }

    private void take(Effect effect, Instant at) {
        if (effect instanceof Effect.Started started) {
            starts.putIfAbsent(started.job(), at);
        } else if (effect instanceof Effect.CheckpointTold told && isAsked(told)) {
            asked.put(key(told.job(), told.checkpoint().id()), at);
            silent.add(told.job());
        } else if (effect instanceof Effect.RankEnded ended && ended.exitCode() == null) {
            // No news of its pod said so: a list lacked it, or its node was silent.
            var making = making(ended.job(), ended.rank(), ended.incarnation());
            if (making != null) {
                making.taken(at);
            }
        } else if (effect instanceof Effect.Plan plan) {
            take(plan, at);
        }
    }

    private void take(Effect.Plan plan, Instant at) {
        switch (plan) {
            case Effect.RunPlan run -> take(run, at);
            case Effect.StopPlan stop when stop.stop().keep() == Decision.Keep.ALL -> {}
            case Effect.StopPlan _, Effect.GonePlan _ -> {
                var told = living.remove(plan.job());
                if (told != null) {
                    told.values().forEach(making -> making.told(at));
                }
            }
        }
    }

    /** Those of before are known, but for some that had ended. */
    private void take(Effect.RunPlan plan, Instant at) {
        var known = before.get(plan.job());
        var going = new LinkedHashMap<>(living.getOrDefault(plan.job(), Map.of()));
        for (var pod : plan.all()) {
            var key = new PodKey(plan.job(), pod.rank(), pod.incarnation());
            if (pod.part().drain() == null) {
                var making = going.remove(key);
                if (making != null) {
                    making.wanted();
                }
            }
            if (!byIncarnation.containsKey(key)
                    && (known == null || pod.incarnation() > known.fences().incarnation())) {
                var making = new RecordedMaking(plan.queue(), plan.pods().contains(pod), at);
                add(key, making);
            }
        }
        going.values().forEach(making -> making.told(at));
    }

    static boolean isAsked(Effect.CheckpointTold told) {
        return told.checkpoint().stage() == Checkpoint.Stage.ASKED;
    }

    private static String key(JobId job, long ask) {
        return job + " " + ask;
    }

    /** Null: the log tells of no such pod, or it had ended before. */
    @Nullable RecordedMaking making(JobId job, PodMark mark) {
        return making(job, mark.rank(), mark.incarnation());
    }

    private @Nullable RecordedMaking making(JobId job, RankId rank, int incarnation) {
        return byIncarnation.get(new PodKey(job, rank, incarnation));
    }

    /** Jobs that waited, or were suspended, where the stretch begins, and those that came later. */
    Set<JobId> waited() {
        return waited;
    }

    /** When each job started first within the stretch. */
    Map<JobId, Instant> starts() {
        return starts;
    }

    /**
     * Why there was no pod when it was to be made for the n-th time, counted as {@link #news} does;
     * null: there was, or nobody said why.
     */
    Event.@Nullable PlanRefused refusal(JobId job, RankId rank, int times) {
        var known = makings(job, rank);
        return known.isEmpty() ? null : known.get(at(known, times)).refusal();
    }

    private List<RecordedMaking> makings(JobId job, RankId rank) {
        return makings.getOrDefault(job, Map.of()).getOrDefault(rank, List.of());
    }

    private static int at(List<RecordedMaking> known, int times) {
        return Math.min(times, known.size()) - 1;
    }

    /** As it answered first; who was never asked saves at once; null: it did not answer. */
    @Nullable Answer answer(JobId job) {
        var answer = answers.get(job);
        return answer != null || silent.contains(job) ? answer : new Answer(Duration.ZERO, true);
    }

    /** Jobs that said how fast they train. */
    Set<JobId> measured() {
        return measured;
    }

    /**
     * What became of the pod when it was made for the n-th time, the one that there was before
     * among them; where it was not made so often, of the last time; empty: it was never made. One
     * that was told to go before it ended goes on as the next one did that was not; where there is
     * none, it runs.
     */
    List<News> news(JobId job, RankId rank, int times) {
        return news(makings(job, rank), times);
    }

    private static List<News> news(List<RecordedMaking> known, int times) {
        if (known.isEmpty()) {
            return List.of();
        }
        var making = known.get(at(known, times));
        var next = making.isCut() ? nextThatEnded(known, times) : null;
        return next == null ? making.news() : making.goingOnAs(next);
    }

    private static @Nullable RecordedMaking nextThatEnded(List<RecordedMaking> known, int times) {
        return known.stream()
                .skip(at(known, times) + 1L)
                .filter(RecordedMaking::hasEnded)
                .findFirst()
                .orElse(null);
    }

    /**
     * What becomes of one of which nothing is told: the same as of that one of its role which ran
     * for the longest time, so that it ends before none of them; empty: nothing is told of those.
     */
    List<News> alike(JobId job, RankId rank, int times) {
        return makings.getOrDefault(job, Map.of()).entrySet().stream()
                .filter(known -> known.getKey().role().equals(rank.role()))
                .map(Map.Entry::getValue)
                .filter(known -> !news(known, times).isEmpty())
                .max(
                        Comparator.comparing((List<RecordedMaking> known) ->
                                        !ran(known, times).isNegative())
                                .thenComparing(known -> isToldToItsEnd(known, times))
                                .thenComparing(known -> ran(known, times)))
                .map(known -> news(known, times))
                .orElse(List.of());
    }

    private static Duration ran(List<RecordedMaking> known, int times) {
        return RecordedMaking.ran(news(known, times));
    }

    /** Or to that of the stretch: nobody took it before. */
    private static boolean isToldToItsEnd(List<RecordedMaking> known, int times) {
        return !known.get(at(known, times)).isCut() || nextThatEnded(known, times) != null;
    }

    /** Of all that were made. */
    UsualTimes usual() {
        return new UsualTimes(byIncarnation.values());
    }
}
