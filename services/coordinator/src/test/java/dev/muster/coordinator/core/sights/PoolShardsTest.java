package dev.muster.coordinator.core.sights;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodGone;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Event.PodSeen;
import dev.muster.coordinator.core.model.Event.SnapshotBegin;
import dev.muster.coordinator.core.model.Event.SnapshotEnd;
import dev.muster.coordinator.core.model.Event.Witness;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Others;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Source;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Watchers come and go, and share the namespaces out anew, while jobs run. */
class PoolShardsTest {
    /** Of two shards the second has this namespace, and the first the other. */
    private static final JobId ODD = JobId.parse("ml/a@0-1");

    private static final JobId EVEN = JobId.parse("b/b@0-2");
    private static final Event.PodMark MARK = Fixtures.mark("worker", 0, 1);
    private static final Witness FIRST_OF_TWO = new Witness(0, 2, 300);
    private static final Witness SECOND_OF_TWO = new Witness(1, 2, 200);

    private final Play play = Play.withNodes(4, 4);
    private long version = 10;

    @BeforeEach
    void bothRun() {
        for (var job : List.of(ODD, EVEN)) {
            play.on(new Event.Submitted(job, workers(1, 1), null));
            play.on(seen(WATCHER, job, PodPhase.RUNNING));
            assertThat(play.job(job).state()).isInstanceOf(JobState.Running.class);
        }
        play.takeEffects();
    }

    @Test
    void snapshotOfAShardSaysNothingOfTheOthersNamespaces() {
        snapshot(SECOND_OF_TWO, ODD);
        snapshot(FIRST_OF_TWO, EVEN);
        assertThat(play.take(Effect.Moved.class)).isEmpty();
    }

    @Test
    void podThatWentWhileTheCountWasChangedIsMissedByItsNewShard() {
        snapshot(SECOND_OF_TWO, ODD);
        assertThat(play.take(Effect.RankEnded.class)).isEmpty();
        snapshot(FIRST_OF_TWO);
        var lost = play.takeEffects();
        assertThat(Play.phases(lost, EVEN)).containsExactly(Phase.RESTARTING);
        assertThat(Play.phases(lost, ODD)).isEmpty();
    }

    @Test
    void watcherThatWakesUpLateIsNotBelieved() {
        play.on(new SnapshotBegin(WATCHER, "slow"));
        snapshot(SECOND_OF_TWO, ODD);
        snapshot(FIRST_OF_TWO, EVEN);
        play.on(new PodGone(WATCHER, EVEN, MARK));
        play.on(seen(WATCHER, ODD, PodPhase.FAILED));
        play.on(new SnapshotEnd(WATCHER, "slow"));
        assertThat(play.takeEffects()).noneMatch(PoolShardsTest::isNews);
        // The same count, and an older term: who was paused, and whose Lease another one has.
        var next = new Witness(0, 2, 400);
        snapshot(next, EVEN);
        play.on(new SnapshotBegin(FIRST_OF_TWO, "woken"));
        play.on(new PodGone(FIRST_OF_TWO, EVEN, MARK));
        play.on(new SnapshotEnd(FIRST_OF_TWO, "woken"));
        assertThat(play.takeEffects()).noneMatch(PoolShardsTest::isNews);
    }

    /** As after the API server's store was restored: versions of Leases are lower than before. */
    @Test
    void watcherThatAloneSpeaksUnderAnOlderLeaseIsReportedWhenAnyOlderTermHasEnded() {
        var older = new Event.WatcherAlive(new Witness(0, 1, WATCHER.epoch() - 1));
        play.on(older).pass(Duration.ofMinutes(1)).on(older);
        assertThat(play.take(Effect.Unbelieved.class)).isEmpty();
        play.pass(Duration.ofSeconds(5)).on(older);
        assertThat(play.take(Effect.Unbelieved.class))
                .containsExactly(new Effect.Unbelieved(0, WATCHER.epoch() - 1, WATCHER.epoch()));
        var otherwise = new Witness(0, 2, WATCHER.epoch() - 1, WATCHER.layout() - 1);
        play.on(new Event.WatcherAlive(otherwise));
        assertThat(play.take(Effect.Unbelieved.class)).hasSize(1);
        // The versions are beyond those of before: whose Lease it is now is clear again.
        play.on(new Event.WatcherAlive(new Witness(0, 1, WATCHER.epoch() + 1))).on(older);
        assertThat(play.take(Effect.Unbelieved.class)).isEmpty();
    }

