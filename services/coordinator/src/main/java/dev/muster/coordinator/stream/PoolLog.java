package dev.muster.coordinator.stream;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Step;
import dev.muster.coordinator.core.model.Decision;
import dev.muster.v1.InboxEvent;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is logged of one pool, for whoever runs this process. */
final class PoolLog {
    /** Under the name of whoever carries the pool. */
    private static final Logger log = LoggerFactory.getLogger(PoolHost.class);

    private final int partition;

    /**
     * @param partition of the inbox: the pool's number
     */
    PoolLog(int partition) {
        this.partition = partition;
    }

    void restored(String name, long position, Rebuild rebuild) {
        log.atInfo()
                .addKeyValue("pool", name)
                .addKeyValue("partition", partition)
                .addKeyValue("position", position)
                .addKeyValue("rows", rebuild.rows())
                .addKeyValue("millis", rebuild.took().toMillis())
                .log("pool restored");
    }

    void stopped(long offset) {
        log.atError()
                .addKeyValue("partition", partition)
                .addKeyValue("offset", offset)
                .log("POOL STOPPED: its inbox has an event of a kind unknown to this version");
    }

    void stuck(long offset, RuntimeException e) {
        log.atError()
                .addKeyValue("partition", partition)
                .addKeyValue("offset", offset)
                .setCause(e)
                .log("POOL STOPPED: it cannot go on, whatever comes");
    }

    void clockJumped(long offset, Instant appended) {
        log.atError()
                .addKeyValue("partition", partition)
                .addKeyValue("offset", offset)
                .addKeyValue("appended", appended)
                .log("THE BROKER'S CLOCK JUMPED AHEAD: deadlines pass too early");
    }

    void failed(long offset, InboxEvent message, RuntimeException e) {
        log.atError()
                .addKeyValue("partition", partition)
                .addKeyValue("offset", offset)
                .addKeyValue("event", message.getKind())
                .setCause(e)
                .log("THE POOL COULD NOT TAKE AN EVENT: it is made anew from its rows");
    }

    void parked(long offset, String why) {
        log.atWarn()
                .addKeyValue("partition", partition)
                .addKeyValue("offset", offset)
                .addKeyValue("why", why)
                .log("inbox record parked");
    }

    /** Which jobs moved, and who was told, or told, what nobody can make anything of. */
    void decided(long offset, InboxEvent message, Step step) {
        for (var effect : step.effects()) {
            if (effect instanceof Effect.Moved moved) {
                moved(moved);
            } else if (effect instanceof Effect.Unbelieved unbelieved) {
                unbelieved(unbelieved);
            }
        }
        if (step.stays().containsKey(Decision.Why.IMPOSSIBLE)) {
            log.atWarn()
                    .addKeyValue("partition", partition)
                    .addKeyValue("offset", offset)
                    .addKeyValue("event", message.getKind())
                    .log("a job was told what cannot come in its state");
        }
    }

    private void unbelieved(Effect.Unbelieved watcher) {
        log.atError()
                .addKeyValue("partition", partition)
                .addKeyValue("shard", watcher.shard())
                .addKeyValue("epoch", watcher.epoch())
                .addKeyValue("newest", watcher.newest())
                .log("A WATCHER IS NOT BELIEVED: the versions of its cluster's Leases went back");
    }

    private static void moved(Effect.Moved moved) {
        log.atInfo()
                .addKeyValue("jobId", moved.job())
                .addKeyValue("attempt", moved.attempt())
                .addKeyValue("from", moved.from())
                .addKeyValue("to", moved.to())
                .addKeyValue("why", moved.reason())
                .log("job moved");
    }
}
