package dev.muster.podmanager.core;

import static dev.muster.podmanager.core.Plans.MASTER;
import static dev.muster.podmanager.core.Plans.budget;
import static dev.muster.podmanager.core.Plans.gang;
import static dev.muster.podmanager.core.Plans.groupOf;
import static dev.muster.podmanager.core.Plans.grouped;
import static dev.muster.podmanager.core.Plans.guarded;
import static dev.muster.podmanager.core.Plans.listing;
import static dev.muster.podmanager.core.Plans.plan;
import static dev.muster.podmanager.core.Plans.planned;
import static dev.muster.podmanager.core.Plans.pod;
import static dev.muster.podmanager.core.Plans.service;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.podmanager.core.Action.Apply;
import dev.muster.podmanager.core.Action.Edits;
import dev.muster.podmanager.core.Plan.Checkpoint;
import dev.muster.schemas.contract.CheckpointId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What becomes of fields of ours that somebody else has edited. */
class ReconcileEditsTest {
    private final Reconcile reconcile = new Reconcile("test", Plans::agent, Plans::keys);

    /** What was not seen may be somebody else's. */
    @Test
    void ofWhatIsNewAllIsLookedAt() {
        is(gang(1, 1), listing(), Edits.LOOKED_AT, null);
        is(guarded(2), listing(service(1)), Edits.LOOKED_AT, null);
        is(grouped(1, 1), listing(service(1)), Edits.LOOKED_AT, null);
        is(hosts(1), listing(service(1)), Edits.LOOKED_AT, null);
    }

    @Test
    void ofWhatIsOursTheyAreUndoneInThatVeryObject() {
        is(gang(2, 2), listing(service(1)), Edits.UNDONE, service(1).uid());
        var group = groupOf("resnet-a1.master", 1, 1);
        is(grouped(1, 2), listing(service(1), group), Edits.UNDONE, group.uid());
        var asking =
                RunBuilder.like(Plans.run(planned(MASTER, 1)))
                        .checkpoint(new Checkpoint(true, new CheckpointId(Plans.UID, 7)))
                        .build();
        var there = pod(MASTER, 1, 1, 1);
        is(plan(1, 2, asking), listing(service(1), there), Edits.UNDONE, there.uid());
    }

    /** Its version says more than its uid. */
    @Test
    void ofTheHostListTheyAreUndoneInTheVersionThatWasSeen() {
        var mark = new Mark(Plans.UID, 1, 1, null);
        var list = Seen.of(Kind.HOST_LIST, "resnet-hosts", "u-hosts", mark).in("4711");
        var apply = is(hosts(2), listing(service(1), list), Edits.UNDONE, null);
        assertThat(apply.object().getMetadata().getResourceVersion()).isEqualTo("4711");
    }

    /** Whoever lets a drain through means it. */
    @Test
    void ofTheBudgetTheyStay() {
        var second = plan(1, 2, guarded(1).wanted());
        is(second, listing(service(1), budget(1)), Edits.KEPT, budget(1).uid());
    }

    /** It is gone with the service of its attempt as soon as Kubernetes comes to it. */
    @Test
    void ofTheBudgetOfAnAttemptBeforeTheyDoNot() {
        var second = plan(2, 5, guarded(1).wanted());
        is(second, listing(service(2), budget(1)), Edits.UNDONE, budget(1).uid());
    }

    private static Plan hosts(long version) {
        var run = RunBuilder.like(Plans.run(planned(MASTER, 1)));
        return plan(1, version, run.hosts(new Hosts(version, Hosts.Shell.AGENT)).build());
    }

    private Apply is(Plan plan, Listing listing, Edits edits, @Nullable String uid) {
        var apply = (Apply) reconcile.decide(plan, listing).getFirst();
        assertThat(apply.edits()).isEqualTo(edits);
        assertThat(apply.object().getMetadata().getUid()).isEqualTo(uid);
        return apply;
    }
}
