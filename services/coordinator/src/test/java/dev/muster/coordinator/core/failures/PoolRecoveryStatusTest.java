package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.WaitReason.Code;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The status of a running job below its minimum says what explain says, whatever changes. */
class PoolRecoveryStatusTest {
    private final Play play = Play.withNodes(2);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @BeforeEach
    void aPodOfItIsMadeAgain() {
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        one.runs(ElasticJobs.elastic("default", 2, 2, 4));
        one.fail(1, 137);
        play.passHeard(Duration.ofSeconds(20), 0);
        play.takeEffects();
    }

    @Test
    void podThatIsScheduledAfterAllIsSaidToWaitForItsContainers() {
        says(null, Code.NOT_SCHEDULED);
        says("node-0", Code.CONTAINER_WAITING);
    }

    @Test
    void podThatItsNodeWouldNotHaveIsSaidToBeUnscheduled() {
        says("node-0", Code.CONTAINER_WAITING);
        says(null, Code.NOT_SCHEDULED);
    }

    /**
     * @param bound null: the scheduler finds no node for it
     */
    private void says(@Nullable String bound, Code code) {
        var mark = one.newest(1);
        var pod = Fixtures.pod(mark, one.nextVersion(), PodPhase.PENDING, bound, null);
        play.on(new Event.PodSeen(WATCHER, a, pod));
        play.pass(Jobs.PUBLISH_DELAY);
        var explained = play.explain(a).orElseThrow().reasons().getFirst();
        assertThat(explained.code()).isEqualTo(code);
        var word = play.take(Effect.Status.class).getLast().word();
        assertThat(word.reason()).isEqualTo(explained.code().label());
        assertThat(word.message()).isEqualTo(explained.message());
    }
}
