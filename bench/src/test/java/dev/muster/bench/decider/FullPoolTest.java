package dev.muster.bench.decider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.bench.decider.FullPool.Size;
import dev.muster.coordinator.core.Pool;
import dev.muster.coordinator.core.model.Row;
import org.junit.jupiter.api.Test;

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
