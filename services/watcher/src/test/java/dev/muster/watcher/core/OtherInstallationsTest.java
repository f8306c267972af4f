package dev.muster.watcher.core;

import static dev.muster.watcher.core.Cluster.OURS;
import static dev.muster.watcher.core.Cluster.but;
import static dev.muster.watcher.core.Cluster.foreign;
import static dev.muster.watcher.core.Cluster.ours;
import static dev.muster.watcher.core.Cluster.pod;
import static dev.muster.watcher.core.ShardAtNoon.ONE;
import static dev.muster.watcher.core.ShardAtNoon.TWO;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.contract.LabelNames;
import dev.muster.watcher.core.OtherInstallations.Finding;
import dev.muster.watcher.core.WatchedPod.PodName;
import io.fabric8.kubernetes.api.model.Pod;
import org.junit.jupiter.api.Test;

class OtherInstallationsTest {
    private static final Finding LAB = new Finding("default", "lab", new PodName("ml", "a"));

    private final OtherInstallations others = new OtherInstallations("muster");

    @Test
    void podsOfAnotherInstallationInAPoolOfOursAreToldOnce() {
        assertThat(others.use(ONE)).isEmpty();
        assertThat(others.heard(lab("a"))).containsExactly(LAB);
        assertThat(others.heard(lab("b"))).isEmpty();
        assertThat(others.use(ONE)).isEmpty();
    }

    @Test
    void whatIsSeenBeforeThePoolsAreKnownIsToldWithThem() {
        assertThat(others.heard(lab("a"))).isEmpty();
        assertThat(others.use(TWO)).isEmpty();
        assertThat(others.use(ONE)).containsExactly(LAB);
    }

    @Test
    void ourOwnPodsAndThoseOfNobodyAreNotTold() {
        others.use(ONE);
        assertThat(others.heard(ours("a", null))).isEmpty();
        assertThat(others.heard(foreign("a", null, "1"))).isEmpty();
    }

    @Test
    void whatLabelsSayIsRememberedUpToABound() {
        others.use(ONE);
        for (var i = 0; i < 64; i++) {
            others.heard(pod("a", null, "1", but(OURS, LabelNames.INSTALLATION, "i" + i)));
        }
        assertThat(others.heard(lab("a"))).isEmpty();
    }

    private static Pod lab(String name) {
        return pod(name, null, "1", but(OURS, LabelNames.INSTALLATION, "lab"));
    }
}
