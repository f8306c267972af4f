package dev.muster.podmanager.core;

import static dev.muster.podmanager.core.Plans.MASTER;
import static dev.muster.podmanager.core.Plans.NEWER;
import static dev.muster.podmanager.core.Plans.OLDER;
import static dev.muster.podmanager.core.Plans.WORKER_0;
import static dev.muster.podmanager.core.Plans.WORKER_1;
import static dev.muster.podmanager.core.Plans.budget;
import static dev.muster.podmanager.core.Plans.deleting;
import static dev.muster.podmanager.core.Plans.ended;
import static dev.muster.podmanager.core.Plans.foreign;
import static dev.muster.podmanager.core.Plans.gang;
import static dev.muster.podmanager.core.Plans.guarded;
import static dev.muster.podmanager.core.Plans.listing;
import static dev.muster.podmanager.core.Plans.plain;
import static dev.muster.podmanager.core.Plans.plan;
import static dev.muster.podmanager.core.Plans.planned;
import static dev.muster.podmanager.core.Plans.pod;
import static dev.muster.podmanager.core.Plans.podOf;
import static dev.muster.podmanager.core.Plans.role;
import static dev.muster.podmanager.core.Plans.service;
import static dev.muster.podmanager.core.Plans.serviceOf;
import static dev.muster.podmanager.core.Plans.stopping;
import static dev.muster.podmanager.core.Plans.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.podmanager.core.Action.CreatePod;
import dev.muster.podmanager.core.Action.Delete;
import dev.muster.podmanager.core.Plan.Gone;
import dev.muster.podmanager.core.Plan.Keep;
import dev.muster.podmanager.core.Plan.Run;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReconcileTest {
    private final Reconcile reconcile = new Reconcile("test", Plans::agent, Plans::keys);

    @Test
    void theServiceComesFirstAndAlone() {
        assertThat(told(gang(1, 1), listing())).containsExactly("apply resnet");
    }

    @Test
    void podsFollowTheirService() {
        assertThat(told(gang(1, 1), listing(service(1))))
                .containsExactly(
                        "create resnet-master-0",
                        "create resnet-worker-0",
                        "create resnet-worker-1");
    }

    @Test
    void theBudgetComesBetweenServiceAndPods() {
        assertThat(told(guarded(2), listing(service(1))))
                .containsExactly("apply pod disruption budget resnet");
        assertThat(told(guarded(2), listing(service(1), deleting(budget(1)))))
                .containsExactly("wait");
        assertThat(told(guarded(2), listing(service(1), budget(1))))
                .containsExactly("create resnet-master-0");
    }

    @Test
    void theBudgetIsEachPlansOwn() {
        var next = guarded(1);
        var second = plan(1, 2, next.wanted());
        assertThat(told(second, listing(service(1), budget(1))))
                .containsExactly("apply pod disruption budget resnet");
    }

    @Test
    void somebodyElsesBudgetIsARefusal() {
        assertThat(told(guarded(2), listing(service(1), foreign(Kind.DISRUPTION_BUDGET, "resnet"))))
                .containsExactly(
                        "refuse NameTaken: pod disruption budget resnet in namespace ml is not"
                                + " Muster's; it was left alone");
    }

    @Test
    void onePodWithoutFrameworkGetsNoServiceAndNoOwner() {
        var lonely = plan(1, 1, plain(List.of(role("master", 1)), planned(MASTER, 1)));
        var actions = reconcile.decide(lonely, listing());
        assertThat(actions).hasSize(1);
        assertThat(((CreatePod) actions.getFirst()).pod().getMetadata().getOwnerReferences())
                .isEmpty();
    }

    @Test
    void onePodThatMayGetOthersHasAServiceFromTheFirst() {
        var run = plain(List.of(role("master", 1)), planned(MASTER, 1));
        var growing = RunBuilder.like(run).elastic(new Plan.Range(1, 8)).build();
        assertThat(told(plan(1, 1, growing), listing()).getFirst()).isEqualTo("apply resnet");
    }

    @Test
    void ofAGangOnlyTheMissingPodsAreMade() {
        assertThat(
                        told(
                                gang(1, 2),
                                listing(service(1), pod(MASTER, 1, 1, 1), pod(WORKER_1, 1, 1, 3))))
                .containsExactly("create resnet-worker-0");
    }

    @Test
    void aWholeGangIsReported() {
        assertThat(told(gang(1, 2), whole()))
                .containsExactly("report resnet-master-0 resnet-worker-0 resnet-worker-1");
    }

    @Test
    void anEndedOrEndingPodOfTheWantedMakingIsNotMadeAgain() {
        var there =
                listing(
                        service(1),
                        ended(pod(MASTER, 1, 1, 1)),
                        deleting(pod(WORKER_0, 1, 1, 2)),
                        pod(WORKER_1, 1, 1, 3));
        assertThat(told(gang(1, 2), there))
                .containsExactly("report resnet-master-0 resnet-worker-0 resnet-worker-1");
    }

    @Test
    void aPodThatIsNotPlannedGoesAndNobodyWaitsForIt() {
        var extra = pod(new Rank("worker", 2), 1, 1, 4);
        var there = whole().with(List.of(extra));
        assertThat(told(gang(1, 2), there)).containsExactly("delete resnet-worker-2");
        assertThat(told(gang(1, 2), there.with(List.of(deleting(extra)))))
                .containsExactly(
                        "report resnet-master-0 resnet-worker-0 resnet-worker-1 resnet-worker-2");
    }

    @Test
    void anotherMakingOfARankMustGoFirstWhileTheOthersAreMade() {
        var there = listing(service(1), pod(MASTER, 1, 1, 1), pod(WORKER_0, 1, 1, 1));
        assertThat(told(gang(1, 2), there))
                .containsExactly("delete resnet-worker-0", "create resnet-worker-1", "wait");
    }

    @Test
    void whatADeadNodeHoldsOfARankIsForcedThoughItIsGoingAlready() {
        var forced = new Plan.PlannedPod(WORKER_0, 4, "node-b", null, null, true, 0, false, null);
        var next = plan(1, 3, Plans.run(planned(MASTER, 1), forced, planned(WORKER_1, 3)));
        var there =
                listing(
                        service(1),
                        pod(MASTER, 1, 1, 1),
                        deleting(pod(WORKER_0, 1, 1, 2)),
                        pod(WORKER_1, 1, 1, 3));
        assertThat(reconcile.decide(next, there))
                .filteredOn(Delete.class::isInstance)
                .extracting(action -> ((Delete) action).graceSeconds())
                .containsExactly(0L);
        var after = listing(service(1), pod(MASTER, 1, 1, 1), pod(WORKER_1, 1, 1, 3));
        assertThat(told(next, after)).containsExactly("create resnet-worker-0");
        var made = after.with(List.of(pod(WORKER_0, 1, 3, 4)));
        assertThat(told(next, made))
                .containsExactly("report resnet-master-0 resnet-worker-1 resnet-worker-0");
    }

    /** Whoever leaves is in no plan any more: the plan names him beside it. */
    @Test
    void whatADeadNodeHoldsOfWhoLeavesIsForcedThoughItIsGoingAlready() {
        var plan = plan(1, 3, forcing(Plans.run(planned(MASTER, 1)), WORKER_0));
        var there =
                listing(
                        service(1),
                        pod(MASTER, 1, 1, 1),
                        deleting(pod(WORKER_0, 1, 1, 2)),
                        pod(WORKER_1, 1, 1, 3));
        assertThat(reconcile.decide(plan, there))
                .filteredOn(Delete.class::isInstance)
                .extracting(action -> ((Delete) action).graceSeconds())
                .containsExactly(0L, null);
        var after = listing(service(1), pod(MASTER, 1, 1, 1));
        assertThat(told(plan, after)).containsExactly("report resnet-master-0");
    }

    /**
     * The making that is left on a dead node goes at once, the one after it may be on a living one.
     */
    @Test
    void ofWhoLeavesOnlyEarlierMakingsAreForced() {
        var run = Plans.run(planned(MASTER, 1));
        var forced = new Forced(Map.of(WORKER_0, 4));
        var plan = plan(1, 3, RunBuilder.like(run).forced(forced).build());
        assertThat(graces(plan, pod(WORKER_0, 1, 1, 2))).containsExactly(0L);
        assertThat(graces(plan, deleting(pod(WORKER_0, 1, 1, 2)))).containsExactly(0L);
        assertThat(graces(plan, pod(WORKER_0, 1, 2, 4))).containsExactly((Long) null);
    }

    /** The second making of it was ordered before anybody saw that the first is gone. */
    @Test
    void ofWhoIsMadeAgainTwiceOnlyTheFirstIsForced() {
        var run = Plans.run(planned(MASTER, 1), planned(WORKER_0, 5));
        var forced = new Forced(Map.of(WORKER_0, 4));
        var plan = plan(1, 4, RunBuilder.like(run).forced(forced).build());
        assertThat(graces(plan, deleting(pod(WORKER_0, 1, 1, 2)))).containsExactly(0L);
        assertThat(graces(plan, pod(WORKER_0, 1, 3, 4))).containsExactly((Long) null);
        assertThat(graces(plan, pod(WORKER_0, 1, 4, 5))).isEmpty();
    }

    private List<Long> graces(Plan plan, Seen pod) {
        return reconcile.decide(plan, listing(service(1), pod(MASTER, 1, 1, 1), pod)).stream()
                .filter(Delete.class::isInstance)
                .map(action -> ((Delete) action).graceSeconds())
                .toList();
    }

    private static Run forcing(Run run, Rank... forced) {
        return RunBuilder.like(run).forced(forced).build();
    }

    @Test
    void theNextAttemptMakesNothingUntilTheLastIsGone() {
        var there = listing(service(1), pod(MASTER, 1, 1, 1), deleting(pod(WORKER_0, 1, 1, 2)));
        assertThat(told(gang(2, 2), there)).containsExactly("delete resnet-master-0", "wait");
    }

    @Test
    void theServiceOfTheLastAttemptIsTakenOver() {
        assertThat(told(gang(2, 2), listing(service(1)))).containsExactly("apply resnet");
        assertThat(told(gang(2, 2), listing(service(2)))).hasSize(3);
    }

    @Test
    void nothingIsMadeWhileAnOlderSubmissionIsThere() {
        var there = listing(serviceOf(OLDER, 4), ended(podOf(OLDER, MASTER, 4, 9, 12)));
        assertThat(told(gang(1, 1), there))
                .containsExactly("delete resnet", "delete resnet-master-0", "wait");
    }

    @Test
    void aServiceThatIsGoingIsWaitedFor() {
        assertThat(told(gang(1, 1), listing(deleting(service(1))))).containsExactly("wait");
    }

    @Test
    void deletionMeansTheObjectThatWasSeen() {
        var old = pod(MASTER, 1, 1, 1);
        assertThat(reconcile.decide(gang(2, 2), listing(old)).getFirst())
                .isEqualTo(new Delete(Kind.POD, "ml", "resnet-master-0", old.uid(), 2L));
    }

    /** All else of its attempt was seen gone; but what an older submission has may still work. */
    @Test
    void whatALateWakerMadeHasLittleTimeToEndAndAnOlderSubmissionItsOwn() {
        var old = podOf(OLDER, MASTER, 4, 9, 12);
        assertThat(reconcile.decide(gang(2, 2), listing(old)).getFirst())
                .isEqualTo(new Delete(Kind.POD, "ml", "resnet-master-0", old.uid(), null));
    }

    @ParameterizedTest
    @MethodSource
    void whoeverSeesSomethingNewerWritesNothing(Plan plan, Seen newer) {
        assertThat(told(plan, whole().with(List.of(newer)))).containsExactly("outdated");
    }

    static Stream<Arguments> whoeverSeesSomethingNewerWritesNothing() {
        var gang = gang(1, 2);
        return Stream.of(
                argumentSet("submission", gang, podOf(NEWER, MASTER, 1, 1, 1)),
                argumentSet("attempt", gang, pod(MASTER, 2, 3, 4)),
                argumentSet("plan", gang, pod(MASTER, 1, 3, 1)),
                argumentSet("making", gang, pod(WORKER_0, 1, 2, 4)),
                argumentSet("service of a submission", gang, serviceOf(NEWER, 1)),
                argumentSet("service of an attempt", gang, service(2)),
                argumentSet("stop, submission", stopping(Keep.NONE), serviceOf(NEWER, 1)),
                argumentSet("stop, attempt", stopping(Keep.NONE), pod(MASTER, 2, 6, 9)),
                argumentSet("stop, plan", stopping(Keep.NONE), pod(MASTER, 1, 6, 9)));
    }

    @Test
    void somebodyElsesServiceIsARefusal() {
        assertThat(told(gang(1, 1), listing(foreign(Kind.SERVICE, "resnet"))))
                .containsExactly(
                        "refuse NameTaken: service resnet in namespace ml is not Muster's;"
                                + " it was left alone");
    }

    @Test
    void somebodyElsesPodIsARefusalOnlyWhereTheNameIsWanted() {
        assertThat(told(gang(1, 1), listing(service(1), foreign(Kind.POD, "resnet-worker-1"))))
                .containsExactly(
                        "refuse NameTaken: pod resnet-worker-1 in namespace ml is not Muster's;"
                                + " it was left alone");
        assertThat(told(gang(1, 1), whole().with(List.of(foreign(Kind.POD, "resnet-debug")))))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("report");
    }

    @Test
    void aGoneSubmissionNeedsNothing() {
        assertThat(reconcile.decide(plan(1, 9, new Gone()), whole())).isEmpty();
    }

    @Test
    void whatCannotBeHadIsRefusedUnlessSomebodyKnowsBetter() {
        var impossible = plan(1, 2, new Plan.Impossible("InvalidTemplate", "no pod template"));
        assertThat(told(impossible, listing()))
                .containsExactly("refuse InvalidTemplate: no pod template");
        assertThat(told(impossible, listing(service(2)))).containsExactly("outdated");
    }

    @Test
    void aReplacedSubmissionOnlyTellsWhatIsLeftOfItAndOfOlderOnes() {
        var there =
                listing(
                        serviceOf(NEWER, 1),
                        podOf(NEWER, MASTER, 1, 1, 1),
                        podOf(OLDER, WORKER_0, 1, 1, 1),
                        pod(WORKER_1, 1, 1, 3));
        assertThat(Told.of(reconcile.decideReplaced(stopping(Keep.NONE), there)))
                .containsExactly("report resnet-worker-0 resnet-worker-1");
        assertThat(reconcile.decideReplaced(gang(1, 1), there)).isEmpty();
    }

    private List<String> told(Plan plan, Listing listing) {
        return Told.of(reconcile.decide(plan, listing));
    }
}
