package dev.muster.coordinator.core.gang;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.SpotPods.spot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Gangs;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Clock;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Row;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Spot pods are counted beside the others. */
class SpotsTest {
    private final Play play = Play.withNodes(4);
    private final JobId a = job("a", 1);

    @Test
    void lastPodsOfARoleAreCountedApart() {
        play.on(
                new Event.Submitted(
                        a,
                        spec("default", role("master", 1, 1), spot(2, role("worker", 3, 1))),
                        null));
        assertThat(last().spots()).isEqualTo(Map.of("worker", new Spots(2, 0)));
        see("master", 0, PodPhase.RUNNING);
        see("worker", 0, PodPhase.RUNNING);
        see("worker", 2, PodPhase.RUNNING);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(last().spots()).isEqualTo(Map.of("worker", new Spots(2, 1)));
        see("worker", 1, PodPhase.RUNNING);
        assertThat(last().spots()).isEqualTo(Map.of("worker", new Spots(2, 2)));
    }

    @Test
    void jobWithoutSpotPodsHasNoneToCount() {
        play.on(new Event.Submitted(a, spec("default", role("worker", 2, 1)), null));
        assertThat(last().spots()).isEmpty();
    }

    /** Of a build that did not say it of each pod; its rows are read as they are. */
    @Test
    void lastIndicesAreSpotPodsWhereThatIsNotSaid() {
        var work = spec("default", spot(2, role("worker", 4, 1))).work();
        var gang = new Gang(Gangs.requirements(work));
        var worker = work.role("worker");
        for (int index = 0; index < 4; index++) {
            gang.put(unsaid(index));
        }
        assertThat(gang.nextOnDemand(worker, 1, unsaid(1))).isEqualTo(1);
        assertThat(gang.nextOnDemand(worker, 1, unsaid(2))).isZero();
        var more = work.sized("worker", 6);
        gang.follow(Gangs.requirements(more));
        assertThat(gang.nextOnDemand(more.role("worker"), 2, null)).isZero();
        gang.remove(unsaid(3));
        assertThat(gang.nextOnDemand(more.role("worker"), 3, null)).isEqualTo(1);
        assertThat(Effect.PlannedPod.of(unsaid(3)).spot()).isNull();
    }

    /** Beyond its size others may be for a while: who is to leave has not left yet. */
    @ParameterizedTest
    @CsvSource({"0, 1, 1", "1, 1, 1", "2, 1, 0", "3, 3, 1"})
    void roleNeverHasMoreSpotPodsThanItMay(int spot, int pods, int onDemand) {
        var work = spec("default", spot(spot, role("worker", 3, 1))).work();
        var gang = new Gang(Gangs.requirements(work));
        for (int index = 0; index < 4; index++) {
            var rank = unsaid(index);
            gang.put(rank.with(rank.making().spot(index == 3), rank.sight()));
        }
        assertThat(gang.nextOnDemand(work.role("worker"), pods, null)).isEqualTo(onDemand);
    }

    /** As where more of it are spot pods since, and all its places are taken. */
    @Test
    void noSpotPodIsToComeWhereNothingIsMissing() {
        var spec = spec("default", spot(2, role("worker", 3, 1)));
        var gang = new Gang(Gangs.requirements(spec.work()));
        for (int index = 0; index < 3; index++) {
            var rank = unsaid(index);
            gang.put(rank.with(rank.making().spot(false), rank.sight()));
        }
        var known = Job.submitted(a, spec, new Clock(Fixtures.NOON, 1, null));
        assertThat(Spots.of(known, gang)).isEqualTo(Map.of("worker", new Spots(0, 0)));
        gang.remove(unsaid(2));
        assertThat(Spots.of(known, gang)).isEqualTo(Map.of("worker", new Spots(1, 0)));
    }

    private Rank unsaid(int index) {
        var making =
                new Rank.Making(
                        1, 1, "node-0", List.of(), null, 0, false, 0, false, null, null, null, 0);
        return Rank.ordered(a, new RankId("worker", index), making);
    }

    private void see(String role, int index, PodPhase phase) {
        var rank = (Rank) play.rows.get(Row.Table.RANK).get(Rank.id(a, new RankId(role, index)));
        var mark = Fixtures.mark(role, index, rank.making().incarnation());
        var pod = Fixtures.pod(mark, 9, phase, rank.making().node(), null);
        play.on(new Event.PodSeen(WATCHER, a, pod));
        play.pass(Duration.ZERO);
    }

    private Effect.Status last() {
        return List.copyOf(play.take(Effect.Status.class)).getLast();
    }
}
