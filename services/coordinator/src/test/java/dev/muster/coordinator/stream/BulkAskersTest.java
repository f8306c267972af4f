package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.schemas.Topics;
import dev.muster.v1.BulkChanged;
import dev.muster.v1.Envelope;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobChange;
import dev.muster.v1.JobChangeKind;
import dev.muster.v1.JobEventKind;
import dev.muster.v1.JobMoved;
import dev.muster.v1.Phase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** By whom jobs moved that were all changed at once. */
class BulkAskersTest {
    private static final String ALICE = "alice@desk";

    private final Stage stage = new Stage();

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void eachJobIsToldByWhomAndNotWhatFollows() {
        stage.with(1);
        stage.send(submitted(job("running", 100), workers(1)));
        stage.send(submitted(job("waiting", 101), workers(1)));
        stage.takeSent();
        stage.send(ofAll(JobChangeKind.SUSPEND));
        assertThat(moves())
                .extracting(JobMoved::getTo, JobMoved::getBy)
                .containsExactly(tuple(Phase.STOPPING, ALICE), tuple(Phase.SUSPENDED, ALICE));
        stage.send(ofAll(JobChangeKind.RESUME));
        assertThat(moves())
                .extracting(JobMoved::getTo, JobMoved::getBy)
                .containsExactly(tuple(Phase.QUEUED, ALICE));
    }

    /**
     * Who is changed by another process than the one that was asked is changed by whoever asked.
     */
    @Test
    void itIsKnownAlsoAfterATakeover() {
        stage.with();
        for (int i = 0; i < 500; i++) {
            stage.send(submitted(job("job" + i, 100 + i), workers(1)));
        }
        stage.takeSent();
        stage.send(ofAll(JobChangeKind.CANCEL));
        int first = moves().size();
        stage.restart();
        while (stage.tellTime() > 0) {}
        assertThat(moves()).hasSize(500 - first).extracting(JobMoved::getBy).containsOnly(ALICE);
    }

    private List<JobMoved> moves() {
        return stage.take(Topics.JOB_EVENTS).stream()
                .filter(event -> event.getKind() == JobEventKind.MOVED)
                .map(event -> event.getMoved())
                .toList();
    }

    private static InboxEvent ofAll(JobChangeKind kind) {
        var change = JobChange.newBuilder().setKind(kind).build();
        var event =
                InboxRecords.event(InboxKind.BULK_CHANGE)
                        .setBulkChange(new BulkChanged("default", Map.of(), null, change))
                        .build();
        event.setEnvelope(Envelope.newBuilder(event.getEnvelope()).setActor(ALICE).build());
        return event;
    }
}
