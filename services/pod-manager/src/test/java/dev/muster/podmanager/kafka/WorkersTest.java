package dev.muster.podmanager.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.podmanager.core.Backoff;
import dev.muster.podmanager.core.JobName;
import dev.muster.podmanager.core.Plan;
import dev.muster.podmanager.core.Plan.Backend;
import dev.muster.podmanager.core.Plan.Keep;
import dev.muster.podmanager.core.Submission;
import dev.muster.podmanager.kubernetes.FakeApiServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WorkersTest {
    private static final InstantSource CLOCK = InstantSource.system();
    private static final JobName JOB = new JobName("ml", "resnet");
    private static final Plan STOP =
            new Plan(
                    new Submission(JOB, "3-100"),
                    "default",
                    "team-a",
                    1,
                    1,
                    false,
                    "0-7/1",
                    new Plan.Stop(Duration.ofSeconds(30), Keep.NONE, Set.of(), Backend.NONE));

    private final FakeApiServer server = new FakeApiServer();
    private final Work work =
            new Work(new Backoff(Duration.ofMillis(1), Duration.ofMillis(10)), CLOCK);
    private boolean errs;
    private final Pass pass = new Pass(null, server.cluster(this::now), null, null, null);

    WorkersTest() throws IOException {
        int partition = Work.partitionOf(JOB);
        work.open(List.of(partition), Map.of(), work.nextOrder());
        work.accept(partition, new PlanRecord.Known(STOP));
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** Else its job would be in hand for ever, and nobody would know. */
    @Test
    @Timeout(30)
    void anErrorInOneJobEndsAll() {
        errs = true;
        var workers = new Workers(work, pass, 2);
        assertThatThrownBy(workers::run).isInstanceOf(LinkageError.class);
        assertThat(server.asked()).isEmpty();
    }

    private Instant now() {
        if (errs) {
            throw new LinkageError("no such class");
        }
        return CLOCK.instant();
    }
}
