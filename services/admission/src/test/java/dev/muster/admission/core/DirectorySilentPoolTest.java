package dev.muster.admission.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.admission.core.Queues.Queue;
import dev.muster.admission.core.Request.Submit;
import dev.muster.admission.core.Verdict.Answer;
import dev.muster.admission.core.Verdict.Forward;
import dev.muster.admission.core.Verdict.Underway;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Submissions that their pool has not answered yet: it may still refuse them. */
class DirectorySilentPoolTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final TrainJob JOB = Jobs.smallest();
    private static final TrainJob OTHER = Jobs.with(j -> j.masterPort = 1);

    private static final Queues QUEUES =
            KnownQueues.of(new Queue("default", "gpus", 7, 0, 10, false, List.of(), Map.of()));

    private final Entry silent = ((Forward) decide(null, submit("r1", "3-10", JOB))).next();

    @ParameterizedTest
    @EnumSource(names = {"QUEUED", "REFUSED"})
    void repeatIsAnsweredByThePoolTogetherWithTheFirst(Phase said) {
        assertThat(decide(silent, submit("r1", "3-20", JOB))).isEqualTo(new Underway("gpus"));
        var answer = (Answer) decide(silent.heard("3-10", said), submit("r1", "3-20", JOB));
        assertThat(answer.outcome())
                .isEqualTo(said == Phase.REFUSED ? Outcome.REFUSED : Outcome.ACCEPTED);
    }

    @Test
    void whatThePoolRefusedStaysRefusedWhenAnotherHasTheName() {
        var refused = silent.heard("3-10", Phase.REFUSED);
        var second = ((Forward) decide(refused, submit("r2", "3-20", OTHER))).next();
        var answer = (Answer) decide(second, submit("r1", "3-30", JOB));
        assertThat(answer).isEqualTo(decide(refused, submit("r1", "3-30", JOB)));
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.uid()).isEqualTo("3-10");
        var own = (Answer) decide(second.heard("3-20", Phase.QUEUED), submit("r2", "3-30", OTHER));
        assertThat(own.outcome()).isEqualTo(Outcome.ACCEPTED);
    }

    @Test
    void anotherJobUnderTheSameKeyIsAConflictAtOnce() {
        var answer = (Answer) decide(silent, submit("r1", "3-20", OTHER));
        assertThat(answer.outcome()).isEqualTo(Outcome.CONFLICT);
        assertThat(answer.phase()).isNull();
    }

    @Test
    void sameJobUnderAnotherKeyIsADuplicateOfUnknownPhase() {
        var answer = (Answer) decide(silent, submit("r2", "3-20", JOB));
        assertThat(answer.outcome()).isEqualTo(Outcome.DUPLICATE);
        assertThat(answer.phase()).isNull();
        assertThat(answer.message())
                .isEqualTo(
                        "this very job was submitted already, and its pool has not answered yet");
    }

    @Test
    void newsOfAnotherSubmissionIsNoAnswer() {
        assertThat(silent.heard("3-9", Phase.FAILED)).isEqualTo(silent);
    }

    private static Submit submit(String requestId, String uid, TrainJob job) {
        var examined = Validation.examine(job, 1);
        return new Submit(requestId, uid, examined, examined.canonical(), null, NOON);
    }

    private static Verdict decide(@Nullable Entry entry, Request request) {
        return Directory.decide(entry, request, QUEUES, (_, _) -> null, NOON);
    }
}
