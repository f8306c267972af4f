package dev.muster.coordinator.core.hold;

import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Seeds;
import dev.muster.coordinator.core.hold.FullPool.Taken;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Small pools, of which all sets of gangs are tried as plainly as can be. */
class RoomForHolderTest {
    private static final int HIGH = 3;

    /** One pool that is full, before somebody comes who may make others go. */
    private static final class Scene {
        private final Random random;
        private final FullPool pool;
        private final Play play;
        private final List<JobId> jobs;
        private final JobId head = job("head", 99);
        private final int pods;
        private final long cores;

        Scene(long seed) {
            random = new Random(seed);
            play = Play.withNodes(random.longs(1 + random.nextInt(3), 3, 9).toArray());
            pool = new FullPool(play, PoolSpec.Mode.LOWER_PRIORITY);
            jobs = pool.jobs;
            for (int i = 0; i < 9; i++) {
                pool.run(job("j" + i, i), at(random.nextInt(HIGH + 1), spec()));
            }
            pods = 1 + random.nextInt(8);
            cores = 1 + random.nextInt(2);
        }

        private JobSpec spec() {
            if (random.nextInt(3) > 0) {
                return workers(1 + random.nextInt(3), 1 + random.nextInt(2));
            }
            int min = 1 + random.nextInt(2);
            return ElasticJobs.elastic("default", min, min + random.nextInt(4), min + 4);
        }

        private List<Rank> ranks(JobId id) {
            return play.ranks(id);
        }

        Taken headWaits() {
            return pool.takenFor(head, at(HIGH, workers(pods, cores)));
        }

        /** Where nothing is taken but what these have left. */
        boolean isRoom(TreeSet<JobId> ended, List<Rank> given) {
            var free = new TreeMap<String, Long>();
            for (var row : play.rows.get(Row.Table.NODE).values()) {
                free.put(((Node) row).name(), ((Node) row).allocatable().get("cpu"));
            }
            for (var id : jobs) {
                for (var rank : ended.contains(id) ? List.<Rank>of() : ranks(id)) {
                    if (given.stream().noneMatch(one -> one.key().equals(rank.key()))) {
                        long cpu = play.job(id).spec().podOf(rank).demand().get("cpu");
                        free.merge(rank.making().node(), -cpu, Long::sum);
                    }
                }
            }
            return free.values().stream().mapToLong(cpu -> cpu / (cores * 1000)).sum() >= pods;
        }

        /** All that elastic jobs have beyond their minima. */
        List<Rank> surplus() {
            var surplus = new ArrayList<Rank>();
            for (var id : jobs) {
                var range = play.job(id).spec().work().elastic();
                if (range != null) {
                    var ranks = ranks(id);
                    ranks.stream()
                            .filter(rank -> rank.id().index() > 0)
                            .sorted(
                                    Comparator.comparing((Rank rank) -> rank.making().incarnation())
                                            .reversed())
                            .limit(ranks.size() - range.min())
                            .forEach(surplus::add);
                }
            }
            return surplus;
        }

        /** Gangs of a lower priority, all sets of them. */
        List<TreeSet<JobId>> setsOfGangs() {
            var weaker =
                    jobs.stream()
                            .filter(id -> play.job(id).spec().place().priority() < HIGH)
                            .toList();
            var sets = new ArrayList<TreeSet<JobId>>();
            for (int bits = 0; bits < 1 << weaker.size(); bits++) {
                var set = new TreeSet<JobId>();
                for (int i = 0; i < weaker.size(); i++) {
                    if ((bits >> i & 1) == 1) {
                        set.add(weaker.get(i));
                    }
                }
                sets.add(set);
            }
            return sets;
        }
    }

    static LongStream seeds() {
        return Seeds.first(400);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void fewestGangsAreEndedOnTopOfAllSurplusAndOfThatNoMoreIsGivenBackThanItTakes(long seed) {
        var scene = new Scene(seed);
        var surplus = scene.surplus();
        var fewest =
                scene.setsOfGangs().stream()
                        .filter(set -> scene.isRoom(set, surplus))
                        .mapToInt(TreeSet::size)
                        .min();
        boolean isRoom = scene.isRoom(new TreeSet<>(), List.of());
        var taken = scene.headWaits();
        if (isRoom || fewest.isEmpty()) {
            assertThat(taken.isNothing()).isTrue();
            return;
        }
        assertThat(taken.ended()).hasSize(fewest.getAsInt());
        assertThat(scene.isRoom(taken.ended(), taken.ranks())).isTrue();
        for (var rank : taken.ranks()) {
            var others = taken.ranks().stream().filter(one -> one != rank).toList();
            assertThat(scene.isRoom(taken.ended(), others)).as("without %s", rank.id()).isFalse();
        }
    }

    /** Else the test above says nothing. */
    @Test
    @DisabledIfSystemProperty(
            named = Seeds.FEWER,
            matches = ".*",
            disabledReason = "too few to see all")
    void someOfThemGiveBackSomeEndGangsAndSomeDoBoth() {
        var kinds = new TreeMap<String, Integer>();
        seeds().forEach(seed -> {
            var taken = new Scene(seed).headWaits();
            var kind =
                    "gangs %b, ranks %b"
                            .formatted(!taken.ended().isEmpty(), !taken.ranks().isEmpty());
            kinds.merge(kind, 1, Integer::sum);
        });
        assertThat(kinds)
                .hasSize(4)
                .allSatisfy((kind, count) -> assertThat(count).as(kind).isGreaterThan(10));
    }
}
