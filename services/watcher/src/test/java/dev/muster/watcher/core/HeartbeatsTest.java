package dev.muster.watcher.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Nodes that renew their leases every 10 s, and such that do so no more. */
class HeartbeatsTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Duration LEASE = Duration.ofSeconds(40);

    private final Heartbeats heartbeats = new Heartbeats();

    private Instant at(double seconds) {
        return NOON.plusMillis((long) (seconds * 1000));
    }

    private boolean beat(String node, double at) {
        return heartbeats.heard(node, "t" + at, LEASE, at(at));
    }

    /** Each of so many nodes renews within every 10 s, evenly, from 0 on. */
    private void allBeat(int nodes, double until) {
        int beats = (int) (until * nodes / 10);
        for (int i = 0; i <= beats; i++) {
            double at = i * 10.0 / nodes;
            beat("node-" + i % nodes, at);
            assertThat(heartbeats.overdue(at(at))).isEmpty();
        }
    }

    @Test
    void nodeThatMissedOneRenewalIsSilentUntilItIsHeardAgain() {
        beat("a", 0);
        beat("b", 1);
        beat("a", 10);
        beat("b", 11);
        beat("a", 20);
        assertThat(heartbeats.nextDue(at(20))).contains(at(23));
        assertThat(heartbeats.overdue(at(22.9))).isEmpty();
        assertThat(heartbeats.overdue(at(23))).containsExactly("b");
        assertThat(heartbeats.isSilent("b")).isTrue();
        assertThat(heartbeats.overdue(at(24))).isEmpty();
        assertThat(beat("b", 25)).isTrue();
        assertThat(heartbeats.isSilent("b")).isFalse();
        assertThat(beat("b", 35)).isFalse();
    }

    @Test
    void nodeThatWasNeverSeenToRenewIsNotSilent() {
        beat("left-over", 0);
        heartbeats.heard("left-over", "t0.0", LEASE, at(5)); // Its label changed.
        allBeat(4, 100);
        assertThat(heartbeats.overdue(at(100))).isEmpty();
        assertThat(heartbeats.isSilent("left-over")).isFalse();
        assertThat(heartbeats.isSilent("without-a-lease")).isFalse();
    }

    @Test
    void nobodyIsSilentWhileNobodyIsHeard() {
        allBeat(100, 30);
        assertThat(heartbeats.overdue(at(60))).isEmpty();
        assertThat(heartbeats.nextDue(at(60))).isEmpty();
        beat("node-7", 60);
        assertThat(heartbeats.overdue(at(60))).isEmpty();
        for (int i = 0; i < 100; i++) {
            if (i != 7 && i != 8) {
                beat("node-" + i, 60.1 + i * 0.1);
                assertThat(heartbeats.overdue(at(60.1 + i * 0.1))).isEmpty();
            }
        }
        beat("node-7", 70);
        beat("node-9", 71.9);
        assertThat(heartbeats.overdue(at(72))).containsExactly("node-8");
    }

    @Test
    void onlyNodeOfAllIsNeverSilent() {
        beat("a", 0);
        beat("a", 10);
        assertThat(heartbeats.overdue(at(1000))).isEmpty();
        assertThat(heartbeats.nextDue(at(1000))).isEmpty();
    }

    @Test
    void nodeWhoseLeaseIsDeletedIsNotSilent() {
        allBeat(4, 20);
        beat("node-1", 22.5);
        beat("node-2", 25);
        beat("node-3", 27.5);
        beat("node-1", 32);
        assertThat(heartbeats.overdue(at(32))).containsExactly("node-0");
        assertThat(heartbeats.forget("node-0")).isTrue();
        assertThat(heartbeats.isSilent("node-0")).isFalse();
        assertThat(heartbeats.forget("node-1")).isFalse();
        beat("node-2", 35);
        beat("node-3", 37);
        beat("node-2", 45);
        assertThat(heartbeats.overdue(at(45))).isEmpty();
    }

    @Test
    void whoRenewsInTimeIsNeverCalledSilent() {
        allBeat(5000, 60);
        assertThat(heartbeats.overdue(at(60))).isEmpty();
    }

    @Test
    void leaseOfAnotherLengthIsRenewedAsOften() {
        heartbeats.heard("a", "1", Duration.ofSeconds(4), at(0));
        heartbeats.heard("b", "1", Duration.ofSeconds(4), at(0));
        heartbeats.heard("a", "2", Duration.ofSeconds(4), at(1));
        heartbeats.heard("b", "2", Duration.ofSeconds(4), at(1));
        heartbeats.heard("b", "3", Duration.ofSeconds(4), at(2));
        assertThat(heartbeats.overdue(at(2.1))).isEmpty();
        assertThat(heartbeats.overdue(at(2.2))).containsExactly("a");
    }
}
