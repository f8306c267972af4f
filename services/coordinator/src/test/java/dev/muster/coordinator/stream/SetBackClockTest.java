package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.history.whatif.Alteration;
import dev.muster.coordinator.history.whatif.WhatIf.OfQueue;
import dev.muster.coordinator.history.whatif.WhatIf.Waits;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The past of a pool whose broker's clock was three hours ahead, and was set right. */
class SetBackClockTest {
    private static final Duration AHEAD = Duration.ofHours(3);
    private static final Duration RUN = Duration.ofMinutes(1);

    private final PlayedAgain again = new PlayedAgain();
    private final Stage stage = again.stage;

    /** Two jobs of a core on one node of one core, by the right time again. */
    @BeforeEach
    void play() {
        stage.with(1);
        stage.pass(Duration.ofSeconds(1));
        stage.jump(AHEAD);
        stage.send(InboxRecords.aliveWatcher());
        stage.pass(Duration.ofSeconds(1));
        stage.send(InboxRecords.aliveWatcher());
        stage.jump(AHEAD.negated());
        for (int i = 1; i <= 2; i++) {
            stage.send(submitted(job("j" + i, i), workers(1)));
        }
        for (int i = 1; i <= 2; i++) {
            again.runs(job("j" + i, i));
            stage.pass(RUN);
            stage.tellTime();
            again.ends(job("j" + i, i));
        }
        stage.send(InboxRecords.aliveWatcher());
    }

    @AfterEach
    void close() {
        again.close();
    }

    @Test
    void replayComparesAllThatFollowsWhereItBegan() {
        var whole = again.replayed(Instant.EPOCH, stage.published, "");
        var part = again.replayed(Stage.NOON.plus(Duration.ofHours(1)), stage.published, "");

        assertThat(whole.findings()).isEmpty();
        assertThat(part.findings()).isEmpty();
        var jumped =
                stage.records().stream()
                        .filter(in -> in.appended().isAfter(Stage.NOON.plus(AHEAD)))
                        .findFirst()
                        .orElseThrow();
        assertThat(part.records()).isEqualTo(stage.records().size() - jumped.offset());
        assertThat(part.same()).isGreaterThan(10);
    }

    @Test
    void trialWithNothingAlteredGoesAsItWent() {
        var waits = new Waits(2, RUN.dividedBy(2), RUN, RUN);

        var whole = again.tried(Alteration.none());
        var part = again.tried(Stage.NOON.plus(Duration.ofHours(1)), Alteration.none());

        assertThat(whole.off()).isZero();
        assertThat(whole.queues())
                .containsExactly(Map.entry("default", new OfQueue(waits, waits, 0, 0)));
        assertThat(part.queues()).isEqualTo(whole.queues());
        assertThat(part.to()).isAfterOrEqualTo(part.from());
        assertThat(part.off()).isZero();
    }
}
