package dev.muster.admission.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.admission.core.Queues.Queue;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServiceNamesTest {
    private static final Queues QUEUES =
            KnownQueues.of(queue("default", "gpus"), queue("bound", "volcano"));

    @Test
    void nameOfASinglePodIsAServicesWhereABackendBindsIt() {
        assertThat(warnings("7b", "bound", 1)).containsExactly("metadata.name");
        assertThat(warnings("7b", "default", 1)).isEmpty();
        assertThat(warnings("7b", "not-known", 1)).isEmpty();
        assertThat(warnings("b7", "bound", 1)).isEmpty();
    }

    @Test
    void whatTheJobAloneTellsIsNotToldTwice() {
        assertThat(Validation.examine(job("7b", "bound", 2), 1).warnings())
                .extracting(Problem::path)
                .contains("metadata.name");
        assertThat(warnings("7b", "bound", 2)).isEmpty();
    }

    private static List<String> warnings(String name, String queue, int pods) {
        return ServiceNames.warnings(job(name, queue, pods), QUEUES).stream()
                .map(Problem::path)
                .toList();
    }

    private static TrainJob job(String name, String queue, int pods) {
        return Jobs.with(job -> {
            job.name = name;
            job.queue = queue;
            job.roles = List.of(Jobs.role("worker", pods));
        });
    }

    private static Queue queue(String name, String pool) {
        return new Queue(name, pool, 7, 0, 10, false, List.of(), Map.of());
    }
}
