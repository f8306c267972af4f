package dev.muster.coordinator.core.model;

import static dev.muster.coordinator.core.fixtures.Fixtures.cpu;
import static dev.muster.coordinator.core.fixtures.Fixtures.gibi;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a pod asks for when its main container gets more memory than was submitted. */
class MemoryTest {
    /** Two gibibytes of its own; one runs beside it, and an init container needs six once. */
    private static final Memory.Share SHARE = new Memory.Share(gibi(6), gibi(1));

    private static final Memory LIMITED = new Memory(gibi(2), null, SHARE, SHARE, 0);
    private static final Memory OPEN = new Memory(gibi(2), null, SHARE, null, 0);

    @Test
    void podAsksForWhatRunsTogetherAndNeverForLessThanWasSubmitted() {
        assertThat(LIMITED.requested(cpu(1), 0).get("memory")).isEqualTo(gibi(6));
        assertThat(LIMITED.requested(cpu(1), gibi(4)).get("memory")).isEqualTo(gibi(6));
        assertThat(LIMITED.requested(cpu(1), gibi(8)).get("memory")).isEqualTo(gibi(9));
        assertThat(LIMITED.requested(cpu(1), gibi(8)).get("cpu")).isEqualTo(1000);
    }

    @Test
    void whatRunsTogetherEndsAtTheLargestNumber() {
        var most = Long.MAX_VALUE - gibi(1);
        assertThat(LIMITED.requested(cpu(1), most).get("memory")).isEqualTo(Long.MAX_VALUE);
        assertThat(LIMITED.limited(cpu(1), most + 1).get("memory")).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void limitGrowsWithTheRequestAndComesToNobodyWhoHadNone() {
        assertThat(LIMITED.limited(cpu(1), gibi(8)).get("memory")).isEqualTo(gibi(9));
        assertThat(OPEN.limited(cpu(1), gibi(8))).isEqualTo(cpu(1));
    }

    @Test
    void requestBelowTheLimitKeepsItsProportion() {
        var share = new Memory.Share(gibi(9), gibi(1));
        var most = new Memory.Share(gibi(65), gibi(1));
        var burstable = new Memory(gibi(64), gibi(8), share, most, 0);
        assertThat(burstable.requested(cpu(1), 0).get("memory")).isEqualTo(gibi(9));
        assertThat(burstable.requested(cpu(1), gibi(96)).get("memory")).isEqualTo(gibi(13));
        assertThat(burstable.limited(cpu(1), gibi(96)).get("memory")).isEqualTo(gibi(97));
        assertThat(burstable.most(gibi(13))).isEqualTo(gibi(96));
        assertThat(burstable.most(0)).isEqualTo(-gibi(1));
        assertThat(LIMITED.most(gibi(13))).isEqualTo(gibi(12));
    }

    @Test
    void containerHasWhatItWasGrownTo() {
        assertThat(OPEN.now()).isEqualTo(gibi(2));
        assertThat(OPEN.grownTo(gibi(3)).now()).isEqualTo(gibi(3));
    }
}
