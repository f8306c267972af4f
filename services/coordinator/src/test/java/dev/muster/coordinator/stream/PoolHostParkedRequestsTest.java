package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.coordinator.stream.Stage.Sent;
import dev.muster.schemas.Topics;
import dev.muster.v1.Envelope;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobStatus;
import dev.muster.v1.JobSubmitted;
import dev.muster.v1.Outcome;
import dev.muster.v1.Phase;
import dev.muster.v1.RequestResult;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that are put aside, and who hears of it. */
class PoolHostParkedRequestsTest {
    private static final JobRef RESNET = job("resnet", 7);

    private final Stage stage = new Stage().with(1);

    @AfterEach
    void close() {
        stage.close();
    }

    private static InboxEvent unusable(JobRef job) {
        var needless = new JobSubmitted(workers(1).getSpec(), List.of(), "00", null);
        return submitted(job, needless);
    }

    @Test
    void submissionThatIsParkedIsRefusedAndItsSenderHearsOfIt() {
        stage.send(unusable(RESNET));

        var sent = stage.takeSent();
        assertThat(sent)
                .extracting(Sent::topic, Sent::key)
                .containsExactly(
                        tuple(Topics.DECISIONS.name(), "default"),
                        tuple(Topics.PARKED.name(), "default"),
                        tuple(Topics.JOB_STATUS.name(), "ml/resnet@3-7"),
                        tuple(Topics.REQUEST_RESULTS.name(), "ml/resnet"));
        assertThat((JobStatus) sent.get(2).value())
                .returns(Phase.REFUSED, JobStatus::getPhase)
                .returns("Parked", JobStatus::getReason)
                .returns(RESNET, JobStatus::getJob)
                .returns("default", JobStatus::getQueue)
                .satisfies(status -> assertThat(status.getMessage()).contains("put aside"));
        assertThat((RequestResult) sent.get(3).value())
                .returns(Outcome.REFUSED, RequestResult::getOutcome)
                .returns(Phase.REFUSED, RequestResult::getPhase)
                .returns("request-3-7", result -> result.getEnvelope().getRequestId())
                .returns(RESNET, RequestResult::getJob);
    }

    /** It came again, damaged: the job that lives has its status. */
    @Test
    void submissionThatThePoolHasIsNotRefused() {
        stage.send(submitted(RESNET, workers(1)));
        stage.takeSent();

        stage.send(unusable(RESNET));

        assertThat(stage.takeSent())
                .extracting(Sent::topic)
                .containsExactly(Topics.DECISIONS.name(), Topics.PARKED.name());
    }

    @Test
    void nameOfASubmissionThatWasParkedCanBeSubmittedAgain() {
        stage.send(unusable(RESNET));
        stage.send(submitted(job("resnet", 8), workers(1)));

        assertThat(stage.take(Topics.JOB_PLANS))
                .extracting(plan -> plan.getJob().getUid())
                .containsExactly("3-8");
    }

    @Test
    void commandThatIsParkedIsRefused() {
        stage.send(
                InboxRecords.event(InboxKind.JOB_CANCEL)
                        .setEnvelope(
                                Envelope.newBuilder(InboxRecords.envelope("cancel"))
                                        .setRequestId("request")
                                        .build())
                        .setRequestKey("ml/resnet")
                        .setJob(new JobRef("ml", "resnet", "no uid"))
                        .build());

        assertThat(stage.take(Topics.REQUEST_RESULTS))
                .singleElement()
                .returns(Outcome.REFUSED, RequestResult::getOutcome)
                .returns(null, RequestResult::getJob)
                .returns(null, RequestResult::getPhase);
    }

    @Test
    void nobodyIsAnsweredWhoAskedForNothing() {
        stage.send(InboxRecords.event(InboxKind.NODE_SEEN).build());

        assertThat(stage.takeSent())
                .extracting(Sent::topic)
                .containsExactly(Topics.DECISIONS.name(), Topics.PARKED.name());
    }
}
