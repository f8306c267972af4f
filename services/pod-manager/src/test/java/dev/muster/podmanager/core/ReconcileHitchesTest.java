package dev.muster.podmanager.core;

import static dev.muster.podmanager.core.Plans.MASTER;
import static dev.muster.podmanager.core.Plans.NEWER;
import static dev.muster.podmanager.core.Plans.OLDER;
import static dev.muster.podmanager.core.Plans.WORKER_0;
import static dev.muster.podmanager.core.Plans.WORKER_1;
import static dev.muster.podmanager.core.Plans.deleting;
import static dev.muster.podmanager.core.Plans.gang;
import static dev.muster.podmanager.core.Plans.listing;
import static dev.muster.podmanager.core.Plans.pod;
import static dev.muster.podmanager.core.Plans.podOf;
import static dev.muster.podmanager.core.Plans.service;
import static dev.muster.podmanager.core.Plans.serviceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.podmanager.core.Action.Outdated;
import dev.muster.podmanager.core.Action.Wait;
import dev.muster.schemas.contract.PlanHitch;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What users are to know of objects that a plan waits for. */
class ReconcileHitchesTest {
    private final Reconcile reconcile = new Reconcile("test", Plans::agent, Plans::keys);

    /** Each has the time that it was given, and a minute. */
    @Test
    void podsThatKeepTheirSuccessorsFromBeingMadeAreNamed() {
        var there =
                listing(
                        service(1),
                        pod(MASTER, 1, 2, 1),
                        going(pod(WORKER_0, 1, 1, 1), 30),
                        going(pod(WORKER_1, 1, 1, 1), 90));
        assertThat(hitch(gang(1, 2), there))
                .isEqualTo(
                        new Hitch(
                                PlanHitch.STUCK_PODS,
                                "pod resnet-worker-0 was told to go and is still there (and 1"
                                        + " more)",
                                Duration.ofSeconds(150)));
    }

    /** Of which pool they are is no matter: the job's own may know nothing of them. */
    @Test
    void podsOfASubmissionBeforeAreNamedWithItsUid() {
        var there =
                listing(
                        deleting(serviceOf(OLDER, 1)),
                        going(podOf(OLDER, WORKER_0, 1, 1, 1), 30),
                        going(podOf(OLDER, WORKER_1, 1, 1, 1), 30));
        assertThat(hitch(gang(1, 1), there))
                .isEqualTo(
                        new Hitch(
                                PlanHitch.EARLIER_PODS,
                                "pod resnet-worker-0 of the submission before, 3-99, is still"
                                        + " there (and 2 more)"));
    }

    @Test
    void soIsWhatIsLeftOfAnAttemptBefore() {
        var there = listing(service(2), going(pod(MASTER, 1, 1, 1), 30));
        assertThat(hitch(gang(2, 2), there))
                .isEqualTo(
                        new Hitch(
                                PlanHitch.EARLIER_PODS,
                                "pod resnet-master-0 of attempt 1 is still there"));
    }

    /** As one that somebody deleted, and that a finalizer keeps. */
    @Test
    void soIsTheJobsServiceThatHasToBeMadeAnew() {
        assertThat(hitch(gang(2, 2), listing(deleting(service(1)))))
                .isEqualTo(
                        new Hitch(
                                PlanHitch.NOT_TAKEN,
                                "service resnet is being deleted and is still there"));
    }

    /** As where the log was restored to an earlier moment. */
    @Test
    void whatIsNewerThanThePlanIsNamedIfNoNewerOneComes() {
        assertThat(reconcile.decide(gang(1, 1), listing(podOf(NEWER, WORKER_0, 1, 1, 1))))
                .containsExactly(
                        new Outdated(
                                new Hitch(
                                        PlanHitch.NOT_TAKEN,
                                        "pod resnet-worker-0 is newer than the plan, of submission"
                                                + " 3-101; where Kafka was put back to an earlier"
                                                + " moment, delete it")));
        assertThat(reconcile.decide(gang(1, 2), listing(service(1), pod(MASTER, 2, 3, 4))))
                .containsExactly(
                        new Outdated(
                                new Hitch(
                                        PlanHitch.NOT_TAKEN,
                                        "pod resnet-master-0 is newer than the plan, of attempt 2,"
                                                + " plan 3; where Kafka was put back to an earlier"
                                                + " moment, delete it")));
    }

    private Hitch hitch(Plan plan, Listing there) {
        assertThat(reconcile.decide(plan, there)).singleElement().isInstanceOf(Wait.class);
        return ((Wait) reconcile.decide(plan, there).getFirst()).hitch();
    }

    private static Seen going(Seen pod, long grace) {
        return pod.asDeleting(grace);
    }
}
