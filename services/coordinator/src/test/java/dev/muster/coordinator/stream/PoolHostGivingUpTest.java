package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.v1.InboxEvent;
import dev.muster.v1.JobRef;
import dev.muster.v1.PodPhase;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A pool that is to stop while the registry alone knows how a submission is read. */
class PoolHostGivingUpTest {
    private static final JobRef RESNET = job("resnet", 7);

    private final Stage stage = new Stage();

    @AfterEach
    void close() {
        stage.close();
    }

    /** Whoever takes over waits for it. */
    @Test
    void newsOfAPodWhoseJobCannotBeReadYetIsNotParkedByWhoStops() {
        stage.with(1);
        stage.send(submitted(RESNET, workers(1)));
        stopsWhileTheRegistryIsAway("ml/resnet@3-7");

        var running = InboxRecords.seen(InboxRecords.pod(RESNET, 0), PodPhase.RUNNING).build();
        assertGivesUp(InboxRecords.podSeen(RESNET, running));
        assertThat(stage.count("parked")).isZero();
    }

    @Test
    void nodeWhoseJobCannotBeReadYetIsNotParkedByWhoStops() {
        stage.with(1);
        stage.send(submitted(RESNET, workers(1)));
        stage.send(submitted(job("next", 8), workers(1)));
        stopsWhileTheRegistryIsAway("ml/next@3-8");

        assertGivesUp(InboxRecords.node("n2", 1));
        assertThat(stage.count("failed")).isZero();
        assertThat(stage.count("parked")).isZero();
    }

    /** The submission was written by another version, and only the registry knows its schema. */
    private void stopsWhileTheRegistryIsAway(String job) {
        var bytes = stage.specs.get(job).clone();
        ByteBuffer.wrap(bytes).putInt(1, 4711);
        stage.specs.put(job, bytes);
        stage.restart();
        stage.takeSent();
        stage.wire.giveUp();
        stage.registry.answerNext(200, "no JSON");
    }

    private void assertGivesUp(InboxEvent event) {
        assertThatThrownBy(() -> stage.send(event)).hasMessage("gave up waiting for the registry");
        assertThat(stage.takeSent()).isEmpty();
    }
}
