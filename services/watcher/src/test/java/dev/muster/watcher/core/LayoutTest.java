package dev.muster.watcher.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LayoutTest {
    @Test
    void leaseThatSaysNothingIsTakenForANewLayout() {
        assertThat(Layout.of(lease("7"))).isNull();
        assertThat(Layout.onTaking(lease("7"), 2)).isEqualTo(new Layout(2, 7));
    }

    @Test
    void whoCountsAsBeforeGoesOnWithTheLayout() {
        var two = new Layout(2, 7);
        var lease = two.saidBy(lease("9"));
        assertThat(Layout.of(lease)).isEqualTo(two);
        assertThat(Layout.onTaking(lease, 2)).isEqualTo(two);
    }

    @Test
    void whoCountsOtherwiseBeginsANewerOneEvenIfItWasThereBefore() {
        var one = Layout.onTaking(new Layout(2, 7).saidBy(lease("9")), 1);
        assertThat(one).isEqualTo(new Layout(1, 9));
        assertThat(Layout.onTaking(one.saidBy(lease("12")), 2)).isEqualTo(new Layout(2, 12));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "two", "99999999999"})
    void leaseThatSomebodyMangledSaysNothing(String shards) {
        var mangled =
                new LeaseBuilder(lease("9"))
                        .editMetadata()
                        .addToAnnotations(
                                Map.of("muster.dev/shards", shards, "muster.dev/shards-since", "7"))
                        .endMetadata()
                        .build();
        assertThat(Layout.of(mangled)).isNull();
    }

    private static Lease lease(String version) {
        return new LeaseBuilder()
                .withNewMetadata()
                .withResourceVersion(version)
                .endMetadata()
                .build();
    }
}
