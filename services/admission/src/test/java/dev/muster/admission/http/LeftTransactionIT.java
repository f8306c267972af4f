package dev.muster.admission.http;

import static dev.muster.admission.http.Forms.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.admission.RunningAdmission;
import dev.muster.sandbox.TestParts;
import dev.muster.schemas.Topics;
import dev.muster.schemas.crash.DeadProcess;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** An admission that died in the middle of a transaction, and another one that takes over. */
class LeftTransactionIT {
    private static final RunningAdmission ADMISSION = RunningAdmission.get();
    private static final Map<String, Object> KAFKA =
            Map.of("bootstrap.servers", TestParts.bootstrapServers());

    @BeforeAll
    static void makeAPoolAndAQueue() {
        Forms.makeAPoolAndAQueue(ADMISSION);
    }

    @Test
    void poolsHearOfJobsAllTheSame() throws Exception {
        try (var dead = DeadProcess.leaving(KAFKA, "muster-admission", Topics.INBOX.name())) {
            ADMISSION.restart();

            assertThat(ADMISSION.submit(job("taken-over", "worker", 1)).status()).isEqualTo(201);
            assertThat(dead.isFenced()).isTrue();
        }
    }
}
