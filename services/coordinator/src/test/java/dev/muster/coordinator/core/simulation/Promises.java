package dev.muster.coordinator.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.Pool;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Made;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Clock;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Settings;
import dev.muster.coordinator.core.model.Sweep;
import dev.muster.coordinator.core.model.Throughput;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a pool keeps to whatever comes, read from its rows after an event. */
final class Promises {
    private final Play play;

    private Promises(Play play) {
        this.play = play;
    }

    /** Between any two events. */
    static void areKept(Play play) {
        var promises = new Promises(play);
        NodePromises.fitTheirNodes(play);
        QuotaPromises.areKept(play);
        promises.portsAreNobodyElses();
        GangPromises.areKept(play);
        promises.onlyOneHolds();
        ScalePromises.areKept(play);
        promises.speedsAreFewAndOfJobsThatAreKnown();
        promises.launchersKnowTheirHosts();
        SilencePromises.areKept(play);
        LinePromises.areKept(play);
    }

    /** When everything was looked at, nothing is left that could have been started. */
    static void nothingStartableWaits(Play play) {
        var settings = (Settings) play.rows.get(Row.Table.SETTINGS).get("");
        var sweeps = play.rows.getOrDefault(Row.Table.SWEEP, new TreeMap<>()).values();
        boolean isOver =
                sweeps.stream()
                        .allMatch(row ->
                                ((Sweep) row).queue() == null && ((Sweep) row).mixes() == null);
        if (!settings.startsDue() && isOver) {
            var looked = ((Clock) play.rows.get(Row.Table.CLOCK).get("")).looked();
            var rows = play.allRows().toList();
            var waiting = new NaiveQueues(rows, looked).startable();
            waiting.entrySet()
                    .removeIf(of -> isTriedAlone(play, of.getKey(), of.getValue(), looked));
            assertThat(waiting)
                    .as(() ->
                            "waits since " + waiting.values().stream().map(play::explain).toList())
                    .isEmpty();
            assertThat(placedByAnotherRound(play, settings, looked)).isEmpty();
        }
    }

    /** It has come since, and could not start as it came: others had waited for long by then. */
    private static boolean isTriedAlone(
            Play play, String queue, JobId id, @Nullable Instant looked) {
        var came = NaiveQueues.since(play.job(id));
        return looked != null
                && came.isAfter(looked)
                && !id.equals(
                        new NaiveQueues(play.allRows().toList(), came).startable().get(queue));
    }

    /** Pods that another round would place, though nothing has happened since the last one. */
    private static List<String> placedByAnotherRound(
            Play play, Settings settings, @Nullable Instant looked) {
        var then = looked == null ? play.now() : looked;
        var rows =
                play.allRows()
                        .map(row ->
                                switch (row) {
                                    case Settings _ -> settings.due(true);
                                    case Clock clock -> new Clock(then, clock.tick(), looked);
                                    default -> row;
                                });
        var pool = Pool.restore(rows.toList());
        var known = play.rows.getOrDefault(Row.Table.RANK, new TreeMap<>()).keySet();
        return pool.on(new Event.TimePassed(then), then).changes().stream()
                .flatMap(change -> Stream.ofNullable(change.row()))
                .filter(Rank.class::isInstance)
                .map(Rank.class::cast)
                .filter(rank -> !NaiveQueues.since(play.job(rank.job())).isAfter(then))
                .map(rank -> rank.key().id())
                .filter(key -> !known.contains(key))
                .toList();
    }

    /** When nothing moves any more, no job waits for pods that are not there. */
    static void nothingLeavesForEver(Play play) {
        assertThat(play.rows.get(Row.Table.JOB).values())
                .extracting(Job.class::cast)
                .filteredOn(job -> job.state().isLeaving())
                .extracting(Job::id)
                .isEmpty();
    }

