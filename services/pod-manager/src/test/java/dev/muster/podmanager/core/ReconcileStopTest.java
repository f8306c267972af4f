package dev.muster.podmanager.core;

import static dev.muster.podmanager.core.Plans.MASTER;
import static dev.muster.podmanager.core.Plans.OLDER;
import static dev.muster.podmanager.core.Plans.WORKER_0;
import static dev.muster.podmanager.core.Plans.WORKER_1;
import static dev.muster.podmanager.core.Plans.budget;
import static dev.muster.podmanager.core.Plans.deleting;
import static dev.muster.podmanager.core.Plans.ended;
import static dev.muster.podmanager.core.Plans.foreign;
import static dev.muster.podmanager.core.Plans.listing;
import static dev.muster.podmanager.core.Plans.plan;
import static dev.muster.podmanager.core.Plans.pod;
import static dev.muster.podmanager.core.Plans.podOf;
import static dev.muster.podmanager.core.Plans.service;
import static dev.muster.podmanager.core.Plans.stopping;
import static dev.muster.podmanager.core.Plans.whole;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.podmanager.core.Action.Delete;
import dev.muster.podmanager.core.Plan.Keep;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Attempts that stop: which pods go with what grace, and the service after the last one. */
class ReconcileStopTest {
    private final Reconcile reconcile = new Reconcile("test", Plans::agent, Plans::keys);

    @Test
    void stoppingWithoutKeepingDeletesEveryPodWithItsGrace() {
        assertThat(
                        reconcile.decide(
                                stopping(Keep.NONE),
                                listing(service(1), ended(pod(MASTER, 1, 1, 1)))))
                .containsExactly(
                        new Delete(
                                Kind.POD,
                                "ml",
                                "resnet-master-0",
                                pod(MASTER, 1, 1, 1).uid(),
                                30L));
    }

    @Test
    void graceIsNeverZero() {
        var atOnce =
                plan(
                        1,
                        5,
                        new Plan.Stop(
                                Duration.ZERO,
                                Keep.NONE,
                                Plans.all(),
                                Plan.Backend.NONE,
                                false,
                                null));
        var delete = (Delete) reconcile.decide(atOnce, whole()).getFirst();
        assertThat(delete.graceSeconds()).isEqualTo(1);
    }

    @Test
    void forcedPodIsForgottenThoughItIsBeingDeleted() {
        var lost = deleting(pod(WORKER_0, 1, 1, 2));
        var plan =
                plan(
                        1,
                        5,
                        new Plan.Stop(
                                Duration.ZERO,
                                Keep.NONE,
                                Plans.all(WORKER_0),
                                Plan.Backend.NONE,
                                false,
                                null));
        assertThat(
                        reconcile.decide(
                                plan, listing(service(1), lost, deleting(pod(MASTER, 1, 1, 1)))))
                .containsExactly(new Delete(Kind.POD, "ml", "resnet-worker-0", lost.uid(), 0L));
        assertThat(told(plan, listing(service(1), deleting(pod(MASTER, 1, 1, 1)))))
                .containsExactly("report resnet-master-0");
    }

    /** What a dead node holds may be refused at every try: nobody runs on for that. */
    @Test
    void whatIsForcedKeepsNothingElseRunning() {
        var lost = deleting(pod(WORKER_0, 1, 1, 2));
        var living = pod(MASTER, 1, 1, 1);
        var silent = pod(WORKER_1, 1, 1, 3);
        var plan =
                plan(
                        1,
                        5,
                        new Plan.Stop(
                                Duration.ofSeconds(30),
                                Keep.NONE,
                                Plans.all(WORKER_0, WORKER_1),
                                Plan.Backend.NONE,
                                false,
                                null));
        assertThat(reconcile.decide(plan, listing(service(1), living, lost, silent)))
                .containsExactly(
                        new Delete(Kind.POD, "ml", "resnet-worker-0", lost.uid(), 0L),
                        new Delete(Kind.POD, "ml", "resnet-worker-1", silent.uid(), 0L),
                        new Delete(Kind.POD, "ml", "resnet-master-0", living.uid(), 30L));
    }

    /** It was made in the place of what is left on a dead node, and may be on a living one. */
    @Test
    void laterMakingOfAForcedRankHasItsTimeToEnd() {
        var forced = new Forced(Map.of(WORKER_0, 4));
        var plan =
                plan(
                        1,
                        5,
                        new Plan.Stop(
                                Duration.ofSeconds(30),
                                Keep.NONE,
                                forced,
                                Plan.Backend.NONE,
                                false,
                                null));
        var lost = deleting(pod(WORKER_0, 1, 1, 2));
        assertThat(reconcile.decide(plan, listing(lost)))
                .containsExactly(new Delete(Kind.POD, "ml", "resnet-worker-0", lost.uid(), 0L));
        var made = pod(WORKER_0, 1, 3, 4);
        assertThat(reconcile.decide(plan, listing(made)))
                .containsExactly(new Delete(Kind.POD, "ml", "resnet-worker-0", made.uid(), 30L));
        assertThat(told(plan, listing(deleting(made)))).containsExactly("report resnet-worker-0");
    }

