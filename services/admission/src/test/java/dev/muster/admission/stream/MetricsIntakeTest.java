package dev.muster.admission.stream;

import static dev.muster.admission.stream.Requests.nameIn;
import static dev.muster.admission.stream.Requests.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Topics;
import dev.muster.v1.Envelope;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.TrainingDigest;
import dev.muster.v1.TrainingMetrics;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How jobs' own measures come to their pools. */
class MetricsIntakeTest {
    private static final String JOB = nameIn(0, 0);

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Desk desk = Desk.withAQueue();

    MetricsIntakeTest() {
        Metrics.addRegistry(meters);
    }

    @AfterEach
    void close() {
        Metrics.removeRegistry(meters);
        desk.close();
    }

    @Test
    void digestOfTenSecondsGoesToThePoolOfTheJob() {
        desk.ask(submit("r1", JOB));
        var submitted = desk.inbox().getFirst();
        for (int second = 0; second <= 20; second++) {
            say(JOB, second, 1000L * second, null);
            desk.pass(Duration.ofSeconds(1));
        }
        var digests = desk.inbox();
        assertThat(digests).extracting(InboxEvent::getKind).containsOnly(InboxKind.TRAINING_DIGEST);
        assertThat(digests)
                .extracting(InboxEvent::getTrainingDigest)
                .extracting(
                        TrainingDigest::getSamples, TrainingDigest::getSamplesPerSecondThousandths)
                .containsExactly(tuple(11, 5000L), tuple(10, 15000L));
        var first = digests.getFirst();
        assertThat(first.getPool()).isEqualTo("gpus");
        assertThat(first.getJob()).isEqualTo(submitted.getJob());
        assertThat(first.getEnvelope().getAttempt()).isEqualTo(3);
        assertThat(first.getRequestKey()).isNull();
    }

    @Test
    void whatIsSaidOfAnUnknownJobIsDroppedAndCounted() {
        say(nameIn(0, 1), 1, 1000L, null);
        assertThat(desk.parked()).isEmpty();
        assertThat(desk.inbox()).isEmpty();
        assertThat(meters.counter("muster.admission.metrics.dropped", "why", "unknown").count())
                .isPositive();
    }

    @Test
    void whatIsSaidOfAnOlderSubmissionIsDropped() {
        desk.ask(submit("r1", JOB));
        desk.inbox();
        say(JOB, 1, 1000L, "0-999");
        desk.pass(Duration.ofSeconds(10));
        say(JOB, 2, 1000L, "0-999");
        assertThat(desk.inbox()).isEmpty();
        assertThat(meters.counter("muster.admission.metrics.dropped", "why", "older").count())
                .isEqualTo(2);
    }

    @Test
    void whatAnEarlierAttemptSaysBesideALaterOneIsDroppedAndCounted() {
        desk.ask(submit("r1", JOB));
        desk.inbox();
        for (int second = 0; second <= 20; second++) {
            say(JOB, second, 1000L, null);
            say(JOB, second, 9000L, null, 2);
            desk.pass(Duration.ofSeconds(1));
        }
        assertThat(desk.inbox())
                .extracting(InboxEvent::getTrainingDigest)
                .extracting(TrainingDigest::getSamplesPerSecondThousandths)
                .contains(1000L)
                .doesNotContain(9000L);
        assertThat(
                        meters.counter("muster.admission.metrics.dropped", "why", "earlierAttempt")
                                .count())
                .isGreaterThan(10);
    }

    @Test
    void sampleWithoutASpeedIsParked() {
        desk.ask(submit("r1", JOB));
        say(JOB, 1, null, null);
        assertThat(desk.parked())
                .singleElement()
                .satisfies(parked -> assertThat(parked.getError()).contains("samplesPerSecond"));
    }

    private void say(String name, long step, @Nullable Long speed, @Nullable String uid) {
        say(name, step, speed, uid, 3);
    }

    private void say(
            String name, long step, @Nullable Long speed, @Nullable String uid, int attempt) {
        var sample =
                TrainingMetrics.newBuilder()
                        .setEnvelope(
                                Envelope.newBuilder()
                                        .setId("s" + step)
                                        .setAt(Requests.NOON)
                                        .setActor("script")
                                        .setAttempt(attempt)
                                        .setJobUid(uid)
                                        .build())
                        .setNamespace("ml")
                        .setName(name)
                        .setStep(step)
                        .setSamplesPerSecondThousandths(speed)
                        .build();
        var key = JobKeys.of("ml", name);
        desk.raw(Topics.TRAINING_METRICS, key, desk.bytes(Topics.TRAINING_METRICS, sample));
    }
}