    @Test
    void podThatANewWatcherSeesAsItWasEarlierIsThere() {
        var next = new Witness(0, 1, 400);
        play.on(new SnapshotBegin(next, "behind"));
        for (var job : List.of(ODD, EVEN)) {
            play.on(new PodSeen(next, job, Fixtures.pod(MARK, 1, PodPhase.PENDING, null)));
        }
        nodes(next);
        play.on(new SnapshotEnd(next, "behind"));
        assertThat(play.takeEffects()).noneMatch(PoolShardsTest::isNews);
        play.on(seen(next, ODD, PodPhase.SUCCEEDED));
        assertThat(play.takePhases(ODD)).containsExactly(Phase.SUCCEEDED);
        // What nobody lists, in whatever version, is there no more.
        var last = new Witness(0, 1, 500);
        snapshot(last);
        assertThat(play.takePhases(EVEN)).containsExactly(Phase.RESTARTING);
    }

    @Test
    void endThatTwoWatchersTellIsOne() {
        play.on(seen(WATCHER, ODD, PodPhase.SUCCEEDED));
        var told = version - 1;
        var pod = Fixtures.pod(MARK, told, PodPhase.SUCCEEDED, "node-0", 0);
        play.on(new SnapshotBegin(SECOND_OF_TWO, "new"));
        play.on(new PodSeen(SECOND_OF_TWO, ODD, pod));
        play.on(new SnapshotEnd(SECOND_OF_TWO, "new"));
        var effects = play.takeEffects();
        assertThat(effects).filteredOn(Effect.RankEnded.class::isInstance).hasSize(1);
        assertThat(Play.phases(effects, ODD)).containsExactly(Phase.SUCCEEDED);
    }

    @Test
    void whoCountsOtherwiseAndGoesForGoodLeavesNobodyBlind() {
        snapshot(new Witness(0, 2, 200, 190), EVEN);
        snapshot(new Witness(1, 2, 210, 190), ODD);
        // The first shard's Lease is taken by one who counts as before.
        var back = new Witness(0, 1, 300, 290);
        snapshot(back, EVEN, ODD);
        // It won the second shard's Lease before it saw that; its word comes late, or never ends.
        var late = new Witness(1, 2, 305, 190);
        play.on(new SnapshotBegin(late, "late"));
        play.on(new SnapshotEnd(late, "late"));
        assertThat(play.takeEffects()).noneMatch(PoolShardsTest::isNews);
        play.on(seen(back, ODD, PodPhase.SUCCEEDED));
        play.on(seen(back, EVEN, PodPhase.SUCCEEDED));
        var ends = play.takeEffects();
        assertThat(Play.phases(ends, ODD)).containsExactly(Phase.SUCCEEDED);
        assertThat(Play.phases(ends, EVEN)).containsExactly(Phase.SUCCEEDED);
    }

    @Test
    void shardThatIsHeardBeforeTheFirstOneIsBelieved() {
        snapshot(new Witness(1, 2, 210, 190), ODD);
        play.on(seen(new Witness(1, 2, 210, 190), ODD, PodPhase.SUCCEEDED));
        assertThat(play.takePhases(ODD)).containsExactly(Phase.SUCCEEDED);
        play.on(seen(WATCHER, EVEN, PodPhase.FAILED));
        assertThat(play.takeEffects()).noneMatch(PoolShardsTest::isNews);
    }

    @Test
    void howLongAShardWasBlindIsNotForgottenWithIt() {
        var second = new Witness(1, 2, 210, 190);
        snapshot(new Witness(0, 2, 200, 190), EVEN);
        play.on(new SnapshotBegin(second, "that takes an hour"));
        play.pass(Duration.ofHours(1));
        var known = blind();
        assertThat(known).isGreaterThanOrEqualTo(Duration.ofHours(1));
        snapshot(new Witness(0, 1, 300, 290), EVEN, ODD);
        assertThat(blind()).isGreaterThanOrEqualTo(known);
    }

    @Test
    void whatOthersUseIsNeverLessAndInTheEndNoMoreThanItIs() {
        play.on(used(WATCHER, 3));
        assertThat(used()).containsExactly(3L);
        // The first of two counts 1 of the 3: the second will count the others.
        var first = new Witness(0, 2, 200, 190);
        play.on(new SnapshotBegin(first, "first"));
        play.on(used(first, 1));
        play.on(new SnapshotEnd(first, "first"));
        assertThat(used()).containsExactly(2L, 1L);
        var second = new Witness(1, 2, 210, 190);
        play.on(new SnapshotBegin(second, "second"));
        play.on(used(second, 1));
        assertThat(used()).containsExactly(1L, 1L, 1L);
        play.on(new SnapshotEnd(second, "second"));
        // One of them ended meanwhile.
        assertThat(used()).containsExactly(1L, 1L);
        var again = new Witness(0, 1, 300, 290);
        play.on(new SnapshotBegin(again, "again"));
        play.on(used(again, 2));
        play.on(new SnapshotEnd(again, "again"));
        assertThat(used()).containsExactly(2L);
    }