    @Test
    void keepingTheFinishedDeletesTheOthers() {
        var there = listing(service(1), ended(pod(MASTER, 1, 1, 1)), pod(WORKER_0, 1, 1, 2));
        assertThat(told(stopping(Keep.FINISHED), there)).containsExactly("delete resnet-worker-0");
    }

    @Test
    void keepingAllStillDeletesAnOlderSubmission() {
        var there = listing(service(1), pod(MASTER, 1, 1, 1), podOf(OLDER, WORKER_0, 1, 1, 2));
        assertThat(told(stopping(Keep.ALL), there)).containsExactly("delete resnet-worker-0");
    }

    /** Whatever its attempt, its rank or its end: the pool did not know it when the job ended. */
    @ParameterizedTest
    @EnumSource(names = {"FINISHED", "ALL"})
    void onlyWhatThePlanKnowsIsKept(Keep keep) {
        var known = ended(pod(MASTER, 2, 1, 1));
        var stop = keeping(keep, Set.of(known.uid(), "one that is gone"));
        var there =
                listing(
                        service(2),
                        known,
                        ended(pod(WORKER_0, 1, 1, 2)),
                        ended(pod(WORKER_1, 2, 1, 3)));
        assertThat(told(stop, there))
                .containsExactly("delete resnet-worker-0", "delete resnet-worker-1");
        assertThat(told(stop, listing(service(2), known)))
                .containsExactly("report resnet-master-0");
        assertThat(told(keeping(keep, Set.of()), listing(service(2), known)))
                .containsExactly("delete resnet-master-0");
    }

    @Test
    void whatIsKnownAndRunsIsKeptOnlyWhereAllIs() {
        var known = pod(MASTER, 2, 1, 1);
        var there = listing(service(2), known);
        assertThat(told(keeping(Keep.ALL, Set.of(known.uid())), there))
                .containsExactly("report resnet-master-0");
        assertThat(told(keeping(Keep.FINISHED, Set.of(known.uid())), there))
                .containsExactly("delete resnet-master-0");
        assertThat(told(keeping(Keep.NONE, Set.of(known.uid())), there))
                .containsExactly("delete resnet-master-0");
    }

    private static Plan keeping(Keep keep, Set<String> kept) {
        var grace = Duration.ofSeconds(30);
        return plan(2, 5, new Plan.Stop(grace, keep, Plans.all(), Plan.Backend.NONE, false, kept));
    }

    @Test
    void theServiceGoesAfterTheLastPod() {
        var ending = listing(service(1), deleting(pod(MASTER, 1, 1, 1)));
        assertThat(told(stopping(Keep.NONE), ending)).containsExactly("report resnet-master-0");
        assertThat(told(stopping(Keep.NONE), listing(service(1)))).containsExactly("delete resnet");
        assertThat(told(stopping(Keep.NONE), listing())).containsExactly("report");
    }

    @ParameterizedTest
    @EnumSource(names = {"FINISHED", "ALL"})
    void theServiceOfKeptPodsStays(Keep keep) {
        assertThat(told(stopping(keep), listing(service(1)))).containsExactly("report");
    }

    /** Nobody needs them any more: whoever drains their nodes is not to wait for them. */
    @Test
    void theBudgetOfKeptPodsGoes() {
        var kept = stopping(Keep.ALL);
        assertThat(Look.of(kept).named()).contains(Kind.DISRUPTION_BUDGET);
        var there = listing(service(1), budget(1), pod(MASTER, 1, 1, 1));
        assertThat(Told.of(reconcile.decide(kept, there))).containsExactly("delete resnet");
        assertThat(reconcile.decide(kept, there))
                .extracting(action -> ((Delete) action).kind())
                .containsExactly(Kind.DISRUPTION_BUDGET);
        assertThat(told(kept, listing(service(1), deleting(budget(1)), pod(MASTER, 1, 1, 1))))
                .containsExactly("report resnet-master-0");
        assertThat(told(kept, there.with(List.of(podOf(OLDER, WORKER_0, 1, 1, 2)))))
                .containsExactly("delete resnet-worker-0", "delete resnet");
        assertThat(told(kept, listing(foreign(Kind.DISRUPTION_BUDGET, "resnet"))))
                .containsExactly("report");
    }

    /** What is kept has ended, which every budget lets go; or the budget goes with the service. */
    @ParameterizedTest
    @EnumSource(names = {"FINISHED", "NONE"})
    void whereNothingRunsOnTheBudgetIsNotLookedFor(Keep keep) {
        assertThat(Look.of(stopping(keep)).named()).isEmpty();
        assertThat(Look.of(stopping(keep)).labelled()).containsExactly(Kind.SERVICE);
    }

    /** A list of all has it nevertheless, and no job is to be listed by itself for that. */
    @ParameterizedTest
    @EnumSource(names = {"FINISHED", "NONE"})
    void norIsItDeletedWhereAListHasIt(Keep keep) {
        assertThat(told(stopping(keep), listing(budget(1)))).containsExactly("report");
    }

    @Test
    void somebodyElsesThingsAreNotStopped() {
        var there = listing(foreign(Kind.SERVICE, "resnet"), foreign(Kind.POD, "resnet-worker-1"));
        assertThat(told(stopping(Keep.NONE), there)).containsExactly("report");
    }

    private List<String> told(Plan plan, Listing listing) {
        return Told.of(reconcile.decide(plan, listing));
    }
}
