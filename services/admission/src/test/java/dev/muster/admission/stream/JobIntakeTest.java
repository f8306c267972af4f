package dev.muster.admission.stream;

import static dev.muster.admission.stream.Requests.cancel;
import static dev.muster.admission.stream.Requests.change;
import static dev.muster.admission.stream.Requests.nameIn;
import static dev.muster.admission.stream.Requests.queue;
import static dev.muster.admission.stream.Requests.spec;
import static dev.muster.admission.stream.Requests.status;
import static dev.muster.admission.stream.Requests.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.schemas.Topics;
import dev.muster.v1.FailureAction;
import dev.muster.v1.FailureRule;
import dev.muster.v1.FailureSpec;
import dev.muster.v1.GangSpec;
import dev.muster.v1.HookSpec;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobChange;
import dev.muster.v1.JobChangeKind;
import dev.muster.v1.JobRef;
import dev.muster.v1.Outcome;
import dev.muster.v1.Phase;
import dev.muster.v1.RequestResult;
import dev.muster.v1.RoleSpec;
import dev.muster.v1.ScaleKind;
import dev.muster.v1.ScaleSpec;
import dev.muster.v1.SuccessSpec;
import dev.muster.v1.SuccessWhen;
import dev.muster.v1.TopologyPolicy;
import dev.muster.v1.TrainJobSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JobIntakeTest {
    private static final String JOB = nameIn(0, 0);
    private static final String OTHER = nameIn(0, 1);
    private static final String ELSEWHERE = nameIn(5, 0);
    private static final Duration TICK = Duration.ofMillis(100);

    private final Desk desk = Desk.withAQueue();

    @AfterEach
    void close() {
        desk.close();
    }

    @Test
    void newJobIsForwardedWithAllThatThePoolNeeds() {
        desk.ask(submit("r1", JOB));
        var event = only(desk.inbox());
        assertThat(event.getKind()).isEqualTo(InboxKind.JOB_SUBMITTED);
        assertThat(event.getPool()).isEqualTo("gpus");
        assertThat(event.getJob()).isEqualTo(new JobRef("ml", JOB, "0-0"));
        assertThat(event.getRequestKey()).isEqualTo("ml/" + JOB);
        assertThat(event.getEnvelope().getRequestId()).isEqualTo("r1");
        assertThat(event.getEnvelope().getCause()).isEqualTo("asked-r1");
        assertThat(event.getEnvelope().getActor()).isEqualTo("alice");
        assertThat(event.getEnvelope().getJobUid()).isEqualTo("0-0");
        var submitted = event.getJobSubmitted();
        assertThat(submitted.getDigest()).hasSize(64);
        assertThat(submitted.getNeeds().getFirst().getDemand())
                .isEqualTo(Map.of("cpu", 500L, "pods", 1L));
        assertThat(submitted.getNeeds().getFirst().getMainContainer()).isEqualTo("main");
        assertThat(submitted.getSpec().getGang())
                .isEqualTo(new GangSpec(2, 300_000L, TopologyPolicy.NONE, null));
        assertThat(submitted.getSpec().getSuccess())
                .isEqualTo(new SuccessSpec(SuccessWhen.ALL_SUCCEEDED, null));
        assertThat(submitted.getSpec().getRoles().getFirst().getMin()).isEqualTo(2);
        assertThat(submitted.getSpec().getRoles().getFirst().getDependsOn()).isEmpty();
        assertThat(desk.results()).isEmpty();
    }

    @Test
    void ruleByWhichMemoryGrowsIsForwardedWithHowFar() {
        var rule =
                FailureRule.newBuilder().setAction(FailureAction.GROW_MEMORY).setMax("1Gi").build();
        var failure = FailureSpec.newBuilder().setSettleMillis(1L).setRules(List.of(rule)).build();
        var plain = spec().getRoles().getFirst();
        var template = plain.getTemplate().replace("\"cpu\"", "\"memory\": \"64Mi\", \"cpu\"");
        var role = RoleSpec.newBuilder(plain).setTemplate(template).setFailure(failure).build();
        var other = RoleSpec.newBuilder(plain).setTemplate(template).setName("other").build();
        var spec =
                TrainJobSpec.newBuilder(spec())
                        .setFailure(failure)
                        .setRoles(List.of(role, other))
                        .build();
        desk.ask(submit("r1", JOB, spec));
        var filledIn =
                FailureSpec.newBuilder(failure)
                        .setRules(
                                List.of(
                                        FailureRule.newBuilder(rule)
                                                .setFactorThousandths(1_500)
                                                .build()))
                        .build();
        var told = only(desk.inbox()).getJobSubmitted().getSpec();
        assertThat(told.getFailure()).isEqualTo(filledIn);
        assertThat(told.getRoles().getFirst().getFailure()).isEqualTo(filledIn);
    }

    @Test
    void repeatedSubmitIsAnsweredHereAsItsPoolAnsweredTheFirst() {
        desk.ask(submit("r1", JOB));
        desk.tell(status(JOB, "0-0", Phase.QUEUED));
        desk.ask(submit("r1", JOB));
        assertThat(desk.inbox()).hasSize(1);
        var answer = only(desk.results());
        assertThat(answer.getOutcome()).isEqualTo(Outcome.ACCEPTED);
        assertThat(answer.getJob()).isEqualTo(new JobRef("ml", JOB, "0-0"));
        assertThat(answer.getEnvelope().getRequestId()).isEqualTo("r1");
    }

    /** Which its pool may still refuse: an answer of ours could only be a guess. */
    @Test
    void repeatOfWhatNoPoolHasAnsweredIsNotAnsweredHere() {
        desk.ask(submit("r1", JOB));
        desk.ask(submit("r1", JOB));
        assertThat(desk.inbox()).hasSize(1);
        desk.ask(cancel("r2", JOB));
        assertThat(desk.inbox()).as("nobody waits behind the repeat").hasSize(1);
        desk.tell(status(JOB, "0-0", Phase.REFUSED));
        desk.pass(TICK);
        assertThat(desk.results()).isEmpty();
        desk.ask(submit("r1", JOB));
        assertThat(only(desk.results()).getOutcome()).isEqualTo(Outcome.REFUSED);
    }

    @Test
    void whileAJobLivesTheSameIsADuplicateAndAnotherAConflict() {
        desk.ask(submit("r1", JOB));
        desk.tell(status(JOB, "0-0", Phase.RUNNING));
        desk.ask(submit("r2", JOB));
        desk.ask(submit("r3", JOB, TrainJobSpec.newBuilder(spec()).setMasterPort(1).build()));
        assertThat(desk.inbox()).hasSize(1);
        assertThat(desk.results())
                .extracting(RequestResult::getOutcome, r -> r.getJob().getUid(), r -> r.getPhase())
                .containsExactly(
                        tuple(Outcome.DUPLICATE, "0-0", Phase.RUNNING),
                        tuple(Outcome.CONFLICT, "0-0", Phase.RUNNING));
    }

    @ParameterizedTest
    @EnumSource(names = {"SUCCEEDED", "REFUSED"})
    void nameIsFreeWhenTheJobHasEnded(Phase phase) {
        desk.ask(submit("r1", JOB));
        desk.tell(status(JOB, "0-0", phase));
        desk.ask(submit("r2", JOB));
        assertThat(desk.inbox())
                .extracting(event -> event.getJob().getUid())
                .containsExactly("0-0", "0-1");
    }

    @Test
    void endOfAnOlderSubmissionFreesNothing() {
        desk.ask(submit("r1", JOB));
        desk.tell(status(JOB, "0-0", Phase.SUCCEEDED));
        desk.ask(submit("r2", JOB));
        desk.tell(status(JOB, "0-0", Phase.FAILED));
        desk.ask(submit("r3", JOB));
        assertThat(only(desk.results()).getOutcome()).isEqualTo(Outcome.DUPLICATE);
    }

    @Test
    void nameIsForgottenWithItsStatus() {
        desk.ask(submit("r1", JOB));
        desk.tell(status(JOB, "0-0", Phase.SUCCEEDED));
        desk.raw(Topics.JOB_STATUS, "ml/" + JOB + "@0-0", null);
        desk.ask(cancel("r2", JOB));
        assertThat(only(desk.results()).getOutcome()).isEqualTo(Outcome.NOT_FOUND);
    }

    @Test
    void cancelGoesToThePoolWhileTheJobLives() {
        desk.ask(submit("r1", JOB));
        desk.ask(cancel("r2", JOB));
        var event = desk.inbox().getLast();
        assertThat(event.getKind()).isEqualTo(InboxKind.JOB_CANCEL);
        assertThat(event.getJob().getUid()).isEqualTo("0-0");
        assertThat(event.getJobCancel().getGracePeriodMillis()).isEqualTo(5_000);
        assertThat(event.getJobCancel().getMessage()).isEqualTo("not needed any more");
        assertThat(desk.results()).isEmpty();
    }

    @Test
    void cancelOfAnEndedJobSaysHowItEnded() {
        desk.ask(submit("r1", JOB));
        desk.tell(status(JOB, "0-0", Phase.FAILED));
        desk.ask(cancel("r2", JOB));
        var answer = only(desk.results());
        assertThat(answer.getOutcome()).isEqualTo(Outcome.ENDED);
        assertThat(answer.getPhase()).isEqualTo(Phase.FAILED);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"UNKNOWN", "CANCEL", "SET_PRIORITY", "MOVE", "SCALE"})
    void changeGoesToThePoolWhileTheJobLives(JobChangeKind kind) {
        desk.ask(submit("r1", JOB));
        desk.ask(change("r2", JOB, change(kind)));
        var event = desk.inbox().getLast();
        assertThat(event.getKind()).isEqualTo(InboxKind.JOB_CHANGE);
        assertThat(event.getJob()).isEqualTo(new JobRef("ml", JOB, "0-0"));
        assertThat(event.getRequestKey()).isEqualTo("ml/" + JOB);
        assertThat(event.getEnvelope().getActor()).isEqualTo("alice");
        assertThat(event.getJobChange().getChange()).isEqualTo(change(kind));
    }

    @Test
    void changeArrivesWhole() {
        var move = new JobChange(JobChangeKind.MOVE, null, "team-b", null, "", null, null);
        var suspend =
                new JobChange(JobChangeKind.SUSPEND, null, null, 5_000L, "no room", null, null);
        var priority = new JobChange(JobChangeKind.SET_PRIORITY, -7, null, null, "", null, null);
        var scale =
                JobChange.newBuilder()
                        .setKind(JobChangeKind.SCALE)
                        .setScale(
                                new ScaleSpec(
                                        ScaleKind.IN,
                                        "worker",
                                        0,
                                        List.of("worker-3"),
                                        60_000L,
                                        false,
                                        5_000L,
                                        true,
                                        new HookSpec(
                                                List.of("tell", "a b"),
                                                Map.of("TO", "them"),
                                                90_000L,
                                                0),
                                        null))
                        .build();
        desk.ask(submit("r1", JOB));
        desk.ask(change("r2", JOB, move));
        desk.ask(change("r3", JOB, suspend));
        desk.ask(change("r4", JOB, priority));
        var usual =
                JobChange.newBuilder()
                        .setKind(JobChangeKind.SCALE)
                        .setScale(
                                ScaleSpec.newBuilder()
                                        .setKind(ScaleKind.SET)
                                        .setRole("worker")
                                        .setCount(2)
                                        .build())
                        .build();
        desk.ask(change("r5", JOB, scale));
        desk.ask(change("r6", JOB, usual));
        var cancel =
                JobChange.newBuilder()
                        .setKind(JobChangeKind.SCALE)
                        .setScale(
                                ScaleSpec.newBuilder()
                                        .setKind(ScaleKind.CANCEL)
                                        .setRole("")
                                        .setCommand("r5")
                                        .build())
                        .build();
        desk.ask(change("r7", JOB, cancel));
        assertThat(desk.inbox())
                .filteredOn(event -> event.getKind() == InboxKind.JOB_CHANGE)
                .extracting(event -> event.getJobChange().getChange())
                .containsExactly(move, suspend, priority, scale, usual, cancel);
    }

    @Test
    void changeThatEndsAJobIsACancellation() {
        desk.ask(submit("r1", JOB));
        desk.ask(change("r2", JOB, change(JobChangeKind.CANCEL)));
        assertThat(desk.inbox().getLast().getKind()).isEqualTo(InboxKind.JOB_CANCEL);
    }

    @Test
    void changeOfNothingIsRefusedAndOfNobodyNotFound() {
        desk.ask(change("r1", JOB, (JobChange) null));
        desk.ask(change("r2", JOB, change(JobChangeKind.HOLD)));
        assertThat(desk.results())
                .extracting(RequestResult::getOutcome)
                .containsExactly(Outcome.REFUSED, Outcome.NOT_FOUND);
    }

    @Test
    void jobIsNotTakenByAQueueThatIsNotForIt() {
        var queue = queue("default", "gpus");
        queue.getSpec().setNamespaces(List.of("vision"));
        queue.getSpec().setDraining(true);
        queue.getSpec().setLimit(Map.of("cpu", 999L));
        desk.show(Topics.QUEUES, "default", queue);
        desk.ask(submit("r1", JOB));
        assertThat(only(desk.results()).getProblems())
                .extracting(p -> p.getPath(), p -> p.getGiven())
                .containsExactly(
                        tuple("spec.queue", "default"),
                        tuple("spec.queue", "default"),
                        tuple("spec.roles", "1 cpu"));
    }

    @Test
    void refusedJobIsToldEverythingAndLeavesNoTrace() {
        var wrong = TrainJobSpec.newBuilder(spec()).setMasterPort(0).setNprocPerNode("x").build();
        desk.ask(submit("r1", JOB, wrong));
        var answer = only(desk.results());
        assertThat(answer.getOutcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.getProblems())
                .extracting(p -> p.getPath())
                .containsExactly("spec.nprocPerNode", "spec.masterPort");
        desk.ask(cancel("r2", JOB));
        assertThat(only(desk.results()).getOutcome()).isEqualTo(Outcome.NOT_FOUND);
    }

    @Test
    void recordInTheWrongPartitionIsSentOnOnceAndThenParked() {
        desk.ask(submit("r1", ELSEWHERE));
        // The driver gives what is sent on back to partition 0, as no broker would.
        assertThat(desk.sentOn(Topics.JOB_REQUESTS)).isEqualTo(1);
        assertThat(only(desk.parked()).getError()).contains("was sent on to partition 5 already");
        assertThat(desk.inbox()).isEmpty();
        assertThat(desk.results()).isEmpty();
    }

    @Test
    void jobWaitsForItsQueueWithAllThatFollowsUnderItsName() {
        desk.ask(submit("r1", JOB, inQueue("soon")));
        desk.ask(cancel("r2", JOB));
        desk.ask(submit("r3", OTHER));
        assertThat(only(desk.inbox()).getJob().getName()).isEqualTo(OTHER);
        desk.pass(TICK);
        assertThat(desk.inbox()).isEmpty();

        desk.show(Topics.QUEUES, "soon", Requests.queue("soon", "gpus"));
        desk.pass(TICK);
        assertThat(desk.inbox())
                .extracting(InboxEvent::getKind)
                .containsExactly(InboxKind.JOB_SUBMITTED, InboxKind.JOB_CANCEL);
        assertThat(desk.results()).isEmpty();
    }

    @Test
    void jobWhoseQueueDoesNotAppearIsRefusedWithinTwoSeconds() {
        desk.ask(submit("r1", JOB, inQueue("never")));
        desk.ask(cancel("r2", JOB));
        desk.pass(Duration.ofMillis(1_900));
        assertThat(desk.results()).isEmpty();
        desk.pass(TICK);
        var answers = desk.results();
        assertThat(answers)
                .extracting(RequestResult::getOutcome)
                .containsExactly(Outcome.REFUSED, Outcome.NOT_FOUND);
        assertThat(answers.getFirst().getProblems().getFirst().getPath()).isEqualTo("spec.queue");
    }

    @Test
    void requestWithoutItsPartIsRefused() {
        var request = submit("r1", JOB);
        request.setSubmit(null);
        desk.ask(request);
        assertThat(only(desk.results()).getProblems().getFirst().getPath()).isEqualTo("submit");
    }

    private static TrainJobSpec inQueue(String queue) {
        return TrainJobSpec.newBuilder(spec()).setQueue(queue).build();
    }

    private static <T> T only(java.util.List<T> records) {
        assertThat(records).hasSize(1);
        return records.getFirst();
    }
}
