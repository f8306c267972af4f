package dev.muster.schemas.trainjob;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
    @Test
    void wordWithFewEditsIsMeant() {
        assertThat(Nearest.of("tmeout", List.of("min", "timeout"))).hasValue("timeout");
        assertThat(Nearest.of("wall", List.of("min", "timeout"))).isEmpty();
    }

    /** To compare costs as much as a name is long, and no word of ours is that long. */
    @Test
    void nameLongerThanAnyWordIsComparedWithNone() {
        var longest = "x".repeat(63);
        assertThat(Nearest.of(longest + "y", List.of(longest))).isEmpty();
        assertThat(Nearest.of(longest, List.of(longest + "y"))).hasValue(longest + "y");
    }
}
