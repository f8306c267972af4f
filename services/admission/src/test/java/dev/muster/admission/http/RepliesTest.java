package dev.muster.admission.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.v1.Envelope;
import dev.muster.v1.JobRef;
import dev.muster.v1.Outcome;
import dev.muster.v1.Phase;
import dev.muster.v1.Problem;
import dev.muster.v1.RequestResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;

class RepliesTest {
    @ParameterizedTest
    @MethodSource
    void everyOutcomeHasItsStatus(Outcome outcome, int status) {
        var reply = Replies.of(HttpStatus.CREATED, "r1", result(outcome), List.of());
        assertThat(reply.getStatusCode().value()).isEqualTo(status);
    }

    static Stream<Arguments> everyOutcomeHasItsStatus() {
        return Stream.of(
                argumentSet("accepted", Outcome.ACCEPTED, 201),
                argumentSet("done", Outcome.DONE, 201),
                argumentSet("duplicate", Outcome.DUPLICATE, 200),
                argumentSet("conflict", Outcome.CONFLICT, 409),
                argumentSet("ended", Outcome.ENDED, 409),
                argumentSet("refused", Outcome.REFUSED, 422),
                argumentSet("not found", Outcome.NOT_FOUND, 404),
                argumentSet("of a later release", Outcome.UNKNOWN, 502));
    }

    @Test
    void withoutAnAnswerTheRequestIsPending() {
        var reply = Replies.of(HttpStatus.CREATED, "r1", null, List.of());
        assertThat(reply.getStatusCode()).isEqualTo(HttpStatus.ACCEPTED);
        assertThat(((Replies.Reply) reply.getBody()).requestId()).isEqualTo("r1");
    }

    @Test
    void whatIsAcceptedIsToldWithItsSubmission() {
        var reply = Replies.of(HttpStatus.CREATED, "r1", result(Outcome.ACCEPTED), List.of());
        assertThat(reply.getBody())
                .isEqualTo(
                        new Replies.Reply(
                                "Accepted",
                                "ml",
                                "resnet",
                                "3-10",
                                "Queued",
                                "r1",
                                "",
                                Map.of(),
                                List.of()));
    }

    @Test
    void refusalHasAllThatIsKnown() {
        var reply = Replies.of(HttpStatus.CREATED, "r1", result(Outcome.NOT_FOUND), List.of());
        var detail = (ProblemDetail) reply.getBody();
        assertThat(detail.getTitle()).isEqualTo("NotFound");
        assertThat(detail.getDetail()).isEqualTo("one thing is wrong");
        assertThat(detail.getProperties())
                .containsEntry("requestId", "r1")
                .containsEntry("phase", "Queued")
                .containsEntry("problems", List.of(new Replies.Said("spec.queue", "x", "no")))
                .containsEntry("job", Map.of("namespace", "ml", "name", "resnet", "uid", "3-10"));
    }

    @Test
    void refusalAtTheDoorTellsTheFirstAndHowManyMoreThereAre() {
        var problems =
                IntStream.range(0, 1_250)
                        .mapToObj(i -> new Replies.Said("spec.f" + i, "", "is not a known field"))
                        .toList();
        var told = new ArrayList<>(problems.subList(0, 100));
        told.add(new Replies.Said("", "", "and 1,150 more"));
        assertThat(refused(problems)).containsEntry("problems", told);
        assertThat(refused(told)).containsEntry("problems", told);
        assertThat(Replies.refused(problems, "r1").getBody())
                .isInstanceOfSatisfying(
                        ProblemDetail.class,
                        it ->
                                assertThat(it.getDetail())
                                        .isEqualTo("more than 100 things are wrong"));
    }

    @Test
    void refusalAtTheDoorTellsNoMoreOfOneThanCanBeRead() {
        var word = "x".repeat(5_000);
        assertThat(refused(List.of(new Replies.Said(word, word, word))))
                .containsEntry(
                        "problems", List.of(new Replies.Said(cut(300), cut(80), cut(1_000))));
    }

    private static String cut(int length) {
        return "x".repeat(length - 1) + "…";
    }

    private static Map<String, Object> refused(List<Replies.Said> problems) {
        var detail = (ProblemDetail) Replies.refused(problems, "r1").getBody();
        return detail.getProperties();
    }

    private static RequestResult result(Outcome outcome) {
        var envelope = Envelope.newBuilder().setId("1").setAt(Instant.EPOCH).setActor("a");
        return RequestResult.newBuilder()
                .setEnvelope(envelope.build())
                .setOutcome(outcome)
                .setJob(new JobRef("ml", "resnet", "3-10"))
                .setPhase(Phase.QUEUED)
                .setProblems(List.of(new Problem("spec.queue", "x", "no")))
                .build();
    }
}
