package dev.muster.podmanager.kafka;

import dev.muster.podmanager.kafka.PlanRecord.Unreadable;
import dev.muster.schemas.crash.CrashPoint;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Takes in one record of job-plans after the other. */
final class PlanIntake {
    private final PlanReading reading;
    private final ParkedRecords parked;
    private final Work work;

    PlanIntake(PlanReading reading, ParkedRecords parked, Work work) {
        this.reading = reading;
        this.parked = parked;
        this.work = work;
    }

    /**
     * Takes in one.
     *
     * @throws org.apache.kafka.common.errors.RetriableException when it cannot be read now, or too
     *     many wait to be parked: it is to be given again
     */
    void take(ConsumerRecord<byte[], byte @Nullable []> in) {
        var read = reading.read(in);
        CrashPoint.POD_MANAGER_TAKEN.pass(read);
        work.accept(in.partition(), read);
        if (read instanceof Unreadable(_, var error)) {
            parked.park(in, error);
        }
    }

    /** Something of what waits for that is parked, if it goes now. */
    void parkWhatWaits() {
        parked.parkWhatWaits();
    }
}
