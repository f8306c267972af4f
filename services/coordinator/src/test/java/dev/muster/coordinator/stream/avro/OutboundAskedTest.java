package dev.muster.coordinator.stream.avro;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Step;
import dev.muster.coordinator.core.model.Decision;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Uid;
import dev.muster.v1.Envelope;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobEvent;
import dev.muster.v1.JobRef;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** By whom a job moved. */
class OutboundAskedTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final JobId RESNET = new JobId("ml", "resnet", new Uid(3, 4711));
    private static final SortedMap<Decision.Why, Integer> NONE = new TreeMap<>();
    private static final JobId OTHER = new JobId("ml", "other", new Uid(3, 4712));

    @ParameterizedTest
    @EnumSource(names = {"JOB_SUBMITTED", "JOB_CANCEL", "JOB_CHANGE"})
    void whoAskedSomethingOfAJobHadItMove(InboxKind kind) {
        assertThat(by(kind, RESNET)).isEqualTo("alice@desk");
    }

    /** It has the room of the one that was cancelled. */
    @Test
    void othersMovedByThemselves() {
        assertThat(by(InboxKind.JOB_CANCEL, OTHER)).isNull();
    }

    @ParameterizedTest
    @EnumSource(names = {"POD_SEEN", "PLAN_APPLIED", "JOB_SIGNAL", "TIME_PASSED"})
    void whoeverReportsSomethingAskedNothing(InboxKind kind) {
        assertThat(by(kind, RESNET)).isNull();
    }

    private static @Nullable String by(InboxKind kind, JobId moved) {
        var message =
                InboxEvent.newBuilder()
                        .setEnvelope(
                                Envelope.newBuilder()
                                        .setId("x")
                                        .setAt(NOON)
                                        .setActor("alice@desk")
                                        .build())
                        .setKind(kind)
                        .setPool("gpu")
                        .setJob(new JobRef("ml", "resnet", "3-4711"))
                        .build();
        var outbound = new Outbound(Origin.of("gpu", 5, 42, message), NOON, _ -> null, _ -> null);
        var effect = new Effect.Moved(moved, 1, 0, null, Phase.QUEUED, "", "");
        var step =
                new Step(
                        List.of(),
                        List.of(effect, effect),
                        new Step.Own(0, 1),
                        new TreeMap<>(),
                        NONE,
                        false);
        var outputs = outbound.records(step);
        assertThat(by(outputs.getLast())).isNull();
        return by(outputs.getFirst());
    }

    private static @Nullable String by(Output output) {
        return ((JobEvent) output.value()).getMoved().getBy();
    }
}
