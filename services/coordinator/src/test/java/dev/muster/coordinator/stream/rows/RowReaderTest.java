package dev.muster.coordinator.stream.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.stream.RandomValues;
import org.junit.jupiter.api.Test;

class RowReaderTest {
    private static final int SEEDS = 200;

    private final RowReader reader = new RowReader();

    private Row through(byte[] bytes, Row row) {
        return reader.row(RowKeys.of(row.key()), bytes);
    }

    private static Job job(long seed) {
        return new RandomValues(seed).of(Job.class);
    }

    @Test
    void rowsAreReadAsTheyWereWhateverWasReadBefore() {
        for (long seed = 0; seed < SEEDS; seed++) {
            var job = job(seed);
            assertThat(through(RowCodec.encode(job), job)).as("seed %d", seed).isEqualTo(job);
        }
    }

    @Test
    void workThatJobsHaveInCommonIsReadOnce() {
        var one = job(1);
        var spec = new JobSpec(job(2).spec().place(), job(1).spec().work());
        var other = job(2).with(spec);
        var first = (Job) through(RowCodec.encode(one), one);
        var second = (Job) through(RowCodec.encode(other), other);
        assertThat(second).isEqualTo(other);
        assertThat(second.spec().work()).isSameAs(first.spec().work());
    }

    /** As they were written before work was bytes within them. */
    @Test
    void rowOfBeforeIsReadAsItWas() {
        for (long seed = 0; seed < SEEDS; seed++) {
            var job = job(seed);
            var before = RowCodec.PLAIN.writeValueAsBytes(job);
            assertThat(through(before, job)).as("seed %d", seed).isEqualTo(job);
            assertThat(RowCodec.decode(Row.Table.JOB, before)).isEqualTo(job);
        }
    }
}
