package dev.muster.podmanager.core;

import static dev.muster.podmanager.core.Plans.MASTER;
import static dev.muster.podmanager.core.Plans.WORKER_1;
import static dev.muster.podmanager.core.Plans.listing;
import static dev.muster.podmanager.core.Plans.plan;
import static dev.muster.podmanager.core.Plans.planned;
import static dev.muster.podmanager.core.Plans.pod;
import static dev.muster.podmanager.core.Plans.service;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.podmanager.core.Action.Delete;
import dev.muster.podmanager.core.Action.Report;
import dev.muster.podmanager.core.Plan.Backend;
import dev.muster.podmanager.core.Plan.Keep;
import dev.muster.podmanager.core.Plan.Run;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How long pods have to end: as their job gives them, those that were made late hardly any. */
class ReconcileGraceTest {
    private static final Rank EXTRA = new Rank("worker", 7);

    private final Reconcile reconcile = new Reconcile("test", Plans::agent, Plans::keys);

    @Test
    void whatIsEndingIsToldAgainWhereItIsToEndSooner() {
        var grace = Duration.ofSeconds(5);
        var stop = new Plan.Stop(grace, Keep.NONE, Plans.all(), Backend.NONE, true, null);
        var slow = ending(pod(MASTER, 1, 4, 1), 600);
        assertThat(reconcile.decide(plan(1, 5, stop), new Listing(List.of(slow))))
                .containsExactly(new Delete(Kind.POD, "ml", slow.name(), slow.uid(), 5L));
        var told = List.of(ending(pod(MASTER, 1, 4, 1), 5), ending(pod(WORKER_1, 1, 4, 2), 2));
        assertThat(reconcile.decide(plan(1, 5, stop), new Listing(told)))
                .containsExactly(new Report(told));
    }

    @Test
    void whatIsEndingEndsAsItWasToldOtherwise() {
        var stop =
                new Plan.Stop(
                        Duration.ofSeconds(2), Keep.NONE, Plans.all(), Backend.NONE, false, null);
        var slow = ending(pod(MASTER, 1, 4, 1), 600);
        assertThat(reconcile.decide(plan(1, 5, stop), new Listing(List.of(slow))))
                .containsExactly(new Report(List.of(slow)));
    }

    @Test
    void whatAJobDoesNotWantAnyMoreHasTheTimeThatItGives() {
        var run = RunBuilder.like(wanted()).grace(Duration.ofMinutes(10)).build();
        assertThat(graces(run)).containsExactly(600L, 600L);
        assertThat(graces(RunBuilder.like(run).grace(Duration.ZERO).build()))
                .containsExactly(1L, 1L);
        assertThat(graces(RunBuilder.like(run).forced(EXTRA).build())).containsExactly(600L, 0L);
    }

    @Test
    void whereAPlanDoesNotSayItThePodDoes() {
        assertThat(graces(wanted())).containsExactly(null, null);
    }

    /** All that the plan before did not want was ending when that was carried out. */
    @Test
    void whatIsThereBesideARepeatedPlanWasMadeLate() {
        var repeated = RunBuilder.like(wanted()).repeats().build();
        assertThat(graces(repeated)).containsExactly(2L, 2L);
        assertThat(graces(RunBuilder.like(repeated).grace(Duration.ofMinutes(10)).build()))
                .containsExactly(2L, 2L);
        assertThat(graces(RunBuilder.like(repeated).grace(Duration.ofSeconds(1)).build()))
                .containsExactly(1L, 1L);
        assertThat(graces(RunBuilder.like(repeated).forced(EXTRA).build())).containsExactly(2L, 0L);
        var told = listing(service(1), pod(MASTER, 1, 1, 1), pod(WORKER_1, 1, 4, 4));
        var slow = ending(pod(EXTRA, 1, 3, 3), 600);
        assertThat(reconcile.decide(plan(1, 5, repeated), told.with(List.of(slow))))
                .allMatch(Report.class::isInstance);
    }

    private static Run wanted() {
        return Plans.run(planned(MASTER, 1), planned(WORKER_1, 4));
    }

    /** Of an older pod of a wanted rank, and of one of a rank that nobody wants. */
    private List<@Nullable Long> graces(Run run) {
        var there =
                listing(
                        service(1),
                        pod(MASTER, 1, 1, 1),
                        pod(WORKER_1, 1, 1, 2),
                        pod(EXTRA, 1, 3, 3));
        return reconcile.decide(plan(1, 5, run), there).stream()
                .filter(Delete.class::isInstance)
                .<@Nullable Long>map(action -> ((Delete) action).graceSeconds())
                .toList();
    }

    private static Seen ending(Seen pod, long grace) {
        return pod.asDeleting(grace);
    }
}
