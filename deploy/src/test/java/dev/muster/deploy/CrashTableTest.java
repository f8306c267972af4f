package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CrashTableTest {
    @Test
    void guideHasEveryPointAsTheServicesHaveIt() {
        assertThat(CrashTable.inGuide()).isEqualTo(CrashTable.text(CrashTable.outcomesInGuide()));
    }

    @Test
    void outcomeStandsInItsField() {
        assertThat(CrashTable.text(Map.of("watcher.won/cancelled", "✓")))
                .contains(
                        "| `watcher.won` | the shard's Lease is won | the snapshot"
                                + " | not run | not run | ✓ | not run | ")
                .contains("| `pod-manager.swept` | a leftover is deleted | the next one | · |");
    }
}
