package dev.muster.admission.stream;

import static dev.muster.admission.stream.Requests.nameIn;
import static dev.muster.admission.stream.Requests.submit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.admission.core.SignalLimit;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Topics;
import dev.muster.v1.Envelope;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobSignal;
import dev.muster.v1.JobSignalKind;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How what jobs have to say comes to their pools. */
class SignalIntakeTest {
    private static final String JOB = nameIn(0, 0);

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Desk desk = Desk.withAQueue();

    SignalIntakeTest() {
        Metrics.addRegistry(meters);
    }

    @AfterEach
    void close() {
        Metrics.removeRegistry(meters);
        desk.close();
    }

    @Test
    void answerGoesToThePoolOfTheJob() {
        desk.ask(submit("r1", JOB));
        var submitted = desk.inbox().getFirst();
        say(JOB, JobSignalKind.CHECKPOINT_FAILED, "17", null);
        assertThat(desk.inbox())
                .singleElement()
                .satisfies(told -> {
                    assertThat(told.getKind()).isEqualTo(InboxKind.JOB_SIGNAL);
                    assertThat(told.getPool()).isEqualTo("gpus");
                    assertThat(told.getJob()).isEqualTo(submitted.getJob());
                    assertThat(told.getEnvelope().getAttempt()).isEqualTo(3);
                    assertThat(told.getRequestKey()).isNull();
                    var signal = told.getJobSignal();
                    assertThat(signal.getKind()).isEqualTo(JobSignalKind.CHECKPOINT_FAILED);
                    assertThat(signal.getAnswers()).isEqualTo("17");
                    assertThat(signal.getMessage()).isEqualTo("a word");
                });
    }

    @Test
    void whatIsSaidOfAnUnknownJobOrAnOlderSubmissionIsDroppedAndCounted() {
        say(nameIn(0, 1), JobSignalKind.CHECKPOINT_SAVED, "17", null);
        desk.ask(submit("r1", JOB));
        desk.inbox();
        say(JOB, JobSignalKind.CHECKPOINT_SAVED, "17", "0-999");
        assertThat(desk.parked()).isEmpty();
        assertThat(desk.inbox()).isEmpty();
        assertThat(dropped("unknown")).isEqualTo(1);
        assertThat(dropped("older")).isEqualTo(1);
    }

    @Test
    void checkpointThatNobodyAskedForIsDroppedAndCounted() {
        desk.ask(submit("r1", JOB));
        desk.inbox();
        say(JOB, JobSignalKind.CHECKPOINT_SAVED, null, null);
        assertThat(desk.inbox()).isEmpty();
        assertThat(dropped("unasked")).isEqualTo(1);
    }

    @Test
    void jobThatSaysTooMuchIsNotHeardForAWhile() {
        desk.ask(submit("r1", JOB));
        desk.inbox();
        for (int i = 0; i < SignalLimit.BURST + 200; i++) {
            say(JOB, JobSignalKind.CHECKPOINT_SAVED, "17", null);
        }
        assertThat(dropped("tooMany")).isPositive();
        assertThat(desk.inbox().size() + (int) dropped("tooMany"))
                .isEqualTo(SignalLimit.BURST + 200);
    }

    @Test
    void whatSpeaksOfNobodyOrSaysNothingIsParked() {
        desk.ask(submit("r1", JOB));
        desk.inbox();
        say(JOB, JobSignalKind.DRAINED, null, null);
        say(JOB, JobSignalKind.UNKNOWN, "17", null);
        assertThat(desk.parked())
                .extracting(parked -> parked.getError().split(" ", 2)[0])
                .containsExactly("role", "kind");
        assertThat(desk.inbox()).isEmpty();
    }

    private double dropped(String why) {
        return meters.counter("muster.admission.signals.dropped", "why", why).count();
    }

    private void say(
            String name, JobSignalKind kind, @Nullable String answers, @Nullable String uid) {
        var signal =
                JobSignal.newBuilder()
                        .setEnvelope(
                                Envelope.newBuilder()
                                        .setId("s")
                                        .setAt(Requests.NOON)
                                        .setActor("script")
                                        .setAttempt(3)
                                        .setJobUid(uid)
                                        .build())
                        .setKind(kind)
                        .setNamespace("ml")
                        .setName(name)
                        .setAnswers(answers)
                        .setMessage("a word")
                        .build();
        var key = JobKeys.of("ml", name);
        desk.raw(Topics.JOB_SIGNALS, key, desk.bytes(Topics.JOB_SIGNALS, signal));
    }
}