    @Test
    void whatANewShardCountsMoreLaterIsNotWhatTheFormerCounted() {
        play.on(used(WATCHER, 3));
        var first = new Witness(0, 2, 200, 190);
        play.on(used(first, 1));
        assertThat(used()).containsExactly(2L, 1L);
        play.on(used(first, 2));
        assertThat(used()).containsExactly(2L, 2L);
    }

    @Test
    void quotaThatIsNoMoreIsMissedByItsNewShard() {
        play.on(new Event.NamespaceQuotaSeen(WATCHER, "ml", Fixtures.cpu(4), Amounts.NONE));
        snapshot(new Witness(0, 2, 200, 190), EVEN);
        assertThat(rows(Row.Table.NAMESPACE)).hasSize(1);
        snapshot(new Witness(1, 2, 210, 190), ODD);
        assertThat(rows(Row.Table.NAMESPACE)).isEmpty();
    }

    private List<Row> rows(Row.Table table) {
        return play.allRows().filter(row -> row.key().table() == table).toList();
    }

    /** What others use of the first node in cores, by whose word: the former shards' first. */
    private List<Long> used() {
        return rows(Row.Table.OTHERS).stream()
                .map(Others.class::cast)
                .filter(use -> use.used().size() > 0)
                .sorted(Comparator.comparing(Others::shard))
                .map(use -> use.used().get("cpu") / 1000)
                .toList();
    }

    private static Event used(Witness witness, long cores) {
        return new Event.OthersUse(witness, "node-0", Fixtures.cpu(cores));
    }

    private Duration blind() {
        return rows(Row.Table.SOURCE).stream()
                .map(Source.class::cast)
                .map(source -> source.blindUntil(play.now()))
                .reduce(Duration.ZERO, Duration::plus);
    }

    /** Any number of watchers, any count of shards, late words of those that lost their Leases. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void nobodyIsRestartedHoweverTheWatchersChange(long seed) {
        var random = new Random(seed);
        var former = new TreeSet<Long>();
        long epoch = 1000;
        long layout = 900;
        int count = 1;
        for (int i = 0; i < 60; i++) {
            int before = count;
            count = random.nextInt(4) == 0 ? 1 + random.nextInt(4) : count;
            if (count != before) {
                var late = new Witness(before - 1, before, epoch + 2, layout);
                layout = ++epoch;
                snapshot(new Witness(0, count, ++epoch, layout), ODD, EVEN);
                play.on(new SnapshotBegin(late, "late"));
                play.on(new SnapshotEnd(late, "late"));
            }
            var witness = new Witness(random.nextInt(count), count, ++epoch, layout);
            int late = random.nextInt(3);
            for (int k = 0; k < late && !former.isEmpty(); k++) {
                var old = new Witness(0, 1 + random.nextInt(4), former.first());
                var lost = random.nextBoolean() ? ODD : EVEN;
                play.on(
                        random.nextBoolean()
                                ? new PodGone(old, lost, MARK)
                                : seen(old, lost, PodPhase.FAILED));
            }
            snapshot(witness, ODD, EVEN);
            former.add(epoch - 1);
        }
        assertThat(play.takeEffects()).noneMatch(PoolShardsTest::isNews);
        var last = new Witness(Math.floorMod("ml".hashCode(), count), count, ++epoch, layout);
        play.on(seen(last, ODD, PodPhase.SUCCEEDED));
        assertThat(play.takePhases(ODD)).containsExactly(Phase.SUCCEEDED);
    }

    private static boolean isNews(Effect effect) {
        return effect instanceof Effect.Moved
                || effect instanceof Effect.RankEnded
                || effect instanceof Effect.Plan;
    }

    /** What is there of these jobs, as far as it is the shard's. */
    private void snapshot(Witness witness, JobId... there) {
        var id = "of-" + witness.epoch();
        play.on(new SnapshotBegin(witness, id));
        for (var job : there) {
            if (Math.floorMod(job.namespace().hashCode(), witness.shards()) == witness.shard()) {
                play.on(seen(witness, job, PodPhase.RUNNING));
            }
        }
        if (witness.shard() == 0) {
            nodes(witness);
        }
        play.on(new SnapshotEnd(witness, id));
    }

    private void nodes(Witness witness) {
        for (int i = 0; i < 2; i++) {
            play.on(new Event.NodeSeen(witness, Fixtures.node("node-" + i, 4)));
        }
    }

    private Event seen(Witness witness, JobId job, PodPhase phase) {
        Integer code = phase == PodPhase.RUNNING ? null : phase == PodPhase.SUCCEEDED ? 0 : 1;
        return new PodSeen(witness, job, Fixtures.pod(MARK, version++, phase, "node-0", code));
    }
}
