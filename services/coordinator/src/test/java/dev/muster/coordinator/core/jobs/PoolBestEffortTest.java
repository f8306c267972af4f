package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.ElasticJobs.elastic;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.ScaledJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Change.ScaleOut;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Scaling.Stage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Growth by best effort while workers that were there before fail and come back. */
class PoolBestEffortTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final ScaledJob job = new ScaledJob(play, a);

    /** Two more are to come, and one that was there before is to be made again. */
    @BeforeEach
    void growsWhileAnEarlierOneIsAway() {
        job.one.runs(elastic("default", 2, 4, 8));
        job.scale(new ScaleOut("worker", 2, new Terms(MINUTE, false, Duration.ZERO, false)));
        job.one.fail(3, 137);
    }

    private void run(int index) {
        job.one.seeNewest(index, PodPhase.RUNNING, null);
    }

    private List<String> members() {
        return job.asking.members();
    }

    private int wished() {
        return play.job(a).spec().role("worker").replicas();
    }

    @Test
    void allThatCameInTimeAreKept() {
        run(4);
        run(5);
        play.passHeard(MINUTE, 0);
        assertThat(job.stage()).isEqualTo(Stage.FAILED);
        assertThat(job.scaling().message()).isEqualTo("5 of 6 ran in time; worker is to have 6");
        assertThat(members()).hasSize(6);
        assertThat(wished()).isEqualTo(6);
        run(3);
        play.passHeard(MINUTE, 0);
        assertThat(members()).hasSize(6);
    }

    @Test
    void ofThoseThatWereToComeOnlyWhoDidNotIsGivenUp() {
        run(4);
        play.passHeard(MINUTE, 0);
        assertThat(job.scaling().message()).isEqualTo("4 of 6 ran in time; worker is to have 5");
        assertThat(members()).hasSize(5).contains("worker-3", "worker-4");
        assertThat(wished()).isEqualTo(5);
    }

    /** Its pod has ended: nothing has to be waited for. */
    @Test
    void roomOfWhoIsGivenUpIsOthersAtOnce() {
        run(3);
        run(4);
        play.on(new Event.Submitted(job("b", 2), Fixtures.workers(3, 1), null));
        job.one.fail(5, 137);
        assertThat(members()).hasSize(5);
        assertThat(play.takeStarted()).containsExactly("a", "b");
    }

    @Test
    void whoTakesTheCommandBackKeepsWhatCame() {
        run(4);
        play.on(new Event.ChangeAsked(a, Change.Withdraw.ANY, null));
        assertThat(job.scaling().message()).isEqualTo("it was withdrawn; worker is to have 5");
        assertThat(members()).hasSize(5).contains("worker-3", "worker-4");
        assertThat(wished()).isEqualTo(5);
    }
}
