package dev.muster.admission.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.admission.core.Entry.Answered;
import dev.muster.admission.core.JobChange.Kind;
import dev.muster.admission.core.Queues.Queue;
import dev.muster.admission.core.Request.Cancel;
import dev.muster.admission.core.Request.Change;
import dev.muster.admission.core.Request.Submit;
import dev.muster.admission.core.Verdict.Answer;
import dev.muster.admission.core.Verdict.Command;
import dev.muster.admission.core.Verdict.Forward;
import dev.muster.admission.core.Verdict.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class DirectoryTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final TrainJob JOB = Jobs.smallest();
    private static final TrainJob OTHER = Jobs.with(j -> j.masterPort = 1);
    private static final String DIGEST = Validation.examine(JOB, 1).canonical();
    private static final List<String> ALL = List.of();
    private static final Map<String, Long> NONE = Map.of();
    private static final JobChange HOLD = JobChangeTest.change(Kind.HOLD, null);
    private static final OtherJobs NOBODY = (_, _) -> null;
    private static final Queues QUEUES = KnownQueues.of(queue("default", 0), queue("full", 10));

    @Test
    void newNameIsForwardedToItsQueuesPoolAndLivesFromThen() {
        assertThat(decide(null, submit("r1", "3-10", JOB)))
                .isEqualTo(
                        new Forward(
                                "gpus",
                                7,
                                "3-10",
                                new Command.Submitted(Validation.examine(JOB, 1)),
                                unheard("3-10", accepted("r1", "3-10"))));
    }

    @Test
    void sameJobWhileItLivesIsADuplicate() {
        var living = entry("3-10", Phase.RUNNING);
        var answer = (Answer) decide(living, submit("r2", "3-20", JOB));
        assertThat(answer.outcome()).isEqualTo(Outcome.DUPLICATE);
        assertThat(answer.uid()).isEqualTo("3-10");
        assertThat(answer.phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void differentJobWhileOneLivesIsAConflict() {
        var living = entry("3-10", Phase.QUEUED);
        var answer = (Answer) decide(living, submit("r2", "3-20", OTHER));
        assertThat(answer.outcome()).isEqualTo(Outcome.CONFLICT);
        assertThat(answer.uid()).isEqualTo("3-10");
        assertThat(answer.phase()).isEqualTo(Phase.QUEUED);
    }

    @ParameterizedTest
    @EnumSource(names = {"SUCCEEDED", "FAILED", "CANCELLED", "REFUSED"})
    void nameIsFreeAfterTheEnd(Phase end) {
        var forward = (Forward) decide(entry("3-10", end), submit("r2", "3-20", JOB));
        assertThat(forward.next()).isEqualTo(unheard("3-20", accepted("r2", "3-20")));
    }

    @ParameterizedTest
    @EnumSource(names = {"QUEUED", "RUNNING", "SUCCEEDED"})
    void repeatedSubmitGetsItsFirstAnswerWhateverHappenedSince(Phase phase) {
        var entry = entry("3-10", phase, accepted("r1", "3-10"));
        var answer = (Answer) decide(entry, submit("r1", "3-20", JOB));
        assertThat(answer.outcome()).isEqualTo(Outcome.ACCEPTED);
        assertThat(answer.uid()).isEqualTo("3-10");
        assertThat(answer.next()).isNull();
    }

    @Test
    void repeatedDuplicateStaysADuplicateAfterTheEnd() {
        var living = entry("3-10", Phase.RUNNING);
        var answered = ((Answer) decide(living, submit("r2", "3-20", JOB))).next();
        assertThat(answered).isNotNull();
        var ended = answered.heard("3-10", Phase.SUCCEEDED);
        var again = (Answer) decide(ended, submit("r2", "3-30", JOB));
        assertThat(again.outcome()).isEqualTo(Outcome.DUPLICATE);
        assertThat(again.phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void endedSubmissionIsTriedAgainAsANewOne() {
        var forward = (Forward) decide(entry("3-10", Phase.FAILED), retry("r2", "3-10"));
        assertThat(forward.uid()).isEqualTo("3-20");
        assertThat(forward.next().uid()).isEqualTo("3-20");
        assertThat(forward.next().digest()).isEqualTo(DIGEST);
        // By its name alone the repeat means the newest, which is the new one by now.
        for (var of : List.of("3-10", "3-20")) {
            var heard = forward.next().heard("3-20", Phase.QUEUED);
            var again = (Answer) decide(heard, retry("r2", of));
            assertThat(again.outcome()).isEqualTo(Outcome.ACCEPTED);
            assertThat(again.uid()).isEqualTo("3-20");
        }
    }

    @Test
    void tryingASubmissionAgainUnderItsOwnKeyIsAConflict() {
        var ended = entry("3-10", Phase.FAILED, accepted("r1", "3-10"));
        var again = (Answer) decide(ended, retry("r1", "3-10"));
        assertThat(again.outcome()).isEqualTo(Outcome.CONFLICT);
        assertThat(again.message())
                .isEqualTo("this requestId was used before, for a different request");

        var retried = ((Forward) decide(ended, retry("r2", "3-10"))).next();
        var submitted = (Answer) decide(retried, submit("r2", "3-30", JOB));
        assertThat(submitted.outcome()).isEqualTo(Outcome.CONFLICT);
    }

    @Test
    void onlyTheNewestSubmissionIsTriedAgainAndOnlyAfterItsEnd() {
        assertThat(
                        List.of(
                                decide(null, retry("r", "3-10")),
                                decide(entry("3-10", Phase.RUNNING), retry("r", "3-10")),
                                decide(entry("3-15", Phase.FAILED), retry("r", "3-10")),
                                decide(entry("3-15", Phase.QUEUED), retry("r", "3-10")),
                                decide(entry("3-10", Phase.FAILED), retry("r", "3-15"))))
                .extracting(v -> ((Answer) v).outcome(), v -> ((Answer) v).message())
                .containsExactly(
                        tuple(Outcome.NOT_FOUND, "no job of this name is known"),
                        tuple(Outcome.CONFLICT, "it has not ended; it is not tried again"),
                        tuple(
                                Outcome.CONFLICT,
                                "submission 3-10 is followed by 3-15; only the newest can be tried"
                                        + " again"),
                        tuple(
                                Outcome.CONFLICT,
                                "submission 3-10 is followed by 3-15; only the newest can be tried"
                                        + " again"),
                        tuple(Outcome.NOT_FOUND, "no submission 3-15 is known"));
    }

    private static Submit retry(String requestId, String uid) {
        var examined = Validation.examine(JOB, 1);
        return new Submit(
                requestId, "3-20", examined, examined.canonical(), uid, NOON.plusSeconds(2));
    }

    @Test
    void requestIdThatStoodForAnotherJobIsAConflict() {
        var entry = entry("3-10", Phase.SUCCEEDED, accepted("r1", "3-10"));
        var answer = (Answer) decide(entry, submit("r1", "3-20", OTHER));
        assertThat(answer.outcome()).isEqualTo(Outcome.CONFLICT);
        assertThat(answer.message()).contains("requestId");
    }

    @Test
    void requestIdIsForgottenAfterSevenDays() {
        var entry = entry("3-10", Phase.SUCCEEDED, accepted("r1", "3-10"));
        var later = NOON.plus(Duration.ofDays(7));
        assertThat(Directory.decide(entry, submit("r1", "3-20", JOB), QUEUES, NOBODY, later))
                .isInstanceOf(Answer.class);
        assertThat(
                        Directory.decide(
                                entry,
                                submit("r1", "3-20", JOB),
                                QUEUES,
                                NOBODY,
                                later.plusMillis(1)))
                .isInstanceOf(Forward.class);
    }

    @Test
    void rowOfOneNameDoesNotGrowForEver() {
        var entry = entry("3-10", Phase.RUNNING);
        for (int i = 0; i < 300; i++) {
            var answer = (Answer) decide(entry, submit("r" + i, "3-" + (20 + i), JOB));
            assertThat(answer.next()).isNotNull();
            entry = answer.next();
        }
        assertThat(entry.submits())
                .extracting(Answered::requestId)
                .isEqualTo(IntStream.range(44, 300).mapToObj(i -> "r" + i).toList());
    }

    @Test
    void submitsWithoutRequestIdLeaveNoTrace() {
        var living = entry("3-10", Phase.RUNNING);
        assertThat(((Answer) decide(living, submit(null, "3-20", JOB))).next()).isNull();
        assertThat(((Forward) decide(null, submit(null, "3-20", JOB))).next().submits()).isEmpty();
    }

    @Test
    void refusedJobGetsAllProblemsAndNoEntry() {
        var wrong =
                Jobs.with(j -> {
                    j.masterPort = 0;
                    j.framework = TrainJob.Framework.DLROVER;
                    j.queue = "nowhere";
                });
        var answer = (Answer) decide(null, submit("r1", "3-10", wrong));
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.problems())
                .extracting(Problem::path)
                .containsExactly("spec.masterPort", "spec.framework", "spec.queue");
        assertThat(answer.next()).isNull();
    }

    @Test
    void jobForAQueueThatIsNotThereYetWaitsThenIsRefused() {
        var job = Jobs.with(j -> j.queue = "soon");
        var submit = submit("r1", "3-10", job);
        assertThat(decide(null, submit)).isInstanceOf(Wait.class);
        var answer = (Answer) Directory.decide(null, submit, QUEUES, NOBODY, NOON.plusSeconds(2));
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.problems())
                .extracting(Problem::path, Problem::given)
                .containsExactly(tuple("spec.queue", "soon"));
    }

    @Test
    void jobForAFullQueueIsRefused() {
        var answer = (Answer) decide(null, submit("r1", "3-10", Jobs.with(j -> j.queue = "full")));
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.problems().getFirst().message()).startsWith("QueueFull");
    }

    @Test
    void cancelGoesToThePoolOfTheNewestSubmission() {
        var living = entry("3-10", Phase.RUNNING);
        var grace = Duration.ofSeconds(5);
        assertThat(decide(living, new Cancel("r", null, grace, "why")))
                .isEqualTo(commanded(living, new Command.Cancelled(grace, "why")));
    }

    @ParameterizedTest
    @MethodSource
    void cancelThatIsAnsweredHere(
            @Nullable Entry entry, @Nullable String uid, Outcome outcome, @Nullable Phase phase) {
        var answer = (Answer) decide(entry, new Cancel("r", uid, null, ""));
        assertThat(answer.outcome()).isEqualTo(outcome);
        assertThat(answer.phase()).isEqualTo(phase);
    }

    static Stream<Arguments> cancelThatIsAnsweredHere() {
        var living = entry("3-10", Phase.RUNNING);
        var ended = entry("3-10", Phase.FAILED);
        return Stream.of(
                argumentSet("unknown name", null, null, Outcome.NOT_FOUND, null),
                argumentSet("ended", ended, null, Outcome.ENDED, Phase.FAILED),
                argumentSet("ended, by uid", ended, "3-10", Outcome.ENDED, Phase.FAILED),
                argumentSet("older", living, "3-9", Outcome.ENDED, null),
                argumentSet("newer", living, "3-11", Outcome.NOT_FOUND, null),
                argumentSet("no uid at all", living, "what", Outcome.NOT_FOUND, null));
    }

    @Test
    void newsOfAnOlderSubmissionChangesNothing() {
        var living = entry("3-10", Phase.RUNNING);
        assertThat(living.heard("3-9", Phase.SUCCEEDED)).isEqualTo(living);
    }

    @Test
    void nothingFollowsAnEnd() {
        var ended = entry("3-10", Phase.FAILED);
        assertThat(ended.heard("3-10", Phase.RUNNING)).isEqualTo(ended);
    }

    @Test
    void changeGoesToThePoolOfTheNewestSubmission() {
        var living = entry("3-10", Phase.QUEUED);
        assertThat(decide(living, new Change("r", null, HOLD)))
                .isEqualTo(commanded(living, new Command.Changed(HOLD)));
    }

    @Test
    void changeThatEndsAJobIsACancellation() {
        var living = entry("3-10", Phase.QUEUED);
        var grace = Duration.ofSeconds(5);
        var cancel = new JobChange(Kind.CANCEL, null, null, grace, "why", null, null);
        assertThat(decide(living, new Change("r", null, cancel)))
                .isEqualTo(decide(living, new Cancel("r", null, grace, "why")));
    }

    @ParameterizedTest
    @MethodSource("cancelThatIsAnsweredHere")
    void changeThatIsAnsweredHere(
            @Nullable Entry entry, @Nullable String uid, Outcome outcome, @Nullable Phase phase) {
        var answer = (Answer) decide(entry, new Change("r", uid, HOLD));
        assertThat(answer.outcome()).isEqualTo(outcome);
        assertThat(answer.phase()).isEqualTo(phase);
    }

    @ParameterizedTest
    @MethodSource
    void changeThatCannotBeIsRefused(JobChange change, String path) {
        var answer = (Answer) decide(entry("3-10", Phase.QUEUED), new Change("r", null, change));
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.problems()).extracting(Problem::path).containsExactly(path);
    }

    static Stream<Arguments> changeThatCannotBeIsRefused() {
        var ago = Duration.ofSeconds(-1);
        var most = 1_000_000_001;
        return Stream.of(
                wrong(Kind.UNKNOWN, null, null, null, "change.kind"),
                wrong(Kind.SET_PRIORITY, null, null, null, "change.priority"),
                wrong(Kind.SET_PRIORITY, most, null, null, "change.priority"),
                wrong(Kind.HOLD, 1, null, null, "change.priority"),
                wrong(Kind.MOVE, null, null, null, "change.queue"),
                wrong(Kind.MOVE, null, "No Queue", null, "change.queue"),
                wrong(Kind.RELEASE, null, "a", null, "change.queue"),
                wrong(Kind.SUSPEND, null, null, ago, "change.gracePeriod"),
                wrong(Kind.RESUME, null, null, Duration.ZERO, "change.gracePeriod"),
                argumentSet(
                        "a node",
                        new JobChange(Kind.HOLD, null, null, null, "", "n1", null),
                        "change.node"));
    }

    private static Arguments wrong(
            Kind kind,
            @Nullable Integer priority,
            @Nullable String queue,
            @Nullable Duration grace,
            String path) {
        var change = new JobChange(kind, priority, queue, grace, "", null, null);
        return argumentSet(kind + " " + path, change, path);
    }

    @ParameterizedTest
    @MethodSource
    void jobMovesWithinItsPool(String queue, boolean forwarded) {
        var change = new JobChange(Kind.MOVE, null, queue, null, "", null, null);
        var queues =
                KnownQueues.of(
                        queue("near", 0), new Queue("far", "tpus", 8, 0, 10, false, ALL, NONE));
        var asked = new Change("r", null, change);
        var living = entry("3-10", Phase.QUEUED);
        var verdict = Directory.decide(living, asked, queues, NOBODY, NOON);
        if (forwarded) {
            assertThat(verdict).isInstanceOf(Forward.class);
        } else {
            assertThat(((Answer) verdict).problems())
                    .containsExactly(
                            new Problem(
                                    "change.queue",
                                    "far",
                                    "must be a queue of pool gpus; this one is of pool tpus"));
        }
    }

    static Stream<Arguments> jobMovesWithinItsPool() {
        return Stream.of(
                argumentSet("near", "near", true),
                argumentSet("far", "far", false),
                argumentSet("unknown here: the pool says it", "nowhere", true));
    }

    private static Queue queue(String name, int waiting) {
        return new Queue(name, "gpus", 7, waiting, 10, false, ALL, NONE);
    }

    private static Verdict decide(@Nullable Entry entry, Request request) {
        return Directory.decide(entry, request, QUEUES, NOBODY, NOON);
    }

    private static Forward commanded(Entry living, Command command) {
        return new Forward("gpus", 7, "3-10", command, living.commanding("r", "3-10", NOON));
    }

    private static Submit submit(@Nullable String requestId, String uid, TrainJob job) {
        var examined = Validation.examine(job, 1);
        return new Submit(
                requestId, uid, examined, examined.canonical(), null, NOON.plusSeconds(2));
    }

    private static Entry entry(String uid, Phase phase, Answered... submits) {
        return new Entry(
                uid, "gpus", 7, DIGEST, phase, List.of(submits), List.of(), List.of(), false);
    }

    private static Entry unheard(String uid, Answered... submits) {
        return new Entry(
                uid, "gpus", 7, DIGEST, Phase.QUEUED, List.of(submits), List.of(), List.of(), true);
    }

    private static Answered accepted(String requestId, String uid) {
        return new Answered(requestId, NOON, DIGEST, Outcome.ACCEPTED, uid, null);
    }
}
