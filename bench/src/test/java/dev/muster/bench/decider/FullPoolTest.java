package dev.muster.bench.decider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.bench.decider.FullPool.Size;
import dev.muster.coordinator.core.Pool;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Row;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FullPoolTest {
    @Test
    void nothingStartsBeforeThereIsRoom() {
        var rows = new FullPool(new Size(300, 3, 2, 1), true).rows();
        assertThat(rows).filteredOn(row -> row.key().table() == Row.Table.JOB).hasSize(300);
        assertThat(rows).noneMatch(row -> row.key().table() == Row.Table.RANK);
    }

    @Test
    void roomIsUsedUp() {
        var pool = new FullPool(new Size(300, 3, 2, 1), true);
        assertThat(pool.makeRoom(2)).isEqualTo(200);
        assertThat(pool.rows()).filteredOn(row -> row.key().table() == Row.Table.RANK).hasSize(200);
    }

    @Test
    void gangsStartWhole() {
        assertThat(new FullPool(new Size(30, 3, 2, 20), false).makeRoom(2)).isEqualTo(10);
    }

    @ParameterizedTest
    @EnumSource
    void everyVariantIsFullAtFirstAndUsesTheRoomThatComes(Variant variant) {
        var pool = new FullPool(new Size(300, 3, 4, 1), variant, false);
        pool.stir(8);
        assertThat(pool.makeRoom(2)).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 20})
    void asManyStartWhateverTheirSizes(int gang) {
        var pool = new FullPool(new Size(3_000, 3, 4, gang, 1_000), Variant.PLAIN, false);
        pool.stir(8);
        assertThat(pool.makeRoom(2)).isEqualTo(200 / gang);
    }

    @Test
    void jobsAreOfAsManySizesAsAreAskedFor() {
        var jobs = new FullPool(new Size(300, 3, 2, 1, 50), true).rows();
        var sizes = jobs.stream().flatMap(FullPoolTest::demand).distinct();
        assertThat(sizes).hasSize(50);
    }

    private static Stream<Amounts> demand(Row row) {
        return row instanceof Job job
                ? Stream.of(job.spec().work().roles().getLast().pod().demand())
                : Stream.empty();
    }

    @Test
    void holderKeepsItsRoom() {
        var pool = new FullPool(new Size(300, 3, 2, 1), Variant.HOLDER, true);
        pool.makeRoom(2);
        assertThat(pool.rows()).filteredOn(row -> row.key().table() == Row.Table.HOLD).hasSize(1);
    }

    @Test
    void rowsMakeAPoolAgain() {
        var rows = new FullPool(new Size(30, 3, 2, 1), true).rows();
        assertThat(Pool.restore(rows).name()).isEqualTo("default");
    }

    @Test
    void cancelledJobsAreGone() {
        var pool = new FullPool(new Size(30, 3, 2, 1), true);
        pool.cancel(10);
        assertThat(pool.rows()).filteredOn(row -> row.key().table() == Row.Table.JOB).hasSize(20);
    }
}
