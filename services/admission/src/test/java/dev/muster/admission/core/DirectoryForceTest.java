package dev.muster.admission.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.admission.core.Entry.Earlier;
import dev.muster.admission.core.JobChange.Kind;
import dev.muster.admission.core.Request.Change;
import dev.muster.admission.core.Verdict.Answer;
import dev.muster.admission.core.Verdict.Command;
import dev.muster.admission.core.Verdict.Forward;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose leftovers on dead nodes may be forced: of any submission that is, or was. */
class DirectoryForceTest {
    private static final JobChange FORCE = JobChangeTest.change(Kind.FORCE_DELETE, null);
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "RUNNING,,3-10",
        "FAILED,,3-10",
        "FAILED,3-10,3-10",
        "RUNNING,3-9,3-9",
        "FAILED,3-9,3-9"
    })
    void forceDeleteGoesToThePoolOfWhateverMayHaveLeftPods(
            Phase phase, @Nullable String uid, String forced) {
        var entry = entry(phase);
        assertThat(decide(entry, new Change("r", uid, FORCE)))
                .isEqualTo(
                        new Forward(
                                "gpus",
                                7,
                                forced,
                                new Command.Changed(FORCE),
                                uid == null ? entry.commanding("r", forced, NOON) : entry));
    }

    @ParameterizedTest
    @CsvSource({
        "3-1,cpus,2",
        "3-3,cpus,2",
        "3-4,spots,5",
        "3-6,spots,5",
        "3-7,gpus,7",
        "3-9,gpus,7"
    })
    void forceDeleteGoesToThePoolInWhichThatSubmissionWas(String uid, String pool, int number) {
        var entry =
                new Entry(
                        "3-10",
                        "gpus",
                        7,
                        "digest",
                        Phase.RUNNING,
                        List.of(),
                        List.of(new Earlier("3-3", "cpus", 2), new Earlier("3-6", "spots", 5)),
                        List.of(),
                        false);
        assertThat(decide(entry, new Change("r", uid, FORCE)))
                .isEqualTo(new Forward(pool, number, uid, new Command.Changed(FORCE), entry));
    }

    @Test
    void poolIsRememberedOnceTheNextSubmissionIsInAnother() {
        var entry = entry(Phase.FAILED);
        assertThat(entry.before("gpus")).isEmpty();
        assertThat(entry.before("cpus")).containsExactly(new Earlier("3-10", "gpus", 7));
    }

    @Test
    void nameThatGoesFromPoolToPoolIsRememberedInAFewOfThem() {
        var entry = entry(Phase.FAILED);
        for (int i = 0; i < 40; i++) {
            var pool = "pool-" + i;
            var uid = "3-" + (11 + i);
            var before = entry.before(pool);
            entry = new Entry(uid, pool, i, "", Phase.FAILED, List.of(), before, List.of(), false);
        }
        assertThat(entry.earlier()).hasSize(16);
        assertThat(entry.placeOf("3-48")).isEqualTo(new Earlier("3-48", "pool-37", 37));
        assertThat(entry.placeOf("3-50")).isEqualTo(new Earlier("3-50", "pool-39", 39));
    }

    @ParameterizedTest
    @ValueSource(strings = {"3-11", "what"})
    void forceDeleteOfWhatIsUnknownIsAnsweredHere(String uid) {
        var answer = (Answer) decide(entry(Phase.FAILED), new Change("r", uid, FORCE));
        assertThat(answer.outcome()).isEqualTo(Outcome.NOT_FOUND);
    }

    private static Verdict decide(Entry entry, Request request) {
        return Directory.decide(entry, request, KnownQueues.of(), (_, _) -> null, NOON);
    }

    private static Entry entry(Phase phase) {
        return new Entry(
                "3-10", "gpus", 7, "digest", phase, List.of(), List.of(), List.of(), false);
    }
}