    /** A pool that is made of its rows, in any order within a table, goes on as it would. */
    static void restoredGoesOn(Play play, Random random) {
        var rows = new ArrayList<Row>();
        for (var table : play.rows.values()) {
            var shuffled = new ArrayList<>(table.values());
            Collections.shuffle(shuffled, random);
            rows.addAll(shuffled);
        }
        var original = Pool.restore(play.allRows().toList());
        var restored = Pool.restore(rows);
        var event = new Event.NodeSeen(play.watchers.getFirst(), Fixtures.node("large", 64));
        var later = play.now().plusSeconds(3600);
        assertThat(restored.on(event, later)).isEqualTo(original.on(event, later));
        assertThat(restored.nextAlarm()).isEqualTo(original.nextAlarm());
    }

    /** Every number once, and one end. */
    static void eventsOfAJobHaveNoGapAndOneEnd(Map<JobId, List<Effect>> news) {
        news.forEach((job, ofJob) -> {
            long seq = 0;
            int ends = 0;
            for (var effect : ofJob) {
                long next =
                        switch (effect) {
                            case Effect.Moved moved -> moved.seq();
                            case Effect.RankEnded ended -> ended.seq();
                            case Effect.RankPlaced placed -> placed.seq();
                            case Effect.Scaled scaled -> scaled.seq();
                            case Effect.CheckpointTold told -> told.seq();
                            default -> seq + 1;
                        };
                if (!(effect instanceof Effect.Plan)) {
                    assertThat(next).as("%s: %s", job, effect).isEqualTo(++seq);
                }
                ends += effect instanceof Effect.Moved moved && moved.to().isEnd() ? 1 : 0;
            }
            assertThat(ends).as("ends of %s", job).isLessThanOrEqualTo(1);
        });
    }

    /** None but those of jobs that go on, and each in one way. */
    static void everyCommandOfScaleEndsOnce(Play play, Map<JobId, List<Effect>> news) {
        news.forEach((job, ofJob) -> {
            var ends = new TreeMap<Long, Integer>();
            for (var effect : ofJob) {
                if (effect instanceof Effect.Scaled(_, _, _, var scaling)) {
                    ends.merge(scaling.number(), scaling.isOver() ? 1 : 0, Integer::sum);
                }
            }
            var row = play.rows.get(Row.Table.JOB).get(job.toString());
            boolean lives = row instanceof Job known && !known.state().phase().isEnd();
            var last = ends.isEmpty() ? Long.valueOf(0) : ends.lastKey();
            ends.forEach((command, count) -> {
                boolean mayWait = lives && command.equals(last);
                assertThat(count)
                        .as("ends of command %d of %s", command, job)
                        .isBetween(mayWait ? 0 : 1, 1);
            });
        });
    }

    /** No host is in a list whose pod is not there, or not ready. */
    static void isListedWhileItRuns(Effect.PlannedPod planned, Optional<Event.Pod> there) {
        boolean isReady =
                there.map(pod -> pod.phase() == Event.PodPhase.RUNNING && pod.ready())
                        .orElse(false);
        if (planned.part().host() && !isReady) {
            throw new AssertionError("%s is listed, and is %s".formatted(planned, there));
        }
    }

    /**
     * A plan that repeats tells nobody to go, but for what is nobody's: a pod that was made again
     * in the place of one that has ended, under its making.
     *
     * @param made was not told so before
     */
    static void isRepeatedWhereNobodyGoes(Effect.RunPlan plan, Made made) {
        var phase = made.pod().phase();
        boolean hasEnded = phase == Event.PodPhase.SUCCEEDED || phase == Event.PodPhase.FAILED;
        boolean goes =
                made.isOver(plan)
                        || plan.all().stream().anyMatch(planned -> made.isOlder(plan, planned));
        if (plan.repeats() && goes && !hasEnded && !made.isAnother()) {
            throw new AssertionError("%s is told to go by %s".formatted(made, plan));
        }
    }

