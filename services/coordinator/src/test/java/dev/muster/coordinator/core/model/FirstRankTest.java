package dev.muster.coordinator.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Fixtures;
import java.util.List;
import org.junit.jupiter.api.Test;

class FirstRankTest {
    @Test
    void theMastersElseTheFirstRoles() {
        assertThat(first("worker", role("worker", 0), role("master", 0))).isEqualTo("master-0");
        assertThat(first("ps", role("worker", 0), role("ps", 0))).isEqualTo("worker-0");
        assertThat(first("worker", role("launcher", 0), role("worker", 0))).isEqualTo("worker-0");
    }

    @Test
    void ofThoseThatTrainTogetherAlone() {
        assertThat(first("worker", role("data", 1), role("worker", 0))).isEqualTo("worker-0");
        assertThat(first("data", role("worker", 0), role("data", 1))).isEqualTo("data-0");
        assertThat(first("eval", role("master", 1), role("worker", 1), role("eval", 0)))
                .isEqualTo("eval-0");
    }

    private static String first(String role, JobSpec.Role... roles) {
        var spec = Fixtures.spec("q", roles);
        var first = FirstRank.beside(role, spec);
        assertThat(spec.isFirst(first)).isTrue();
        return first.role() + "-" + first.index();
    }

    private static JobSpec.Role role(String name, int world) {
        var like = Fixtures.role(name, 2, 1);
        return new JobSpec.Role(name, 2, 2, 0, like.pod(), List.of(), JobSpec.Care.PLAIN, world);
    }
}
