package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.Fixtures.WATCHER;
import static dev.muster.coordinator.core.Fixtures.job;
import static dev.muster.coordinator.core.Fixtures.role;
import static dev.muster.coordinator.core.Fixtures.spec;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.QueueSpec;
import java.util.List;
import java.util.Map;

/** Jobs of one play by their names, the queues that they wait in and quotas of their namespace. */
final class NamedJobs {
    private final Play play;

    NamedJobs(Play play) {
        this.play = play;
    }

    void queue(String name, QueueSpec spec) {
        play.on(new Event.QueuePut(name, spec, null));
    }

    /** Of one resource, of which nobody else uses any. */
    void namespace(String resource, long hard) {
        var quota = Amounts.of(Map.of(resource, hard));
        play.on(new Event.NamespaceQuotaSeen(WATCHER, "ml", quota, Amounts.NONE));
    }

    void submit(String name, long offset, JobSpec spec) {
        play.on(new Event.Submitted(job(name, offset), spec, null));
    }

    void submit(String name, long offset, String queue) {
        submit(name, offset, one(queue));
    }

    /** One pod of one core. */
    static JobSpec one(String queue) {
        return spec(queue, role("worker", 1, 1));
    }

    /** All its pods have succeeded. */
    void end(String name, long offset) {
        for (var rank : List.copyOf(play.ranks(job(name, offset)))) {
            var mark =
                    Fixtures.mark(rank.id().role(), rank.id().index(), rank.making().incarnation());
            var node = rank.making().node();
            var pod = Fixtures.pod(mark, 1, PodPhase.SUCCEEDED, node, 0);
            play.on(new Event.PodSeen(WATCHER, rank.job(), pod));
        }
    }
}
