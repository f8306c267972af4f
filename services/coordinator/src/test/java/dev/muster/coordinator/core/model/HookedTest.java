package dev.muster.coordinator.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.contract.Limits;
import org.junit.jupiter.api.Test;

/** How people are told what the hook of a command does. */
class HookedTest {
    private static final Hooked FIRST = Hooked.BEGUN.tried();

    @Test
    void hookRunsUntilItEnds() {
        assertThat(FIRST.words()).isEqualTo("runs");
        assertThat(FIRST.lateness()).isEqualTo("its hook did not end in time");
        assertThat(FIRST.succeeded("").words()).isEqualTo("ended well");
        assertThat(FIRST.tried().succeeded("").words()).isEqualTo("ended well in try 2");
    }

    @Test
    void failureIsToldByItsCodeOrItsReasonUntilTheNextTryHasEnded() {
        var failed = FIRST.failed(3, "Error", "out");
        assertThat(failed.words()).isEqualTo("failed with exit code 3 in try 1");
        assertThat(failed.tried().output()).isEqualTo("out");
        assertThat(FIRST.failed(null, "Evicted", "").words())
                .isEqualTo("failed with Evicted in try 1");
        assertThat(failed.tried().succeeded("done").words()).isEqualTo("ended well in try 2");
    }

    @Test
    void whoWaitsForAPodOfItsNamespaceSaysSoUntilItIsThere() {
        var waits = FIRST.waits();
        assertThat(waits.words())
                .isEqualTo("waits for a pod of its namespace's quota, all of which are used");
        assertThat(waits.lateness())
                .isEqualTo(
                        "its hook did not end in time: it waited for a pod of its namespace's"
                                + " quota");
        assertThat(waits.running().words()).isEqualTo("runs");
    }

    @Test
    void endOfALongOutputIsKept() {
        var output = "a".repeat(Limits.HOOK_OUTPUT) + "end";
        assertThat(FIRST.succeeded(output).output()).hasSize(Limits.HOOK_OUTPUT).endsWith("end");
    }
}
