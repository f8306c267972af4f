package dev.muster.coordinator.core.nodes;

import static dev.muster.coordinator.core.fixtures.CheckpointJobs.byFile;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static dev.muster.coordinator.core.fixtures.Zones.together;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Asking;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.Zones;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.RankState;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Gangs that have to lie together, and lack a rank that finds no room beside the others. */
class PoolCordonedDomainsTest {
    private static final Duration JUDGED =
            FailurePolicy.PLAIN.settle().plus(FailurePolicy.PLAIN.delay().initial());

    private final Play play = Play.withNodes();
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @Test
    void gangThatCannotBeWholeThereLeavesACordonedDomain() {
        play.on(Zones.node("a-0", "a", 3));
        one.runs(together(failing(policy(Otherwise.POD), byFile(workers(3, 1)))));
        one.fail(2, 137);
        play.on(Zones.node("b-0", "b", 3));
        play.on(Zones.cordoned("a-0", "a", 3));
        play.passHeard(JUDGED.minusSeconds(1), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        play.restart();
        play.passHeard(GoingNodes.CHECK_INTERVAL.plusSeconds(1), 0);
        assertThat(one.rank(2).state()).isEqualTo(RankState.RETURNING);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
    }

    @Test
    void gangOfWhichAnotherComesUpWaitsForThatOne() {
        play.on(Zones.node("a-0", "a", 3));
        one.runs(together(failing(policy(Otherwise.POD), byFile(workers(3, 1)))));
        one.fail(1, 137);
        play.passHeard(JUDGED, 0);
        assertThat(one.rank(1).state()).isEqualTo(RankState.ORDERED);
        one.fail(2, 137);
        play.on(Zones.node("b-0", "b", 3));
        play.on(Zones.cordoned("a-0", "a", 3));
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(one.rank(2).state()).isEqualTo(RankState.RETURNING);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        one.seeNewest(1, PodPhase.RUNNING, null);
        play.passHeard(GoingNodes.CHECK_INTERVAL, 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
    }

    @Test
    void elasticJobWhoseMinimumRunsSavesBefore() {
        elasticRunsWithoutTheLast();
        play.on(Zones.cordoned("a-0", "a", 2));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
        new Asking(play, a).isAsked("its node a-0 is about to go");
        play.restart();
        new Asking(play, a).answer(true);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
    }

    @Test
    void whoFoundNoRoomComesOnceTheJobStaysAfterAll() {
        elasticRunsWithoutTheLast();
        play.on(Zones.cordoned("a-0", "a", 2));
        play.on(Zones.node("a-0", "a", 2));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        play.restart();
        play.on(Zones.node("a-1", "a", 1));
        play.passHeard(Alarm.RETRY_INTERVAL, 0);
        assertThat(one.rank(2).state()).isEqualTo(RankState.ORDERED);
    }

    /** It is given up by the policy, and nothing holds it there but that it found no room. */
    @Test
    void gangOfWhichOneIsForcedOffADeadNodeLeavesTheCordonedOne() {
        losesARankWithItsNode(true);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
    }

    @Test
    void gangThatAwaitsADeadNodeKeepsTheCordonedOne() {
        losesARankWithItsNode(false);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }

    private void losesARankWithItsNode(boolean isForced) {
        var after = Duration.ofMinutes(1);
        play.on(Zones.node("a-0", "a", 1));
        play.on(Zones.node("a-1", "a", 2));
        var policy = Fixtures.losing(after, isForced, policy(Otherwise.POD));
        one.runs(together(failing(policy, byFile(workers(3, 1)))));
        int lost = IntStream.range(0, 3).filter(i -> nodeOf(i).equals("a-0")).findFirst().orElse(0);
        play.on(Zones.silent("a-0", "a", 1));
        play.passHeard(after.plus(JUDGED).plusSeconds(1), 0);
        assertThat(one.rank(lost).state()).isEqualTo(RankState.RETURNING);
        play.on(Zones.node("b-0", "b", 3));
        play.on(Zones.cordoned("a-1", "a", 2));
        play.restart();
        play.passHeard(GoingNodes.CHECK_INTERVAL.plusSeconds(1), 0);
    }

    private String nodeOf(int index) {
        return one.rank(index).making().node();
    }

    /** Its node has no room any more, and the others are where it is to be. */
    private void elasticRunsWithoutTheLast() {
        play.on(Zones.node("a-0", "a", 2));
        play.on(Zones.node("a-1", "a", 1));
        one.runs(together(byFile(ElasticJobs.elastic("default", 2, 3, 3))));
        assertThat(one.rank(2).making().node()).isEqualTo("a-1");
        play.on(Zones.node("b-0", "b", 4));
        play.on(Zones.node("a-1", "a", 0));
        one.fail(2, 137);
        play.passHeard(JUDGED.plusSeconds(1), 0);
        assertThat(one.rank(2).state()).isEqualTo(RankState.RETURNING);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }
}
