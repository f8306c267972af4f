package dev.muster.admission.http;

import static dev.muster.admission.http.Forms.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.admission.RunningAdmission;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobSignalKind;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a job has to say of itself. */
class SignalIT {
    private static final RunningAdmission ADMISSION = RunningAdmission.get();
    private static final String PATH = "/v1/jobs/default/saver/signals";

    @BeforeAll
    static void makeAPoolAndAQueue() {
        Forms.makeAPoolAndAQueue(ADMISSION);
    }

    @Test
    void itsAnswerComesToThePool() {
        var uid = ADMISSION.submit(job("saver", "worker", 1)).body().path("uid").asString();
        var answer =
                ADMISSION.post(
                        PATH,
                        "{\"kind\": \"CheckpointSaved\", \"answers\": 17, \"attempt\": 2,"
                                + " \"message\": \"saved step 400\"}");
        assertThat(answer.status()).isEqualTo(202);
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(ADMISSION.signalsOf("saver")).hasSize(1));
        var told = ADMISSION.signalsOf("saver").getFirst();
        assertThat(told.getKind()).isEqualTo(InboxKind.JOB_SIGNAL);
        assertThat(told.getJob().getUid()).isEqualTo(uid);
        assertThat(told.getEnvelope().getAttempt()).isEqualTo(2);
        var signal = told.getJobSignal();
        assertThat(signal.getKind()).isEqualTo(JobSignalKind.CHECKPOINT_SAVED);
        assertThat(signal.getAnswers()).isEqualTo("17");
        assertThat(signal.getMessage()).isEqualTo("saved step 400");
    }

    @Test
    void signalThatMakesNoSenseIsRefusedAtItsPath() {
        assertThat(ADMISSION.post(PATH, "{\"kind\": \"Saved\"}").problemPaths())
                .containsExactly("kind");
        assertThat(ADMISSION.post(PATH, "{\"kind\": \"CheckpointFailed\"}").problemPaths())
                .containsExactly("answers");
        assertThat(ADMISSION.post(PATH, "{\"kind\": \"Drained\"}").problemPaths())
                .containsExactly("role", "index");
        assertThat(ADMISSION.post(PATH, "saved").status()).isEqualTo(422);
    }
}