    /** Nothing of an attempt is there when the next one begins. */
    static void isNotOlder(Effect.RunPlan plan, JobId job, Event.PodMark mark) {
        if (job.equals(plan.job()) && mark.attempt() < plan.attempt()) {
            throw new AssertionError(
                    "attempt %d of %s while %s is there".formatted(plan.attempt(), job, mark));
        }
    }

    private Collection<Row> rows(Row.Table table) {
        return play.rows.getOrDefault(table, new TreeMap<>()).values();
    }

    /** Where a backend finds the nodes by itself, on whichever. */
    private void portsAreNobodyElses() {
        boolean isObserved = NodePromises.isObserved(play);
        boolean isAnywhere = !isObserved && !NodePromises.choosesNodes(play);
        var taken = new TreeSet<String>();
        for (var row : rows(Row.Table.RANK)) {
            var rank = (Rank) row;
            var port = rank.making().port();
            boolean isOnHost = play.job(rank.job()).spec().role(rank.id().role()).pod().onHost();
            if (isOnHost && port == null) {
                throw new AssertionError(rank + " has no port");
            }
            if (port != null
                    && !isObserved
                    && !rank.sight().over()
                    && !taken.add((isAnywhere ? "" : rank.making().node()) + ":" + port)) {
                throw new AssertionError(rank + " has another's port");
            }
        }
    }

    private void speedsAreFewAndOfJobsThatAreKnown() {
        for (var row : rows(Row.Table.THROUGHPUT)) {
            var known = (Throughput) row;
            boolean isMuch =
                    known.points().size() > Throughput.MOST_SIZES
                            || known.points().stream().anyMatch(p -> p.speeds().size() > 5);
            if (isMuch || !play.rows.get(Row.Table.JOB).containsKey(known.job().toString())) {
                throw new AssertionError("remembers too much: " + known);
            }
        }
    }

    /** A list that is another by now is published with the next plan, which is on its way. */
    private void launchersKnowTheirHosts() {
        for (var row : rows(Row.Table.JOB)) {
            var job = (Job) row;
            boolean isLaunched =
                    job.spec().work().hostList()
                            && job.state().isUp()
                            && job.past().opened().contains(JobSpec.LAUNCHER);
            if (isLaunched && !job.due().plan()) {
                var known = job.hosts();
                if (!known.next(job, play.ranks(job.id()), known.version() + 1).equals(known)) {
                    throw new AssertionError(
                            "%s has another list: %s".formatted(job, play.ranks(job.id())));
                }
            }
            if (job.due().plan()) {
                willPublish(job);
            }
        }
    }

    private void willPublish(Job job) {
        var gather = Alarm.key(Alarm.Kind.GATHER, job.id().toString()).id();
        var alarm = (Alarm) play.rows.get(Row.Table.ALARM).get(gather);
        if (alarm == null || alarm.at().isAfter(play.now().plus(Jobs.PUBLISH_DELAY))) {
            throw new AssertionError("%s publishes its plan never: %s".formatted(job, alarm));
        }
    }

    private void onlyOneHolds() {
        int holds = rows(Row.Table.HOLD).size();
        if (holds > 1 || rows(Row.Table.HOLD_ROOM).isEmpty() != (holds == 0)) {
            throw new AssertionError(rows(Row.Table.HOLD) + " " + rows(Row.Table.HOLD_ROOM));
        }
    }

    /** The uids of the pods that the pool takes for gone. */
    static Set<String> gone(Play play) {
        return play.ranks().values().stream()
                .flatMap(List::stream)
                .filter(rank -> rank.sight().gone() && rank.sight().podUid() != null)
                .map(rank -> rank.sight().podUid())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * A list's end says who is missing, however old the list is that has the others.
     *
     * @param before who had gone before it
     */
    static void nobodyListedVanished(Play play, List<Made> listed, Set<String> before) {
        var gone = gone(play);
        gone.removeAll(before);
        listed.stream()
                .map(Made::uid)
                .filter(gone::contains)
                .forEach(uid -> {
                    throw new AssertionError(uid + " was listed and is taken for gone");
                });
    }
}
