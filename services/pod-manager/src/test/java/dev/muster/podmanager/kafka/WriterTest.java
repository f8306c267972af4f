package dev.muster.podmanager.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.podmanager.core.Action.Apply;
import dev.muster.podmanager.core.Action.AskRestart;
import dev.muster.podmanager.core.Action.CreatePod;
import dev.muster.podmanager.core.Action.Delete;
import dev.muster.podmanager.core.Action.Edits;
import dev.muster.podmanager.core.Action.Write;
import dev.muster.podmanager.core.ApiAnswer.Denied;
import dev.muster.podmanager.core.ApiAnswer.Done;
import dev.muster.podmanager.core.ApiAnswer.Later;
import dev.muster.podmanager.core.JobName;
import dev.muster.podmanager.core.Kind;
import dev.muster.podmanager.core.Mark;
import dev.muster.podmanager.core.PodNotes;
import dev.muster.podmanager.core.Rank;
import dev.muster.podmanager.core.Seen;
import dev.muster.podmanager.kubernetes.FakeApiServer;
import dev.muster.schemas.contract.CheckpointId;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes that wait for their turn in the rate limit. */
class WriterTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final JobName JOB = new JobName("ml", "resnet");
    private static final int PARTITION = 3;
    private static final Delete DELETE =
            new Delete(Kind.POD, "ml", "resnet-worker-0", "pod-uid", null);

    private static final AskRestart ASK =
            new AskRestart(
                    new GenericKubernetesResourceBuilder()
                            .withNewMetadata()
                            .withName("resnet-worker-0-7")
                            .endMetadata()
                            .build());

    private static final CreatePod CREATE =
            new CreatePod(
                    new PodBuilder()
                            .withNewMetadata()
                            .withName("resnet-worker-7")
                            .endMetadata()
                            .build());

    private Instant now = NOON;
    private final FakeApiServer server = new FakeApiServer();
    private final Tenure tenure = new Tenure(Duration.ofSeconds(6), () -> now);

    /** What happens while a request waits for its turn. */
    private Runnable meanwhile = () -> {};

    private final Writer writer =
            new Writer(
                    server.cluster(() -> {
                        meanwhile.run();
                        return NOON;
                    }),
                    tenure,
                    1);

    WriterTest() throws IOException {
        tenure.open(List.of(PARTITION));
        tenure.prove(NOON);
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void aWriteIsSentWhileThePartitionIsOurs() throws IOException {
        assertThat(write().answer()).isEqualTo(new Done());
        assertThat(server.asked())
                .containsExactly("DELETE /api/v1/namespaces/ml/pods/resnet-worker-0");
    }

    @Test
    void aWriteThatWaitsLongerThanAProofLastsIsNotSent() throws IOException {
        meanwhile = () -> now = NOON.plusSeconds(3);
        assertThat(write().answer()).isInstanceOf(Later.class);
        assertThat(server.asked()).isEmpty();
    }

    @Test
    void aWriteWhosePartitionIsGivenAwayWhileItWaitsIsNotSentAndNotWaitedFor() throws IOException {
        meanwhile = this::giveAway;
        assertThat(write().answer()).isInstanceOf(Later.class);
        assertThat(server.asked()).isEmpty();
    }

    @Test
    void ofAPartitionThatIsNotOursNothingWaitsForItsTurn() throws IOException {
        giveAway();
        meanwhile =
                () -> {
                    throw new AssertionError("it waits");
                };
        assertThat(write().answer()).isInstanceOf(Later.class);
    }

    /** The roles may be about to be mended, as every other write takes it. */
    @Test
    void aRestartThatTheRolesDoNotLetUsAskForIsWaitedFor() throws IOException {
        var denial =
                "containerrecreaterequests.apps.kruise.io is forbidden: User \\\"pods\\\" cannot"
                        + " create resource \\\"containerrecreaterequests\\\" in API group"
                        + " \\\"apps.kruise.io\\\" in the namespace \\\"ml\\\"";
        forbids(denial);
        assertThat(writer.write(PARTITION, JOB, List.of(ASK)).answer()).isInstanceOf(Denied.class);
    }

    /** The pool sees no restart, and does without. */
    @Test
    void aRestartThatAPolicyForbidsIsNotAskedForAgain() throws IOException {
        forbids("admission webhook \\\"policy\\\" denied the request: not here");
        var result = writer.write(PARTITION, JOB, List.of(ASK));
        assertThat(result.answer()).isEqualTo(new Done());
        assertThat(result.made()).extracting(Seen::name).containsExactly("resnet-worker-0-7");
        assertThat(result.onward()).isFalse();
    }

    /** It runs: that it is not asked to save is no reason to end its job. */
    @Test
    void podsThatCannotBeToldSomethingShowAsToldAndOneIsTried() throws IOException {
        forbids("admission webhook \\\"policy\\\" denied the request: no updates");
        var first = there("resnet-worker-0");
        var second = there("resnet-worker-1");
        var result = writer.write(PARTITION, JOB, List.of(note(first), note(second)));
        assertThat(result.answer()).isEqualTo(new Done());
        assertThat(result.made())
                .containsExactly(
                        first.with(new PodNotes(7, new CheckpointId("3-7", 12))),
                        second.with(new PodNotes(7, new CheckpointId("3-7", 12))));
        assertThat(result.onward()).isFalse();
        assertThat(server.asked())
                .isNotEmpty()
                .allMatch(asked -> asked.contains("/pods/resnet-worker-0"));
    }

    /** A policy may protect one object, and a webhook may hang at one. */
    @ParameterizedTest
    @ValueSource(ints = {403, 500})
    void aDeletionThatFailsHoldsNothingElseUp(int code) throws IOException {
        fails(code, path -> path.endsWith("/resnet-worker-0"));
        var result = writer.write(PARTITION, JOB, List.of(DELETE, delete(1), delete(2), CREATE));
        assertThat(result.answer())
                .isInstanceOfSatisfying(
                        Later.class, later -> assertThat(later.why()).contains("policy"));
        assertThat(result.onward()).isTrue();
        assertThat(server.asked())
                .containsExactlyInAnyOrder(
                        "DELETE /api/v1/namespaces/ml/pods/resnet-worker-0",
                        "DELETE /api/v1/namespaces/ml/pods/resnet-worker-1",
                        "DELETE /api/v1/namespaces/ml/pods/resnet-worker-2",
                        "POST /api/v1/namespaces/ml/pods");
    }

    @Test
    void whereSomeDeletionsFailOneAfterTheOtherTheRestWaits() throws IOException {
        fails(403, _ -> true);
        assertThat(writer.write(PARTITION, JOB, deletions(100)).answer()).isInstanceOf(Later.class);
        assertThat(server.asked()).hasSize(3);
    }

    @Test
    void whereTheSameDeletionsFailEachTimeAllOthersHaveTheirTurn() throws IOException {
        fails(403, path -> !path.endsWith("/resnet-worker-20"));
        var deletions = deletions(21);
        boolean onward = false;
        for (int pass = 0; pass < 1_000 && !onward; pass++) {
            onward = writer.write(PARTITION, JOB, deletions).onward();
        }
        assertThat(onward).isTrue();
    }

    /** Whatever came first: a server that asks for time is given it. */
    @Test
    void ofSeveralWaitsTheLongestIsKept() throws IOException {
        server.answers(exchange -> {
            boolean isMaking = exchange.getRequestMethod().equals("POST");
            if (isMaking) {
                exchange.getResponseHeaders().add("Retry-After", "30");
            }
            FakeApiServer.answer(
                    exchange,
                    isMaking ? 500 : 403,
                    isMaking
                            ? "{\"message\": \"webhook \\\"quota\\\" is busy\"}"
                            : "{\"message\": \"webhook \\\"policy\\\" denied the request: no\"}");
        });
        var result = writer.write(PARTITION, JOB, List.of(DELETE, CREATE));
        assertThat(result.answer())
                .isInstanceOfSatisfying(
                        Later.class,
                        later -> {
                            assertThat(later.atLeast()).isEqualTo(Duration.ofSeconds(30));
                            assertThat(later.why()).contains("quota");
                        });
    }

    private static List<Write> deletions(int number) {
        return IntStream.range(0, number).<Write>mapToObj(WriterTest::delete).toList();
    }

    private static Delete delete(int index) {
        return new Delete(Kind.POD, "ml", "resnet-worker-" + index, "uid-" + index, null);
    }

    /** All requests to these paths, and else it is done. */
    private void fails(int code, Predicate<String> which) {
        server.answers(exchange -> {
            boolean fails = which.test(exchange.getRequestURI().getPath());
            FakeApiServer.answer(
                    exchange,
                    fails ? code : 200,
                    fails
                            ? "{\"message\": \"webhook \\\"policy\\\" denied the request: no\"}"
                            : "{\"metadata\": {\"name\": \"it\", \"uid\": \"u\"}}");
        });
    }

    private static Seen there(String name) {
        var mark = new Mark("3-7", 1, 4, new Mark.Making(new Rank("worker", 0), 2));
        return Seen.of(Kind.POD, name, "uid-of-" + name, mark).in("41");
    }

    private static Apply note(Seen there) {
        var annotations = Map.of("muster.dev/checkpoint", "3-7.12", "muster.dev/hosts", "7");
        var told =
                new PodBuilder()
                        .withNewMetadata()
                        .withName(there.name())
                        .withNamespace("ml")
                        .withAnnotations(annotations)
                        .endMetadata()
                        .build();
        return new Apply(Kind.POD, told, Edits.UNDONE, there);
    }

    private void forbids(String message) {
        server.answers(exchange ->
                FakeApiServer.answer(
                        exchange,
                        403,
                        "{\"reason\": \"Forbidden\", \"message\": \"%s\"}".formatted(message)));
    }

    private void giveAway() {
        var began = System.nanoTime();
        try {
            tenure.close(List.of(PARTITION), Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
    }

    private Writer.Result write() throws IOException {
        return writer.write(PARTITION, JOB, List.of(DELETE));
    }
}
