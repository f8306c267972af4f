package dev.muster.podmanager.core;

import static dev.muster.podmanager.core.Plans.MASTER;
import static dev.muster.podmanager.core.Plans.NEWER;
import static dev.muster.podmanager.core.Plans.OLDER;
import static dev.muster.podmanager.core.Plans.WORKER_0;
import static dev.muster.podmanager.core.Plans.WORKER_1;
import static dev.muster.podmanager.core.Plans.deleting;
import static dev.muster.podmanager.core.Plans.listing;
import static dev.muster.podmanager.core.Plans.plan;
import static dev.muster.podmanager.core.Plans.pod;
import static dev.muster.podmanager.core.Plans.podOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.podmanager.core.Action.Delete;
import dev.muster.podmanager.core.Plan.Backend;
import dev.muster.podmanager.core.Plan.Keep;
import dev.muster.podmanager.core.Plan.Stop;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plans of a submission beside which a newer one of its name has plans, too. */
class ReconcileReplacedTest {
    private static final Plan FORCING_WORKER_1 =
            plan(
                    1,
                    5,
                    new Stop(
                            Duration.ofSeconds(30),
                            Keep.NONE,
                            Plans.all(WORKER_1),
                            Backend.NONE,
                            false,
                            null));

    private final Reconcile reconcile = new Reconcile("test", Plans::agent, Plans::keys);

    /** The newer one's plan waits for it, and deletes nothing without a kubelet's word. */
    @Test
    void whatADeadNodeHoldsOfItIsForcedByItsOwnPlan() {
        var held = deleting(pod(WORKER_1, 1, 1, 3));
        var there = listing(held, deleting(pod(WORKER_0, 1, 1, 2)));
        assertThat(reconcile.decideReplaced(FORCING_WORKER_1, there))
                .containsExactly(new Delete(Kind.POD, "ml", held.name(), held.uid(), 0L));
        assertThat(told(listing(deleting(pod(WORKER_0, 1, 1, 2)))))
                .containsExactly("report resnet-worker-0");
    }

    @Test
    void nobodyWaitsForTheEndOfItsHook() {
        var hook = deleting(pod(Rank.HOOK, 1, 4, 9));
        assertThat(reconcile.decideReplaced(Plans.stopping(Keep.NONE), listing(hook)))
                .containsExactly(new Delete(Kind.POD, "ml", hook.name(), hook.uid(), 0L));
    }

    @Test
    void whatIsAnothersOrNewerThanThePlanIsNotForced() {
        assertThat(told(listing(podOf(NEWER, WORKER_1, 1, 1, 3), podOf(OLDER, MASTER, 1, 1, 1))))
                .containsExactly("report resnet-master-0");
        assertThat(told(listing(pod(WORKER_1, 2, 6, 7)))).containsExactly("report resnet-worker-1");
        assertThat(told(listing(pod(WORKER_1, 1, 6, 7)))).containsExactly("report resnet-worker-1");
    }

    @Test
    void whatOnlyAFinalizerKeepsIsForcedNoMore() {
        assertThat(told(listing(Plans.forced(pod(WORKER_1, 1, 1, 3)))))
                .containsExactly("report resnet-worker-1");
        var stop =
                reconcile.decide(
                        FORCING_WORKER_1,
                        listing(Plans.forced(pod(WORKER_1, 1, 1, 3)), pod(WORKER_0, 1, 1, 2)));
        assertThat(stop)
                .singleElement()
                .isInstanceOf(Delete.class)
                .extracting(action -> ((Delete) action).name())
                .isEqualTo("resnet-worker-0");
    }

    private List<String> told(Listing listing) {
        return Told.of(reconcile.decideReplaced(FORCING_WORKER_1, listing));
    }
}
