package dev.muster.podmanager.core;

import static dev.muster.podmanager.core.Plans.MASTER;
import static dev.muster.podmanager.core.Plans.WORKER_1;
import static dev.muster.podmanager.core.Plans.plan;
import static dev.muster.podmanager.core.Plans.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.podmanager.core.Action.Delete;
import dev.muster.podmanager.core.Action.Report;
import dev.muster.podmanager.core.Plan.Backend;
import dev.muster.podmanager.core.Plan.Keep;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How long pods have to end that were told to go before. */
class ReconcileGraceTest {
    private final Reconcile reconcile = new Reconcile("test", Plans::agent, Plans::keys);

    @Test
    void whatIsEndingIsToldAgainWhereItIsToEndSooner() {
        var grace = Duration.ofSeconds(5);
        var stop = new Plan.Stop(grace, Keep.NONE, Set.of(), Backend.NONE, true);
        var slow = ending(pod(MASTER, 1, 4, 1), 600);
        assertThat(reconcile.decide(plan(1, 5, stop), new Listing(List.of(slow))))
                .containsExactly(new Delete(Kind.POD, "ml", slow.name(), slow.uid(), 5L));
        var told = List.of(ending(pod(MASTER, 1, 4, 1), 5), ending(pod(WORKER_1, 1, 4, 2), 2));
        assertThat(reconcile.decide(plan(1, 5, stop), new Listing(told)))
                .containsExactly(new Report(told));
    }

    @Test
    void whatIsEndingEndsAsItWasToldOtherwise() {
        var stop = new Plan.Stop(Duration.ofSeconds(2), Keep.NONE, Set.of(), Backend.NONE);
        var slow = ending(pod(MASTER, 1, 4, 1), 600);
        assertThat(reconcile.decide(plan(1, 5, stop), new Listing(List.of(slow))))
                .containsExactly(new Report(List.of(slow)));
    }

    private static Seen ending(Seen pod, long grace) {
        return new Seen(
                pod.kind(), pod.name(), pod.uid(), pod.mark(), true, false, pod.notes(), grace);
    }
}
