package dev.muster.admission.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.admission.core.Request.Cancel;
import dev.muster.admission.core.Request.Change;
import dev.muster.admission.core.Request.Submit;
import dev.muster.admission.core.Verdict.Answer;
import dev.muster.admission.core.Verdict.Forward;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Commands by name that come twice: the second time they mean whom they meant the first time. */
class DirectoryRepeatTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    @ParameterizedTest
    @MethodSource
    void repeatDoesNotHitTheNextSubmission(Request command) {
        var cancelled = forwarded(living("3-10"), command, NOON).next();
        var next = again(cancelled.heard("3-10", Phase.CANCELLED), "3-20");
        var answer = (Answer) decide(next, command, NOON.plusSeconds(10));
        assertThat(answer.outcome()).isEqualTo(Outcome.ENDED);
        assertThat(answer.uid()).isEqualTo("3-10");
    }

    static Stream<Arguments> repeatDoesNotHitTheNextSubmission() {
        var suspend = new JobChange(JobChange.Kind.SUSPEND, null, null, null, "", null, null);
        return Stream.of(
                argumentSet("cancel", cancel("r", null)),
                argumentSet("change", new Change("r", null, suspend)));
    }

    @Test
    void repeatOfOneThatCameTooLateDoesNotHitTheNextSubmissionEither() {
        var late = (Answer) decide(ended("3-10"), cancel("r", null), NOON);
        assertThat(late.outcome()).isEqualTo(Outcome.ENDED);
        assertThat(late.next()).isNotNull();
        var next = again(late.next(), "3-20");
        var answer = (Answer) decide(next, cancel("r", null), NOON);
        assertThat(answer.outcome()).isEqualTo(Outcome.ENDED);
        assertThat(answer.uid()).isEqualTo("3-10");
    }

    @Test
    void repeatWhileItLivesIsForItsPoolToAnswer() {
        var once = forwarded(living("3-10"), cancel("r", null), NOON);
        var twice = forwarded(once.next(), cancel("r", null), NOON);
        assertThat(twice).isEqualTo(once);
    }

    @Test
    void forceDeleteOfWhatHasEndedIsRepeatedThere() {
        var force = new JobChange(JobChange.Kind.FORCE_DELETE, null, null, null, "", null, null);
        var command = new Change("r", null, force);
        var forced = forwarded(ended("3-10"), command, NOON);
        var repeated = forwarded(again(forced.next(), "3-20"), command, NOON);
        assertThat(repeated.uid()).isEqualTo("3-10");
    }

    @Test
    void anotherRequestMeansTheNewestSubmission() {
        var cancelled = forwarded(living("3-10"), cancel("r", null), NOON).next();
        var next = again(cancelled.heard("3-10", Phase.CANCELLED), "3-20");
        assertThat(forwarded(next, cancel("other", null), NOON).uid()).isEqualTo("3-20");
        assertThat(forwarded(next, cancel(null, null), NOON).uid()).isEqualTo("3-20");
        assertThat(forwarded(next, cancel("r", "3-20"), NOON).uid()).isEqualTo("3-20");
    }

    @Test
    void whoSaysTheUidNeedsNoMemory() {
        var living = living("3-10");
        assertThat(forwarded(living, cancel("r", "3-10"), NOON).next()).isEqualTo(living);
        assertThat(forwarded(living, cancel(null, null), NOON).next()).isEqualTo(living);
    }

    @Test
    void fewAreRememberedAndNotForLong() {
        var entry = living("3-10");
        for (int i = 0; i < 40; i++) {
            entry = forwarded(entry, cancel("r" + i, null), NOON).next();
        }
        assertThat(entry.commands()).hasSize(32);
        var next = again(entry.heard("3-10", Phase.CANCELLED), "3-20");
        assertThat(decide(next, cancel("r39", null), NOON)).isInstanceOf(Answer.class);
        var later = NOON.plus(Duration.ofDays(8));
        assertThat(forwarded(next, cancel("r39", null), later).next().commands()).hasSize(1);
    }

    private static Cancel cancel(@Nullable String requestId, @Nullable String uid) {
        return new Cancel(requestId, uid, null, "");
    }

    private static Entry living(String uid) {
        return new Entry(
                uid, "gpus", 7, "digest", Phase.RUNNING, List.of(), List.of(), List.of(), false);
    }

    private static Entry ended(String uid) {
        return new Entry(
                uid, "gpus", 7, "digest", Phase.FAILED, List.of(), List.of(), List.of(), false);
    }

    /** The same name, submitted once more. */
    private static Entry again(Entry ended, String uid) {
        var examined = Validation.examine(Jobs.with(_ -> {}), 1);
        var submit = new Submit("s", uid, examined, examined.canonical(), null, NOON);
        return forwarded(ended, submit, NOON).next();
    }

    private static Forward forwarded(Entry entry, Request request, Instant now) {
        return (Forward) decide(entry, request, now);
    }

    private static Verdict decide(Entry entry, Request request, Instant now) {
        var queue = new Queues.Queue("default", "gpus", 7, 0, 10, false, List.of(), Map.of());
        return Directory.decide(entry, request, KnownQueues.of(queue), (_, _) -> null, now);
    }
}
