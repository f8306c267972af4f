package dev.muster.coordinator.core.gang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Failure;
import dev.muster.coordinator.core.model.Failure.Cause;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.RankState;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UnjudgedFailuresTest {
    private final UnjudgedFailures casualties = new UnjudgedFailures();

    @Test
    void strongestCauseIsChargedAndOfEqualOnesTheFirst() {
        casualties.add(failed(0, 7, Cause.EXIT_CODE));
        casualties.add(failed(1, 6, Cause.EXIT_CODE));
        assertThat(casualties.strongest().rank().index()).isEqualTo(1);

        casualties.add(failed(2, 9, Cause.SIGNAL));
        casualties.add(failed(3, 8, Cause.SIGNAL));
        assertThat(casualties.strongest().rank().index()).isEqualTo(3);

        assertThat(casualties.all())
                .extracting(rank -> rank.id().index())
                .containsExactly(1, 0, 3, 2);
    }

    @Test
    void rankThatToldNothingOfItsEndWasLost() {
        casualties.add(failed(0, 7, null));
        assertThat(casualties.strongest()).isEqualTo(Failure.lost(new RankId("worker", 0)));
        assertThat(casualties.strongest().cause()).isEqualTo(Cause.INFRASTRUCTURE);
    }

    @Test
    void eachIsUnseenOnce() {
        var first = failed(0, 7, Cause.SIGNAL);
        var second = failed(1, 8, Cause.SIGNAL);
        casualties.add(first);
        assertThat(casualties.unseen()).containsExactly(first);
        casualties.looked();
        casualties.add(second);
        assertThat(casualties.unseen()).containsExactly(second);
        assertThat(casualties.all()).containsExactly(first, second);
        casualties.remove(first);
        casualties.remove(second);
        assertThat(casualties.isEmpty()).isTrue();
        assertThat(casualties.unseen()).isEmpty();
    }

    private static Rank failed(int index, long at, @Nullable Cause cause) {
        var id = new RankId("worker", index);
        var fences = new Job.Fences(1, 1, 1, 1);
        var making = new Rank.Making(fences, "node", List.of(), null, 0, 0);
        var failure = cause == null ? null : new Failure(id, cause, 1, "Error", "it failed");
        var rank = Rank.ordered(Fixtures.job("a", 1), id, making);
        var sight = rank.sight().at(at).judged(RankState.FAILED, false, failure);
        return rank.with(sight.at(20 - at));
    }
}
