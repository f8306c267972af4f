package dev.muster.admission.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.Partitions;
import dev.muster.v1.JobRequest;
import dev.muster.v1.Outcome;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nobody has jobs in a closed namespace, also by a record that HTTP never saw. */
class ClosedNamespacesTest {
    private final Desk desk = Desk.withAQueue();

    @AfterEach
    void close() {
        desk.close();
    }

    @Test
    void submissionAndRetryThereAreRefused() {
        desk.ask(there("r1"));
        desk.ask(JobRequest.newBuilder(there("r2")).setRetryOf("0-7").build());
        assertThat(desk.inbox()).isEmpty();
        assertThat(desk.results())
                .hasSize(2)
                .allSatisfy(answer -> {
                    assertThat(answer.getOutcome()).isEqualTo(Outcome.REFUSED);
                    assertThat(answer.getProblems())
                            .extracting(problem -> problem.getPath())
                            .containsExactly("metadata.namespace");
                });
    }

    private static JobRequest there(String requestId) {
        var name =
                IntStream.iterate(0, i -> i + 1)
                        .mapToObj(i -> "job-" + i)
                        .filter(each -> Partitions.ofName(Desk.CLOSED, each) == 0)
                        .findFirst()
                        .orElseThrow();
        return JobRequest.newBuilder(Requests.submit(requestId, name))
                .setNamespace(Desk.CLOSED)
                .build();
    }
}
