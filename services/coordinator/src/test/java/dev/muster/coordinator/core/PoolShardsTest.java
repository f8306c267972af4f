package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.Fixtures.WATCHER;
import static dev.muster.coordinator.core.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Event.PodGone;
import dev.muster.coordinator.core.Event.PodPhase;
import dev.muster.coordinator.core.Event.PodSeen;
import dev.muster.coordinator.core.Event.SnapshotBegin;
import dev.muster.coordinator.core.Event.SnapshotEnd;
import dev.muster.coordinator.core.Event.Witness;
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

    /** Any number of watchers, any count of shards, late words of those that lost their Leases. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void nobodyIsRestartedHoweverTheWatchersChange(long seed) {
        var random = new Random(seed);
        var former = new TreeSet<Long>();
        long epoch = 1000;
        int count = 1;
        for (int i = 0; i < 60; i++) {
            count = random.nextInt(4) == 0 ? 1 + random.nextInt(4) : count;
            var witness = new Witness(random.nextInt(count), count, ++epoch);
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
        var last = new Witness(Math.floorMod("ml".hashCode(), count), count, ++epoch);
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
            for (int i = 0; i < 2; i++) {
                play.on(new Event.NodeSeen(witness, Fixtures.node("node-" + i, 4)));
            }
        }
        play.on(new SnapshotEnd(witness, id));
    }

    private Event seen(Witness witness, JobId job, PodPhase phase) {
        Integer code = phase == PodPhase.RUNNING ? null : phase == PodPhase.SUCCEEDED ? 0 : 1;
        return new PodSeen(witness, job, Fixtures.pod(MARK, version++, phase, "node-0", code));
    }
}
