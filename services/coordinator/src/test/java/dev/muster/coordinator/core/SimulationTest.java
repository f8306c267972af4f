package dev.muster.coordinator.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What must hold whatever comes; the seed is the row's name. */
class SimulationTest {
    /** Profile {@code soak} sets how many. */
    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("muster.simulation.seeds", 100));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void poolKeepsItsPromises(long seed) {
        var simulation = new Simulation(seed);
        for (int i = 0; i < 300; i++) {
            simulation.run(1);
            nodesAreNotOverfull(simulation.play);
            limitsAreKept(simulation.play);
            onlyOneHolds(simulation.play);
            budgetsAreKept(simulation.play);
        }
        for (int i = 0; i < 12; i++) {
            simulation.run(25);
            eventsOfAJobHaveNoGapAndOneEnd(simulation);
        }
        simulation.calmDown();
        eventsOfAJobHaveNoGapAndOneEnd(simulation);
        nothingStartableWaits(simulation.play);
    }

    /** Trying everything again finds nothing that could have started before. */
    private static void nothingStartableWaits(Play play) {
        var again = Pool.restore(play.allRows().toList());
        var unknown = new Event.QueuePut("new", Fixtures.QUEUE, null);
        assertThat(again.on(unknown, play.now()).effects())
                .noneMatch(Effect.RunPlan.class::isInstance);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void poolMadeFromItsRowsGoesOnAsItWould(long seed) {
        var once = new Simulation(seed);
        once.run(150);
        var original = Pool.restore(once.play.allRows().toList());
        var restored = Pool.restore(shuffledWithinTables(once, seed));
        var event = new Event.NodeSeen(Fixtures.WATCHER, Fixtures.node("large", 64));
        var now = once.play.now().plus(Duration.ofHours(1));
        assertThat(restored.on(event, now)).isEqualTo(original.on(event, now));
        assertThat(restored.nextAlarm()).isEqualTo(original.nextAlarm());
    }

    @Test
    void someJobsOfTheSimulationEndInEveryWay() {
        var ends = new TreeMap<Phase, Integer>();
        for (long seed = 0; seed < 20; seed++) {
            var simulation = new Simulation(seed);
            simulation.run(300);
            simulation.calmDown();
            simulation
                    .news()
                    .forEach((job, news) ->
                            Play.phases(news, job).forEach(p -> ends.merge(p, 1, Integer::sum)));
        }
        assertThat(ends)
                .containsKeys(
                        Phase.RUNNING,
                        Phase.RESTARTING,
                        Phase.SUCCEEDED,
                        Phase.FAILED,
                        Phase.CANCELLED);
    }

    private static List<Row> shuffledWithinTables(Simulation simulation, long seed) {
        var rows = new ArrayList<Row>();
        for (var table : simulation.play.rows.values()) {
            var shuffled = new ArrayList<>(table.values());
            Collections.shuffle(shuffled, new Random(seed));
            rows.addAll(shuffled);
        }
        return rows;
    }

    /** What our jobs hold of a node was free when it was taken: others may have come since. */
    private static void nodesAreNotOverfull(Play play) {
        var held = new TreeMap<String, Amounts>();
        for (var row : play.rows.getOrDefault(Row.Table.RANK, new TreeMap<>()).values()) {
            var rank = (Rank) row;
            if (!rank.sight().released()) {
                var role = play.job(rank.job()).spec().role(rank.id().role());
                held.merge(rank.making().node(), role.demand(), Amounts::plus);
            }
        }
        held.forEach((name, sum) -> {
            var node = (Node) play.rows.get(Row.Table.NODE).get(name);
            if (node != null && !name.equals("spare")) {
                assertThat(node.allocatable().minus(sum).isNowhereNegative())
                        .as("%s holds %s of %s", name, sum, node.allocatable())
                        .isTrue();
            }
        });
    }

    /** A queue that has the one limit there is was never let above it. */
    private static void limitsAreKept(Play play) {
        for (var row : play.rows.get(Row.Table.QUEUE).values()) {
            var queue = (Queue) row;
            var limit = queue.spec().quota().limit().get("cpu");
            if (limit != null && play.startedSince(queue.name())) {
                assertThat(used(play, queue.name())).as(queue.name()).isLessThanOrEqualTo(limit);
            }
        }
    }

    private static long used(Play play, String queue) {
        long used = 0;
        for (var row : play.rows.getOrDefault(Row.Table.RANK, new TreeMap<>()).values()) {
            var rank = (Rank) row;
            var job = play.job(rank.job());
            if (!rank.sight().released() && job.spec().queue().equals(queue)) {
                used += job.spec().role(rank.id().role()).demand().get("cpu");
            }
        }
        return used;
    }

    /** No limit was ever passed, the window being longer than the play. */
    private static void budgetsAreKept(Play play) {
        for (var row : play.rows.getOrDefault(Row.Table.JOB, new TreeMap<>()).values()) {
            var job = (Job) row;
            var limits = job.spec().work().failure().limits();
            var budgets = job.past().budgets();
            assertThat(budgets.own()).as("%s", job.id()).isLessThanOrEqualTo(limits.own());
            assertThat(budgets.infrastructure())
                    .as("%s", job.id())
                    .isLessThanOrEqualTo(limits.infrastructure());
        }
    }

    private static void onlyOneHolds(Play play) {
        var holds = play.rows.getOrDefault(Row.Table.HOLD, new TreeMap<>());
        var rooms = play.rows.getOrDefault(Row.Table.HOLD_ROOM, new TreeMap<>());
        assertThat(holds).hasSizeLessThanOrEqualTo(1);
        assertThat(rooms.isEmpty()).isEqualTo(holds.isEmpty());
    }

    private static void eventsOfAJobHaveNoGapAndOneEnd(Simulation simulation) {
        simulation
                .news()
                .forEach((job, news) -> {
                    long seq = 0;
                    int ends = 0;
                    for (var effect : news) {
                        long next =
                                switch (effect) {
                                    case Effect.Moved moved -> moved.seq();
                                    case Effect.RankEnded ended -> ended.seq();
                                    case Effect.RankPlaced placed -> placed.seq();
                                    default -> seq + 1;
                                };
                        if (!(effect instanceof Effect.Plan)) {
                            assertThat(next).as("%s: %s", job, effect).isEqualTo(++seq);
                        }
                        if (effect instanceof Effect.Moved moved && moved.to().isEnd()) {
                            ends++;
                        }
                    }
                    assertThat(ends).as(job.toString()).isLessThanOrEqualTo(1);
                });
    }
}
