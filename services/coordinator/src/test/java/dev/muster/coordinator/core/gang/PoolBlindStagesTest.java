package dev.muster.coordinator.core.gang;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.after;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.within;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobSpec.Milestone;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Source;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The start deadline of a job in stages, while nobody sees whether it runs. */
class PoolBlindStagesTest {
    private final Play play = Play.withNodes(4);
    private final JobId a = job("a", 1);

    @Test
    void whatNobodySawBeforeALaterStagePutsOffTheStartDeadline() {
        var limits = new JobSpec.Deadlines(Duration.ZERO, Duration.ofMinutes(2), Duration.ZERO);
        var master = role("master", 1, 1);
        var worker = after("master", Milestone.RUNNING, role("worker", 1, 1));
        play.on(new Event.Submitted(a, within(limits, spec("default", master, worker)), null));
        play.pass(Duration.ofSeconds(90));
        listed();
        var blind = blind();
        assertThat(blind).isGreaterThan(Duration.ofSeconds(60));
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
        play.passHeard(blind, 0);
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.FAILED);
    }

    @Test
    void silenceOfWhoMakesOtherJobsPodsPutsOffNothing() {
        var limits = new JobSpec.Deadlines(Duration.ZERO, Duration.ofMinutes(2), Duration.ZERO);
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        play.on(new Event.PodManagerAlive("pods-1", Set.of(1)));
        play.on(
                new Event.Submitted(
                        a, within(limits, spec("default", role("worker", 1, 1))), null));
        play.passHeard(Duration.ofSeconds(125), 0);
        assertThat(blind()).isGreaterThan(Duration.ofSeconds(60));
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.FAILED);
    }

    /** How long in all somebody who would see it run was blind. */
    private Duration blind() {
        return play.rows.get(Row.Table.SOURCE).values().stream()
                .map(row -> ((Source) row).blindUntil(play.now()))
                .reduce(Duration.ZERO, Duration::plus);
    }

    /** The watcher is back; all that it lists is the master, which runs. */
    private void listed() {
        var rank = (Rank) play.rows.get(Row.Table.RANK).firstEntry().getValue();
        var mark = Fixtures.mark("master", 0, rank.making().incarnation());
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        play.on(new Event.SnapshotBegin(WATCHER, "again"));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-0", 4)));
        play.on(
                new Event.PodSeen(
                        WATCHER,
                        a,
                        Fixtures.pod(mark, 9, PodPhase.RUNNING, rank.making().node(), null)));
        play.on(new Event.SnapshotEnd(WATCHER, "again"));
    }
}
