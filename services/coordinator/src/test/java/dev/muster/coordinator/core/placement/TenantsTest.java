package dev.muster.coordinator.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.AntiAffinityTerm;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Repulsion;
import dev.muster.coordinator.core.placement.Tenants.Repelling;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Whose pods on a node keep others off it. */
class TenantsTest {
    private static final AntiAffinityTerm A = Repulsions.in("app", "a");
    private static final AntiAffinityTerm B = Repulsions.in("app", "b");
    private static final JobId X = Repulsions.JOBS.get(0);
    private static final JobId Y = Repulsions.JOBS.get(1);

    private final Tenants tenants = new Tenants();

    @Test
    void firstJobOfAllTermsIsTold() {
        tenants.count(Y, selectedBy(A), 1);
        tenants.count(X, selectedBy(B), 1);
        assertThat(repelling(shunning(A, B))).isEqualTo(new Repelling(X, false));
        assertThat(repelling(shunning(B, A))).isEqualTo(new Repelling(X, false));
        assertThat(repelling(shunning(A))).isEqualTo(new Repelling(Y, false));
    }

    @Test
    void whoShunsThemKeepsThemOffAndSoDoesWhomTheyShun() {
        tenants.count(X, shunning(A), 1);
        assertThat(repelling(selectedBy(A))).isEqualTo(new Repelling(X, true));
        assertThat(repelling(selectedBy(B))).isNull();
        assertThat(repelling(shunning(A))).isNull();
    }

    @Test
    void jobsThatDoNotCountKeepNobodyOff() {
        tenants.count(X, selectedBy(A), 1);
        assertThat(tenants.repelling(shunning(A), new TreeSet<>(List.of(X)))).isNull();
        tenants.count(Y, selectedBy(A), 1);
        assertThat(tenants.repelling(shunning(A), new TreeSet<>(List.of(X))))
                .isEqualTo(new Repelling(Y, false));
    }

    @Test
    void jobKeepsOthersOffUntilItsLastPodIsGone() {
        tenants.count(X, selectedBy(A), 1);
        tenants.count(X, selectedBy(A), 1);
        tenants.count(X, selectedBy(A), -1);
        assertThat(repelling(shunning(A))).isEqualTo(new Repelling(X, false));
        tenants.count(X, selectedBy(A), -1);
        assertThat(repelling(shunning(A))).isNull();
        assertThat(tenants.areNone()).isTrue();
    }

    private Repelling repelling(Repulsion repulsion) {
        return tenants.repelling(repulsion, Collections.emptySortedSet());
    }

    private static Repulsion shunning(AntiAffinityTerm... terms) {
        return new Repulsion(ordered(terms), Set.of());
    }

    private static Repulsion selectedBy(AntiAffinityTerm... terms) {
        return new Repulsion(Set.of(), ordered(terms));
    }

    private static Set<AntiAffinityTerm> ordered(AntiAffinityTerm... terms) {
        return new LinkedHashSet<>(List.of(terms));
    }
}
