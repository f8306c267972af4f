package dev.muster.admission.stream;

import static dev.muster.admission.stream.Requests.change;
import static dev.muster.admission.stream.Requests.nameIn;
import static dev.muster.admission.stream.Requests.putPool;
import static dev.muster.admission.stream.Requests.submit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topic;
import dev.muster.schemas.Topics;
import dev.muster.schemas.contract.Limits;
import dev.muster.v1.Envelope;
import dev.muster.v1.JobChangeKind;
import dev.muster.v1.JobSignal;
import dev.muster.v1.JobSignalKind;
import dev.muster.v1.Outcome;
import dev.muster.v1.Problem;
import dev.muster.v1.QueueRequest;
import dev.muster.v1.RequestResult;
import dev.muster.v1.TrainingMetrics;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids and requests that are longer than a row, or the next topic, could hold. */
class LongIdsTest {
    private static final String JOB = nameIn(0, 0);
    private static final String TEAM =
            IntStream.iterate(0, i -> i + 1)
                    .mapToObj(i -> "team-" + i)
                    .filter(name -> Partitions.ofKey(Topics.QUEUE_REQUESTS, name) == 0)
                    .findFirst()
                    .orElseThrow();
    private static final String LONGEST = "i".repeat(Limits.ID_CHARACTERS);
    private static final String TOO_LONG = LONGEST + "i";

    private final Desk desk = Desk.withAQueue();

    @AfterEach
    void close() {
        desk.close();
    }

    @Test
    void longestIdIsTaken() {
        desk.ask(submit(LONGEST.substring(10), JOB)); // Its envelope.id is "asked-" and this.
        assertThat(desk.inbox()).hasSize(1);
    }

    @Test
    void commandsWithLongerIdsAreRefusedAndTheNextIsTaken() {
        desk.ask(submit("r1", JOB));
        for (int i = 0; i < 32; i++) {
            desk.ask(change(TOO_LONG + i, JOB, change(JobChangeKind.HOLD)));
        }
        desk.ask(change("r2", JOB, change(JobChangeKind.HOLD)));
        assertThat(desk.inbox()).hasSize(2);
        assertThat(desk.results())
                .hasSize(32)
                .allSatisfy(result -> assertIsRefusedFor("envelope.requestId", result));
        assertThat(desk.parked()).isEmpty();
    }

    @Test
    void submissionTheSettingsAndTheBulkChangeWithLongerIdsAreRefused() {
        desk.ask(submit(TOO_LONG, JOB));
        desk.ask(putPool(TOO_LONG, "tpus", null));
        desk.ask(Requests.bulk(TOO_LONG, TEAM, null));
        assertThat(desk.results())
                .hasSize(3)
                .allSatisfy(result -> assertIsRefusedFor("envelope.requestId", result));
        assertThat(desk.inbox()).isEmpty();
    }

    @Test
    void cancelWithMoreToSayThanAStatusShowsIsRefused() {
        desk.ask(submit("r1", JOB));
        desk.inbox();
        var request = Requests.cancel("r2", JOB);
        request.getCancel().setMessage("m".repeat(Limits.MESSAGE_CHARACTERS + 1));
        desk.ask(request);
        assertIsRefusedFor("message", desk.results().getLast());
        assertThat(desk.inbox()).isEmpty();
        request.getEnvelope().setRequestId("r3");
        request.getCancel().setMessage("m".repeat(Limits.MESSAGE_CHARACTERS));
        desk.ask(request);
        assertThat(desk.inbox()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "actor", "cause", "jobUid"})
    void whatElseTheEnvelopeSaysIsAsShort(String field) {
        var request = submit("r1", JOB);
        request.getEnvelope().put(field, TOO_LONG);
        desk.ask(request);
        assertIsRefusedFor("envelope." + field, desk.results().getFirst());
    }

    @Test
    void idThatIsLargerThanAnAnswerIsParked() {
        var large = "i".repeat(3 << 20);
        desk.ask(submit(large, JOB));
        desk.ask(putPool(large, "tpus", null));
        assertThat(desk.parked())
                .hasSize(2)
                .allSatisfy(parked ->
                        assertThat(parked.getError()).startsWith("envelope.requestId must"));
        assertThat(desk.results()).isEmpty();
    }

    @Test
    void queueThatIsLargerThanAnyRequestIsRefusedAndTheNextIsTaken() {
        desk.ask(large(putPool("r1", "tpus", null)));
        desk.ask(putPool("r2", "tpus", null));
        assertIsRefusedFor("", desk.results().getFirst());
        assertThat(desk.inbox()).hasSize(1);
    }

    private static QueueRequest large(QueueRequest request) {
        request.setFields(List.of("f".repeat(4_000_000)));
        return request;
    }

    @Test
    void reportsWithLongerIdsOrOfMoreBytesAreParked() {
        desk.ask(submit("r1", JOB));
        desk.inbox();
        tell(Topics.TRAINING_METRICS, metrics(envelope -> envelope.setRequestId(TOO_LONG)));
        tell(Topics.JOB_SIGNALS, signal("a", envelope -> envelope.setId(TOO_LONG)));
        tell(Topics.JOB_SIGNALS, signal("a".repeat(Limits.ASKED_BYTES), envelope -> {}));
        assertThat(desk.parked())
                .extracting(parked -> parked.getError().split(" ", 2)[0])
                .containsExactly("envelope.requestId", "envelope.id", "is");
        tell(Topics.JOB_SIGNALS, signal("a", envelope -> {}));
        assertThat(desk.inbox()).hasSize(1);
    }

    private static TrainingMetrics metrics(Consumer<Envelope> change) {
        return TrainingMetrics.newBuilder()
                .setEnvelope(envelope(change))
                .setNamespace("ml")
                .setName(JOB)
                .setStep(1)
                .setSamplesPerSecondThousandths(1000L)
                .build();
    }

    private static JobSignal signal(String message, Consumer<Envelope> change) {
        return JobSignal.newBuilder()
                .setEnvelope(envelope(change))
                .setKind(JobSignalKind.CHECKPOINT_SAVED)
                .setNamespace("ml")
                .setName(JOB)
                .setAnswers("17")
                .setMessage(message)
                .build();
    }

    private static Envelope envelope(Consumer<Envelope> change) {
        var envelope = Requests.envelope("r");
        envelope.setAttempt(3);
        change.accept(envelope);
        return envelope;
    }

    private void tell(Topic<?> topic, SpecificRecord report) {
        desk.raw(topic, JobKeys.of("ml", JOB), desk.bytes(topic, report));
    }

    private static void assertIsRefusedFor(String path, RequestResult result) {
        assertThat(result.getOutcome()).isEqualTo(Outcome.REFUSED);
        assertThat(result.getProblems()).extracting(Problem::getPath).containsExactly(path);
        assertThat(result.getMessage()).contains("must have at most");
    }
}
