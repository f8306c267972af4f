package dev.muster.coordinator.history.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.history.explain.Explanation.Estimate;
import dev.muster.v1.Decision;
import dev.muster.v1.DecisionKind;
import dev.muster.v1.Envelope;
import dev.muster.v1.StartedDecision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PaceTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final Pace pace = new Pace();

    /** Four within twenty minutes: one every five, and the third of the queue after three. */
    @Test
    void placeInTheQueueTimesWhatOneStartTook() {
        for (int minute = 0; minute < 20; minute += 5) {
            add(DecisionKind.STARTED, minute);
        }
        assertThat(pace.estimate(3, NOON.plus(Duration.ofMinutes(20))))
                .isEqualTo(new Estimate(NOON.plus(Duration.ofMinutes(35)), 3, 4, NOON));
    }

    @Test
    void onlyStartsCount() {
        add(DecisionKind.WAITS, 0);
        for (int minute = 10; minute < 13; minute++) {
            add(DecisionKind.STARTED, minute);
            add(DecisionKind.WAITS, minute);
        }
        assertThat(pace.estimate(1, NOON.plus(Duration.ofMinutes(16))))
                .isEqualTo(
                        new Estimate(
                                NOON.plus(Duration.ofMinutes(18)),
                                1,
                                3,
                                NOON.plus(Duration.ofMinutes(10))));
    }

    @Test
    void twoStartsSayNothing() {
        add(DecisionKind.STARTED, 0);
        add(DecisionKind.STARTED, 1);
        assertThat(pace.estimate(1, NOON.plus(Duration.ofMinutes(2)))).isNull();
    }

    /** It was nobody's turn: whoever waits in the queue is as far from its own as before. */
    @Test
    void gangsMadeAgainInTheirOwnRoomAreNoStarts() {
        add(started(Map.of("q", 0L)), 0);
        for (int minute = 1; minute < 4; minute++) {
            add(started(Map.of()), minute);
        }
        assertThat(pace.estimate(1, NOON.plus(Duration.ofMinutes(4)))).isNull();
    }

    private void add(DecisionKind kind, int minute) {
        add(
                kind == DecisionKind.STARTED
                        ? started(Map.of("q", 0L))
                        : Decision.newBuilder().setKind(kind),
                minute);
    }

    private static Decision.Builder started(Map<String, Long> credits) {
        var started =
                StartedDecision.newBuilder()
                        .setPlacements(List.of())
                        .setCredits(credits)
                        .setPassed(0)
                        .build();
        return Decision.newBuilder().setKind(DecisionKind.STARTED).setStarted(started);
    }

    private void add(Decision.Builder decision, int minute) {
        var envelope =
                Envelope.newBuilder()
                        .setId("d" + minute)
                        .setAt(NOON.plus(Duration.ofMinutes(minute)))
                        .setActor("coordinator")
                        .build();
        pace.add(decision.setEnvelope(envelope).setPool("p").setQueue("q").build());
    }
}
