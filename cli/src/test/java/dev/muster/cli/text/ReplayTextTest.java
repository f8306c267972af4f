package dev.muster.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Step;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.history.log.InboxRecord;
import dev.muster.coordinator.history.replay.Finding;
import dev.muster.coordinator.history.replay.Heard;
import dev.muster.coordinator.history.replay.Replay;
import dev.muster.v1.Envelope;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobRef;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ReplayTextTest {
    private static final Finding DIFFERENCE = new Finding.NotTaken(7, "it is cut off");
    private static final Finding OTHER_VERSION = new Finding.OtherVersion(8, "1", "2");

    private static final InboxRecord RECORD =
            new InboxRecord(5, 7, Instant.parse("2026-01-01T12:00:00Z"), null);

    private static Replay.Result result(long differences) {
        return new Replay.Result(
                10, 5, differences, 0, 0, 0, 0, List.of(DIFFERENCE, OTHER_VERSION));
    }

    @Test
    void saysThatThereIsMoreThanIsShown() {
        assertThat(ReplayText.of("default", result(2)).getLast()).contains("not shown");
        assertThat(ReplayText.of("default", result(1)).getLast())
                .isEqualTo(OTHER_VERSION.sentence());
    }

    @Test
    void recordThatWasTakenIsShownWithWhatFollowed() {
        var message =
                InboxEvent.newBuilder()
                        .setEnvelope(
                                Envelope.newBuilder()
                                        .setId("e")
                                        .setAt(Instant.EPOCH)
                                        .setActor("test")
                                        .build())
                        .setKind(InboxKind.JOB_CANCEL)
                        .setPool("default");
        var other = new Effect.QueueDeleted("q".repeat(300));
        var step =
                new Step(
                        List.of(),
                        List.of(new Effect.QueueDeleted("ml"), other),
                        Step.Own.NONE,
                        new TreeMap<>(),
                        new TreeMap<>(),
                        false);
        var event = new Event.CoreVersion("2");
        var ofJob = message.setJob(new JobRef("ml", "resnet", "3-1")).build();

        assertThat(ReplayText.step(new Heard.Taken(RECORD, ofJob, event, step, List.of())))
                .containsExactly(
                        "7  2026-01-01T12:00:00Z  JobCancel ml/resnet",
                        "    QueueDeleted[name=ml]",
                        "    " + other.toString().substring(0, 199) + "…");
        var ofNone = message.setJob(null).build();
        assertThat(ReplayText.step(new Heard.Taken(RECORD, ofNone, event, step, List.of())))
                .startsWith("7  2026-01-01T12:00:00Z  JobCancel");
    }

    @Test
    void recordThatWasNotTakenSaysWhy() {
        assertThat(ReplayText.step(new Heard.Parked(RECORD)))
                .containsExactly("7  2026-01-01T12:00:00Z  parked: passed over");
        assertThat(ReplayText.step(new Heard.Unusable(RECORD, "it is cut off")))
                .containsExactly("7  2026-01-01T12:00:00Z  cannot be taken in here: it is cut off");
    }
}
