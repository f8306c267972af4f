package dev.muster.coordinator.stream.rows;

import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Clock;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Uid;
import dev.muster.schemas.contract.Limits;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A row is one record: also that of a job behind as many others as admission takes in. */
class JobBehindManyTest {
    private static final String NAMESPACE = "n".repeat(63);

    @Test
    void rowIsFarBelowTheLargestRecord() {
        var names =
                IntStream.range(0, Limits.AFTER)
                        .mapToObj(i -> "%s-%03d".formatted("j".repeat(59), i))
                        .toList();
        var plain = workers(1, 1);
        var place = plain.place();
        var behind =
                new JobSpec.Place(
                        place.queue(),
                        place.priority(),
                        place.priorityClass(),
                        place.suspended(),
                        names.stream().map(name -> new JobSpec.After(name, true)).toList(),
                        place.labels());
        var job = Job.submitted(id("last"), plain.with(behind), new Clock(Instant.EPOCH, 0, null));
        var awaits = names.stream().map(name -> new Job.Awaited(id(name), true)).toList();

        var row = RowCodec.encode(job.with(job.past().awaiting(awaits)));

        assertThat(row.length).isLessThan(Limits.RECORD_BYTES / 20);
    }

    private static JobId id(String name) {
        return new JobId(NAMESPACE, name, new Uid(63, Long.MAX_VALUE));
    }
}
