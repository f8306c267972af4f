package dev.muster.coordinator.core.model;

import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Seeds;
import dev.muster.coordinator.core.fixtures.Zones;
import dev.muster.coordinator.core.model.Separation.Group;
import dev.muster.coordinator.core.model.Separation.Run;
import dev.muster.coordinator.core.placement.Apart;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SeparationTest {
    @Test
    void rolesThatAskForNothingAreOneGroupEach() {
        var none = Separation.of(List.of(role("ps", 2, 1), role("worker", 4, 1)));
        assertThat(none).isSameAs(Separation.NONE);
        assertThat(none.concerns("worker")).isFalse();
        assertThat(none.runs("worker", 1, 3)).containsExactly(new Run(1, 3, Group.plain("worker")));
        assertThat(none.runs("worker", 1, 0)).isEmpty();
        assertThat(none.group(new RankId("worker", 3))).isEqualTo("worker");
        assertThat(none.apartFrom(new RankId("worker", 3))).isEmpty();
    }

    @Test
    void whatOneRoleAsksForBindsTheOtherToo() {
        var launcher = Apart.from(role("launcher", 1, 1), Apart.all("worker"));
        var both = Separation.of(List.of(launcher, role("worker", 4, 1), role("ps", 1, 1)));
        assertThat(both.runs("launcher", 0, 1))
                .containsExactly(new Run(0, 1, group("launcher", "worker")));
        assertThat(both.runs("worker", 0, 4))
                .containsExactly(new Run(0, 4, group("worker", "launcher")));
        assertThat(both.concerns("ps")).isFalse();
        assertThat(group("worker", "launcher").shunsOthers()).isTrue();
        assertThat(group("worker", "worker").shunsOthers()).isFalse();
        assertThat(group("worker", "worker").isAlone()).isTrue();
    }

    @Test
    void indicesThatAreAskedAboutAreGroupsOfTheirOwn() {
        var worker = Apart.from(role("worker", 8, 1), new RankRange("worker", 2, 4));
        var split = Separation.of(List.of(worker));
        assertThat(split.runs("worker", 1, 6))
                .containsExactly(
                        new Run(1, 1, group("worker", "worker/2")),
                        new Run(2, 2, group("worker/2", "worker", "worker/2", "worker/4")),
                        new Run(4, 3, group("worker/4", "worker/2")));
        assertThat(split.group(new RankId("worker", 100))).isEqualTo("worker/4");
    }

    @Test
    void rolesThatAreNotThereAreNobody() {
        var one = Separation.of(List.of(Apart.from(role("worker", 2, 1), Apart.all("ps"))));
        assertThat(one.concerns("worker")).isFalse();
        assertThat(one.runs("worker", 0, 2)).containsExactly(new Run(0, 2, Group.plain("worker")));
    }

    static LongStream seeds() {
        return Seeds.first(300);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void groupsKeepApartAsTheirPodsDo(long seed) {
        var random = new Random(seed);
        var names = List.of("a", "b", "c");
        var roles = new ArrayList<JobSpec.Role>();
        for (var name : names) {
            var role = role(name, 6, 1);
            var ranges = new RankRange[random.nextInt(3)];
            for (int i = 0; i < ranges.length; i++) {
                int first = random.nextInt(4);
                int end = random.nextBoolean() ? RankRange.OPEN : first + 1 + random.nextInt(3);
                ranges[i] = new RankRange(names.get(random.nextInt(3)), first, end);
            }
            var apart = Apart.from(role, ranges);
            roles.add(random.nextInt(4) == 0 ? Zones.apart(apart) : apart);
        }
        var separation = Separation.of(roles);
        var spec = spec("q", roles.toArray(JobSpec.Role[]::new));
        for (var one : ranks(names)) {
            var own = group(separation, one);
            assertThat(own.name()).isEqualTo(separation.group(one));
            assertThat(own.apart()).isEqualTo(separation.apartFrom(one));
            for (var other : ranks(names)) {
                assertThat(own.apart().contains(separation.group(other)))
                        .as("%s %s", one, other)
                        .isEqualTo(Apart.areApart(spec, one, other));
            }
        }
    }

    private static Group group(Separation separation, RankId rank) {
        var all = separation.runs(rank.role(), 0, 6);
        return all.stream()
                .filter(run ->
                        run.first() <= rank.index() && rank.index() < run.first() + run.pods())
                .map(Run::group)
                .findFirst()
                .orElseThrow();
    }

    private static List<RankId> ranks(List<String> roles) {
        var ranks = new ArrayList<RankId>();
        for (var role : roles) {
            for (int i = 0; i < 6; i++) {
                ranks.add(new RankId(role, i));
            }
        }
        return ranks;
    }

    private static Group group(String name, String... apart) {
        return new Group(name, new TreeSet<>(List.of(apart)));
    }
}
