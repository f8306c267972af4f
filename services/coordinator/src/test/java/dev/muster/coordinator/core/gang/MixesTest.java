package dev.muster.coordinator.core.gang;

import static dev.muster.coordinator.core.fixtures.Fixtures.atLeast;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.together;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Seeds;
import dev.muster.coordinator.core.model.JobSpec;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How what is asked for beyond the minima may be shared among the roles. */
class MixesTest {
    static LongStream seeds() {
        return Seeds.first(300);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyMixMeetsTheMinimaAndTheTotal(long seed) {
        var random = new Random(seed);
        var roles = new JobSpec.Role[1 + random.nextInt(5)];
        int least = 0;
        int all = 0;
        for (int i = 0; i < roles.length; i++) {
            int replicas = 1 + random.nextInt(random.nextBoolean() ? 5 : 500);
            int min = 1 + random.nextInt(replicas);
            roles[i] = atLeast(min, role("r" + i, replicas, 1));
            least += min;
            all += replicas;
        }
        int total = least + random.nextInt(all - least + 1);
        var work = together(total, spec("q", roles)).work();
        var mixes = Mixes.of(work);
        assertThat(mixes).hasSizeBetween(total > least ? 1 : 0, Mixes.MOST).doesNotHaveDuplicates();
        for (var mix : mixes) {
            var minima = Mixes.minima(work.mixed(mix));
            assertThat(minima.stream().mapToInt(n -> n).sum()).isEqualTo(total);
            for (int i = 0; i < roles.length; i++) {
                assertThat(minima.get(i)).isBetween(roles[i].min(), roles[i].replicas());
            }
        }
        if (!mixes.isEmpty()) {
            assertThat(Mixes.minima(work)).isEqualTo(Mixes.minima(work.mixed(mixes.getFirst())));
        }
    }

    @Test
    void ofSmallGangsOfTwoRolesEachIsTried() {
        var work = work(5);
        assertThat(Mixes.areSeveral(work)).isTrue();
        assertThat(Mixes.of(work))
                .containsExactly(List.of(3, 0), List.of(2, 1), List.of(1, 2), List.of(0, 3));
    }

    @Test
    void thereIsOneAloneWhereAllOrNothingMoreIsAskedFor() {
        assertThat(IntStream.of(0, 2, 10)).noneMatch(total -> Mixes.areSeveral(work(total)));
    }

    @Test
    void ofAMixThatARoleHasBecomeTooSmallForStaysWhatCan() {
        var work = work(5).mixed(List.of(0, 3));
        assertThat(Mixes.minima(work)).containsExactly(1, 4);
        assertThat(Mixes.minima(work.sized("b", 3))).containsExactly(2, 3);
        assertThat(Mixes.minima(work.sized("b", 3).sized("a", 1))).containsExactly(1, 3);
        assertThat(Mixes.minima(work.sized("b", 8))).containsExactly(1, 4);
    }

    private static JobSpec.Work work(int total) {
        return together(total, spec("q", atLeast(1, role("a", 5, 1)), atLeast(1, role("b", 5, 1))))
                .work();
    }
}
