package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.ContainerEnd;
import dev.muster.coordinator.core.model.Event.EarlierRuns;
import dev.muster.coordinator.core.model.Event.InitRuns;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pod whose sandbox is made anew runs all its init containers again; that is one incident. */
class PoolInitContainersTest {
    private static final InitRuns ONCE = new InitRuns(0, true);
    private static final InitRuns AGAIN = new InitRuns(1, true);
    private static final InitRuns FAILED = new InitRuns(1, false);
    private static final ContainerEnd KILLED = new ContainerEnd(137, "Error", "");

    private final Play play = Play.withNodes(4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @BeforeEach
    void runs() {
        one.runs(failing(policy(Otherwise.GANG), workers(2, 1)));
    }

    @Test
    void allAtOnce() {
        see(new EarlierRuns(3, KILLED, List.of(AGAIN, AGAIN)));
        charged(1);
    }

    @Test
    void oneAfterTheOther() {
        see(new EarlierRuns(1, null, List.of(AGAIN, ONCE)));
        play.restart();
        see(new EarlierRuns(2, null, List.of(AGAIN, AGAIN)));
        charged(0);
        see(new EarlierRuns(3, KILLED, List.of(AGAIN, AGAIN)));
        charged(1);
    }

    @Test
    void whatFailsAfterThatIsItsOwn() {
        see(new EarlierRuns(3, KILLED, List.of(AGAIN, AGAIN)));
        charged(1);
        see(new EarlierRuns(4, KILLED, List.of(AGAIN, AGAIN)));
        charged(2);
        see(new EarlierRuns(7, KILLED, List.of(new InitRuns(2, true), new InitRuns(2, true))));
        charged(3);
    }

    @Test
    void initContainerThatRanThenFellWithIt() {
        see(new EarlierRuns(2, KILLED, List.of(AGAIN, FAILED)));
        charged(1);
    }

    /** After it has settled. */
    private void charged(int times) {
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(play.job(a).past().budgets().all()).isEqualTo(times);
    }

    private void see(EarlierRuns runs) {
        var node = one.rank(0).making().node();
        var pod = Fixtures.pod(OneJob.mark(0), one.nextVersion(), PodPhase.RUNNING, node);
        play.on(new Event.PodSeen(WATCHER, a, Fixtures.again(pod, runs)));
    }
}
