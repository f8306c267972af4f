package dev.muster.coordinator.history;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Bulk;
import dev.muster.coordinator.core.model.Checkpoint;
import dev.muster.coordinator.core.model.Clock;
import dev.muster.coordinator.core.model.EndedJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Hold;
import dev.muster.coordinator.core.model.HookRun;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.NamespaceQuota;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Others;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Settings;
import dev.muster.coordinator.core.model.Source;
import dev.muster.coordinator.core.model.Suspicion;
import dev.muster.coordinator.core.model.Sweep;
import dev.muster.coordinator.core.model.Throughput;
import dev.muster.coordinator.core.model.UntoldEnd;
import dev.muster.coordinator.core.model.Waiting;
import dev.muster.coordinator.core.state.Effect;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How the jobs of a stretch of the log really went: when they came and started, how pods did. */
final class Course {
    private static final Duration QUICK_START = Duration.ofSeconds(2);
    private static final Duration SHORT_RUN = Duration.ofMinutes(1);

    private final Set<String> names = new LinkedHashSet<>();
    private final Map<JobId, Instant> submitted = new LinkedHashMap<>();
    private final Map<JobId, Start> starts = new LinkedHashMap<>();
    private final Map<JobId, Event.PlanRefused> refused = new LinkedHashMap<>();
    private final Map<String, Instant> asked = new LinkedHashMap<>();
    private final Map<JobId, Answer> answers = new LinkedHashMap<>();
    private final Set<JobId> silent = new LinkedHashSet<>();
    private final Set<JobId> measured = new LinkedHashSet<>();
    private final Map<String, List<Making>> makings = new LinkedHashMap<>();
    private final Map<String, Making> byIncarnation = new LinkedHashMap<>();

    /** A job's first start within the stretch. */
    record Start(String queue, Instant at) {}

    /** What a job said, so long after it was asked to save. */
    record Answer(Duration after, boolean saved) {}

    /** News of a pod, so long after it was ordered. */
    record News(Duration after, Pod pod) {}

    /** One making of a rank's pod, or of a hook's, which does not train. */
    private record Making(String queue, boolean trains, Instant ordered, List<News> news) {}

    /** Knows the row from before. */
    void know(Row row) {
        switch (row) {
            case Job job -> {
                if (job.state() instanceof JobState.Queued
                        || job.state() instanceof JobState.Suspended) {
                    submitted.put(job.id(), job.times().submitted());
                }
            }
            case Queue queue -> names.add(queue.name());
            case Node node -> names.add(node.name());
            case Clock _, Settings _, Others _, NamespaceQuota _, Rank _, Hold _ -> {}
            case Hold.Room _, HookRun _, Source _, Alarm _, Bulk _ -> {}
            case Waiting _, Sweep _, Throughput _, Suspicion _, EndedJob _, UntoldEnd _ -> {}
        }
    }

    /** Of all queues and nodes that there were. */
    Set<String> names() {
        return names;
    }

    void take(Heard.Taken taken, Instant now) {
        var at = taken.record().appended();
        switch (taken.event()) {
            case Event.Submitted(var job, _, _) -> submitted.putIfAbsent(job, at);
            case Event.PodSeen(_, var job, var pod) -> {
                var making = byIncarnation.get(key(job, pod.mark().rank(), pod));
                if (making != null) {
                    making.news().add(new News(Duration.between(making.ordered(), at), pod));
                }
            }
            case Event.QueuePut(var name, _, _) -> names.add(name);
            case Event.QueueChange(var name, _, _, _, _) -> names.add(name);
            case Event.NodeSeen(_, var node) -> names.add(node.name());
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
        taken.step().effects().forEach(effect -> take(effect, now));
    }

    private void take(Effect effect, Instant now) {
        if (effect instanceof Effect.Started started) {
            starts.putIfAbsent(started.job(), new Start(started.queue(), now));
        } else if (effect instanceof Effect.CheckpointTold told && isAsked(told)) {
            asked.put(key(told.job(), told.checkpoint().id()), now);
            silent.add(told.job());
        } else if (effect instanceof Effect.RunPlan plan) {
            for (var pod : plan.all()) {
                var key = key(plan.job(), pod.rank()) + "/" + pod.incarnation();
                if (!byIncarnation.containsKey(key)) {
                    boolean trains = plan.pods().contains(pod);
                    var making = new Making(plan.queue(), trains, now, new ArrayList<>());
                    byIncarnation.put(key, making);
                    makings.computeIfAbsent(key(plan.job(), pod.rank()), _ -> new ArrayList<>())
                            .add(making);
                }
            }
        }
    }

    static boolean isAsked(Effect.CheckpointTold told) {
        return told.checkpoint().stage() == Checkpoint.Stage.ASKED;
    }

    private static String key(JobId job, long ask) {
        return job + " " + ask;
    }

    private static String key(JobId job, RankId rank) {
        return job + "/" + rank;
    }

    private static String key(JobId job, RankId rank, Pod pod) {
        return key(job, rank) + "/" + pod.mark().incarnation();
    }

    Map<JobId, Instant> submitted() {
        return submitted;
    }

    Map<JobId, Start> starts() {
        return starts;
    }

    /** Null: the API server took the job's plans. */
    Event.@Nullable PlanRefused refusal(JobId job) {
        return refused.get(job);
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
     * What became of the pod when it was made for the n-th time; where it was not made so often, of
     * the last time; empty: it was never made.
     */
    List<News> news(JobId job, RankId rank, int times) {
        var known = makings.getOrDefault(key(job, rank), List.of());
        return known.isEmpty() ? List.of() : known.get(Math.min(times, known.size()) - 1).news();
    }

    /** How long pods of a queue take until they run: half of them are quicker. */
    Duration usualStart(String queue) {
        return usual(queue, QUICK_START, making -> after(making, PodPhase.RUNNING));
    }

    /** How long pods of a queue run until they succeed: half of them are quicker. */
    Duration usualRun(String queue) {
        return usual(
                queue,
                SHORT_RUN,
                making -> {
                    var began = after(making, PodPhase.RUNNING);
                    var ended = after(making, PodPhase.SUCCEEDED);
                    return began == null || ended == null ? null : ended.minus(began);
                });
    }

    private interface Measure {
        @Nullable Duration of(Making making);
    }

    /** Of the queue's pods; where it has none, of all. */
    private Duration usual(String queue, Duration none, Measure measure) {
        var ofQueue = new ArrayList<Duration>();
        var ofAll = new ArrayList<Duration>();
        for (var making : byIncarnation.values()) {
            var took = making.trains() ? measure.of(making) : null;
            if (took != null) {
                ofAll.add(took);
                if (making.queue().equals(queue)) {
                    ofQueue.add(took);
                }
            }
        }
        var some = ofQueue.isEmpty() ? ofAll : ofQueue;
        return some.isEmpty() ? none : some.stream().sorted().toList().get(some.size() / 2);
    }

    private static @Nullable Duration after(Making making, PodPhase phase) {
        for (var news : making.news()) {
            if (news.pod().phase() == phase) {
                return news.after();
            }
        }
        return null;
    }
}
