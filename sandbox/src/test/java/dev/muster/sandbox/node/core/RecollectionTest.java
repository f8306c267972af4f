package dev.muster.sandbox.node.core;

import static dev.muster.sandbox.node.core.Fixtures.NOON;
import static dev.muster.sandbox.node.core.Fixtures.RULES;
import static dev.muster.sandbox.node.core.Fixtures.end;
import static dev.muster.sandbox.node.core.Fixtures.ended;
import static dev.muster.sandbox.node.core.Fixtures.pod;
import static dev.muster.sandbox.node.core.Fixtures.run;
import static dev.muster.sandbox.node.core.Fixtures.running;
import static dev.muster.sandbox.node.core.Fixtures.taken;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecollectionTest {
    private static final Instant NOW = NOON.plusSeconds(60);

    @Test
    void aPodWithoutAStatusIsTakenNow() {
        assertThat(Recollection.of(pod().build(), NOW)).isEqualTo(PodRun.taken(NOW));
    }

    @Test
    void whatHadNotStartedIsStillToCome() {
        assertThat(Recollection.of(reported(taken(), false), NOW)).isEqualTo(taken());
    }

    @Test
    void whatRanIsGoneAndNobodyKnowsHow() {
        assertThat(Recollection.of(reported(run("main", running()), false), NOW))
                .isEqualTo(
                        run(
                                "main",
                                new ContainerRun(
                                        0, PodStatuses.unknownEnd(NOON, NOW), null, null, false)));
    }

    @Test
    void whatWaitedForARestartWaitsForItsNext() {
        var crashed = new ContainerRun(2, end(1), end(1), null, false);
        assertThat(Recollection.of(reported(run("main", crashed), false), NOW))
                .isEqualTo(run("main", new ContainerRun(2, end(1), null, null, false)));
    }

    @Test
    void aFinalPhaseIsFinal() {
        assertThat(Recollection.isFinal(reported(run("main", ended(0)), true))).isTrue();
        assertThat(Recollection.isFinal(reported(run("main", ended(1)), true))).isTrue();
        assertThat(Recollection.isFinal(reported(run("main", running()), false))).isFalse();
        assertThat(Recollection.isFinal(pod().build())).isFalse();
    }

    private static Pod reported(PodRun run, boolean over) {
        var pod = pod().editSpec().withRestartPolicy("Never").endSpec().build();
        var statuses = new PodStatuses(pod, PodShape.of(pod), RULES);
        pod.setStatus(statuses.of(run, over, List.of(), NOON));
        return pod;
    }
}
