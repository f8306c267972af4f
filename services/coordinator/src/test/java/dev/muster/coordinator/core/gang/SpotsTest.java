package dev.muster.coordinator.core.gang;

import static dev.muster.coordinator.core.Fixtures.WATCHER;
import static dev.muster.coordinator.core.Fixtures.job;
import static dev.muster.coordinator.core.Fixtures.role;
import static dev.muster.coordinator.core.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Fixtures;
import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.state.Effect;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

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
        play.pass(Jobs.GATHER);
        assertThat(last().spots()).isEqualTo(Map.of("worker", new Spots(2, 1)));
        see("worker", 1, PodPhase.RUNNING);
        assertThat(last().spots()).isEqualTo(Map.of("worker", new Spots(2, 2)));
    }

    @Test
    void jobWithoutSpotPodsHasNoneToCount() {
        play.on(new Event.Submitted(a, spec("default", role("worker", 2, 1)), null));
        assertThat(last().spots()).isEmpty();
    }

    private static JobSpec.Role spot(int spot, JobSpec.Role role) {
        return new JobSpec.Role(
                role.name(),
                role.replicas(),
                role.min(),
                spot,
                role.pod(),
                role.dependsOn(),
                role.care(),
                0);
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
