package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CrashTableTest {
    @Test
    void guideHasEveryPointAsTheServicesHaveIt() {
        assertThat(CrashTable.inGuide())
                .isEqualTo(CrashTable.text(CrashTable.outcomesInGuide(), CrashTable.runsInGuide()));
    }

    /** A new point, or a promise that was broken, is for the whole matrix to be run again. */
    @Test
    void everyServiceThatDiedLeftNoTrace() {
        assertThat(CrashTable.outcomesInGuide().values()).containsOnly("✓", "·");
        assertThat(CrashTable.runsInGuide()).isNotEmpty();
    }

    @Test
    void outcomeStandsInItsField() {
        assertThat(CrashTable.text(Map.of("watcher.won/cancelled", "✓"), List.of()))
                .contains(
                        "| `watcher.won` | the shard's Lease is won | the snapshot"
                                + " | not run | not run | ✓ | not run | ")
                .contains("| `pod-manager.swept` | a leftover is deleted | the next one | · |");
    }
}
