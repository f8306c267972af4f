package dev.muster.coordinator.history;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Bulk;
import dev.muster.coordinator.core.model.Checkpoint;
import dev.muster.coordinator.core.model.Clock;
import dev.muster.coordinator.core.model.EndedJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Failure;
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
final class RecordedRun {
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

    /** Since the job was stopped last. */
    private final Map<JobId, List<Making>> living = new LinkedHashMap<>();

    /** A job's first start within the stretch. */
    record Start(String queue, Instant at) {}

    /** What a job said, so long after it was asked to save. */
    record Answer(Duration after, boolean saved) {}

    /** News of a pod, so long after it was ordered. */
    record News(Duration after, Pod pod) {}

    /** One making of a rank's pod, or of a hook's, which does not train. */
    private static final class Making {
        private final String queue;
        private final boolean trains;
        private final Instant ordered;
        private final List<News> news = new ArrayList<>();

        /** It was told to go before it ended: how it went on by itself nobody knows. */
        private boolean isCut;

        Making(String queue, boolean trains, Instant ordered) {
            this.queue = queue;
            this.trains = trains;
            this.ordered = ordered;
        }

        void take(Instant at, Pod pod) {
            if (!hasEnded() && (pod.deleting() || Failure.isTaken(pod, false))) {
                isCut = true;
            }
            if (!isCut) {
                news.add(new News(Duration.between(ordered, at), pod));
            }
        }

        void cut() {
            isCut |= !hasEnded();
        }

        boolean hasEnded() {
            return !news.isEmpty() && isEnd(news.getLast());
        }

        private static boolean isEnd(News one) {
            return one.pod().phase() == PodPhase.SUCCEEDED || one.pod().phase() == PodPhase.FAILED;
        }

        /** When it ran first, since it was ordered; null: it never did. */
        @Nullable Duration began() {
            return after(PodPhase.RUNNING);
        }

        @Nullable Duration after(PodPhase phase) {
            for (var one : news) {
                if (one.pod().phase() == phase) {
                    return one.after();
                }
            }
            return null;
        }

        /** It goes on as another did that ran as long. */
        List<News> goingOnAs(Making other) {
            var own = began();
            var others = other.began();
            if (own == null || others == null) {
                return other.news;
            }
            var all = new ArrayList<>(news);
            for (var one : other.news) {
                var at = one.after().minus(others).plus(own);
                if (at.compareTo(news.getLast().after()) > 0) {
                    all.add(new News(at, one.pod()));
                }
            }
            return all;
        }
    }

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
                    making.take(at, pod);
                }
            }
            case Event.PodGone(_, var job, var mark) -> {
                var making = byIncarnation.get(key(job, mark.rank()) + "/" + mark.incarnation());
                if (making != null) {
                    making.cut();
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
        } else if (effect instanceof Effect.StopPlan plan) {
            living.getOrDefault(plan.job(), List.of()).forEach(Making::cut);
            living.remove(plan.job());
        } else if (effect instanceof Effect.RunPlan plan) {
            for (var pod : plan.all()) {
                var key = key(plan.job(), pod.rank()) + "/" + pod.incarnation();
                if (!byIncarnation.containsKey(key)) {
                    boolean trains = plan.pods().contains(pod);
                    var making = new Making(plan.queue(), trains, now);
                    byIncarnation.put(key, making);
                    living.computeIfAbsent(plan.job(), _ -> new ArrayList<>()).add(making);
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
     * the last time; empty: it was never made. One that was told to go before it ended goes on as
     * the next one did that was not; where there is none, it runs.
     */
    List<News> news(JobId job, RankId rank, int times) {
        var known = makings.getOrDefault(key(job, rank), List.of());
        if (known.isEmpty()) {
            return List.of();
        }
        int at = Math.min(times, known.size()) - 1;
        var making = known.get(at);
        return !making.isCut
                ? making.news
                : known.stream()
                        .skip(at + 1L)
                        .filter(Making::hasEnded)
                        .findFirst()
                        .map(making::goingOnAs)
                        .orElse(making.news);
    }

    /** How long pods of a queue take until they run: half of them are quicker. */
    Duration usualStart(String queue) {
        return usual(queue, QUICK_START, Making::began);
    }

    /** How long pods of a queue run until they succeed: half of them are quicker. */
    Duration usualRun(String queue) {
        return usual(
                queue,
                SHORT_RUN,
                making -> {
                    var began = making.began();
                    var ended = making.after(PodPhase.SUCCEEDED);
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
            var took = making.trains ? measure.of(making) : null;
            if (took != null) {
                ofAll.add(took);
                if (making.queue.equals(queue)) {
                    ofQueue.add(took);
                }
            }
        }
        var some = ofQueue.isEmpty() ? ofAll : ofQueue;
        return some.isEmpty() ? none : some.stream().sorted().toList().get(some.size() / 2);
    }
}
