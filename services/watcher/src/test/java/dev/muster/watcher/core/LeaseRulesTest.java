package dev.muster.watcher.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LeaseRulesTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private final LeaseRules rules = new LeaseRules("me", Duration.ofSeconds(5));

    @Test
    void aLeaseThatNobodyHasIsFree() {
        assertThat(rules.mayTake(new LeaseBuilder(lease("1", "", 5)).withSpec(null).build(), NOON))
                .isTrue();
        assertThat(rules.mayTake(lease("2", "", 5), NOON)).isTrue();
    }

    @Test
    void aLeaseInOurNameIsOursToTakeAgain() {
        assertThat(rules.mayTake(lease("1", "me", 5), NOON)).isTrue();
    }

    @Test
    void anothersLeaseIsFreeWhenItDidNotChangeForItsDuration() {
        var lease = lease("1", "other", 7);
        assertThat(rules.mayTake(lease, NOON)).isFalse();
        assertThat(rules.mayTake(lease, NOON.plusMillis(6999))).isFalse();
        assertThat(rules.mayTake(lease, NOON.plusSeconds(7))).isTrue();
    }

    @Test
    void everyRenewalBeginsTheWaitAnew() {
        rules.mayTake(lease("1", "other", 5), NOON);
        assertThat(rules.mayTake(lease("2", "other", 5), NOON.plusSeconds(5))).isFalse();
        assertThat(rules.mayTake(lease("2", "other", 5), NOON.plusSeconds(10))).isTrue();
    }

    @Test
    void aLeaseThatDoesNotSayForHowLongIsGivenForAsLongAsOurs() {
        var lease = lease("1", "other", null);
        assertThat(rules.mayTake(lease, NOON)).isFalse();
        assertThat(rules.mayTake(lease, NOON.plusSeconds(5))).isTrue();
    }

    @Test
    void theNextLookIsWhenTheHolderFallsSilentAndWhenTheLeaseIsFree() {
        var usual = Duration.ofMillis(500);
        assertThat(rules.nextLook(NOON, usual)).isEqualTo(usual);
        rules.mayTake(lease("1", "other", 5), NOON);
        assertThat(rules.nextLook(NOON.plusMillis(3999), usual)).isEqualTo(usual);
        assertThat(rules.nextLook(NOON.plusMillis(4001), usual)).isEqualTo(Duration.ofMillis(499));
        assertThat(rules.nextLook(NOON.plusMillis(4500), usual)).isEqualTo(usual);
        assertThat(rules.nextLook(NOON.plusMillis(4501), usual)).isEqualTo(Duration.ofMillis(499));
        assertThat(rules.nextLook(NOON.plusSeconds(5), usual)).isEqualTo(usual);
        rules.mayTake(lease("2", "other", 5), NOON.plusMillis(4900));
        assertThat(rules.nextLook(NOON.plusMillis(4900), usual)).isEqualTo(usual);
    }

    @Test
    void whoDidNotRenewFallsSilentOnceARenewalBeforeTheLeaseIsFree() {
        var renewal = Duration.ofMillis(500);
        assertThat(rules.fallsSilent(NOON, renewal)).isFalse();
        rules.mayTake(lease("1", "other", 5), NOON);
        assertThat(rules.fallsSilent(NOON.plusMillis(4499), renewal)).isFalse();
        assertThat(rules.wasSilent()).isFalse();
        assertThat(rules.fallsSilent(NOON.plusMillis(4500), renewal)).isTrue();
        assertThat(rules.fallsSilent(NOON.plusMillis(4600), renewal)).isFalse();
        assertThat(rules.wasSilent()).isTrue();

        rules.mayTake(lease("2", "other", 5), NOON.plusMillis(4900));
        assertThat(rules.wasSilent()).isFalse();
        assertThat(rules.fallsSilent(NOON.plusMillis(9399), renewal)).isFalse();
        assertThat(rules.fallsSilent(NOON.plusMillis(9400), renewal)).isTrue();
    }

    @Test
    void aTermCoversWhatIsBeforeItsEnd() {
        var term = new Term(7, new Layout(1, 3), false, NOON);
        assertThat(term.covers(NOON.minusNanos(1))).isTrue();
        assertThat(term.covers(NOON)).isFalse();
        term.extendTo(NOON.plusSeconds(1));
        assertThat(term.covers(NOON)).isTrue();
        term.endBy(NOON.plusSeconds(2));
        assertThat(term.until()).isEqualTo(NOON.plusSeconds(1));
        term.endBy(NOON);
        assertThat(term.covers(NOON)).isFalse();
        assertThat(term.hasEnded()).isFalse();
        term.end();
        assertThat(term.covers(NOON.minusSeconds(1))).isFalse();
        assertThat(term.hasEnded()).isTrue();
    }

    private static Lease lease(String version, String holder, @Nullable Integer seconds) {
        return new LeaseBuilder()
                .withNewMetadata()
                .withResourceVersion(version)
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity(holder)
                .withLeaseDurationSeconds(seconds)
                .endSpec()
                .build();
    }
}
