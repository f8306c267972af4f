package dev.muster.podmanager.core;

import static dev.muster.podmanager.core.Plans.MASTER;
import static dev.muster.podmanager.core.Plans.WORKER_0;
import static dev.muster.podmanager.core.Plans.deleting;
import static dev.muster.podmanager.core.Plans.ended;
import static dev.muster.podmanager.core.Plans.foreign;
import static dev.muster.podmanager.core.Plans.groupOf;
import static dev.muster.podmanager.core.Plans.grouped;
import static dev.muster.podmanager.core.Plans.listing;
import static dev.muster.podmanager.core.Plans.pod;
import static dev.muster.podmanager.core.Plans.service;
import static dev.muster.podmanager.core.Plans.stoppingGroups;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.podmanager.core.Plan.Keep;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Groups come before pods, and go with their attempt. */
class ReconcileGroupsTest {
    private final Reconcile reconcile = new Reconcile("test", Plans::agent, Plans::keys);

    @Test
    void allGroupsComeAtOnceBeforeAnyPod() {
        assertThat(told(grouped(1, 1), listing(service(1))))
                .containsExactly(
                        "apply pod group resnet-a1.master", "apply pod group resnet-a1.worker");
        assertThat(told(grouped(1, 1), listing(service(1), groupOf("resnet-a1.master", 1, 1))))
                .containsExactly("apply pod group resnet-a1.worker");
        assertThat(told(grouped(1, 1), groups()))
                .containsExactly("create resnet-master-0", "create resnet-worker-0");
    }

    @Test
    void groupsAreAppliedAgainUnderEveryPlan() {
        var there = groups().with(List.of(pod(MASTER, 1, 1, 1), pod(WORKER_0, 1, 1, 2)));
        assertThat(told(grouped(1, 2), there))
                .containsExactly(
                        "apply pod group resnet-a1.master", "apply pod group resnet-a1.worker");
        assertThat(told(grouped(1, 1), there))
                .containsExactly("report resnet-master-0 resnet-worker-0");
    }

    @Test
    void podsAskForTheNodesOfTheirPoolAndNoneThatTheyAvoid() {
        var terms =
                reconcile.decide(grouped(1, 1), groups()).stream()
                        .map(action -> ((Action.CreatePod) action).pod().getSpec().getAffinity())
                        .map(affinity -> affinity.getNodeAffinity())
                        .map(nodes -> nodes.getRequiredDuringSchedulingIgnoredDuringExecution())
                        .flatMap(required -> required.getNodeSelectorTerms().stream())
                        .toList();
        assertThat(terms)
                .hasSize(2)
                .allSatisfy(term -> {
                    assertThat(term.getMatchExpressions())
                            .extracting(has -> has.getKey(), has -> has.getValues())
                            .containsExactly(tuple("rack", List.of("a")));
                    assertThat(term.getMatchFields())
                            .extracting(has -> has.getOperator(), has -> has.getValues())
                            .containsExactly(tuple("NotIn", List.of("node-z")));
                });
    }

    @Test
    void groupsOfTheLastAttemptGoBeforeThoseOfTheNext() {
        assertThat(told(grouped(2, 3), groups()))
                .containsExactly("delete resnet-a1.master", "delete resnet-a1.worker", "wait");
    }

    @Test
    void groupThatThePlanDoesNotNameAnyMoreGoesWhileTheJobRuns() {
        var there =
                groups().with(
                                List.of(
                                        groupOf("resnet-a1.data", 1, 1),
                                        pod(MASTER, 1, 1, 1),
                                        pod(WORKER_0, 1, 1, 2)));
        assertThat(told(grouped(1, 1), there)).containsExactly("delete resnet-a1.data");
    }

    /** A policy may protect it, at every try. */
    @Test
    void groupThatIsOverKeepsNoPodFromBeingMade() {
        var there = groups().with(List.of(groupOf("resnet-a1.data", 1, 1), pod(MASTER, 1, 1, 1)));
        assertThat(told(grouped(1, 1), there))
                .containsExactly("delete resnet-a1.data", "create resnet-worker-0");
    }

    @Test
    void somebodyElsesGroupIsARefusal() {
        assertThat(told(grouped(1, 1), listing(foreign(Kind.VOLCANO_GROUP, "resnet-a1.worker"))))
                .containsExactly(
                        "refuse NameTaken: pod group resnet-a1.worker in namespace ml is not"
                                + " Muster's; it was left alone");
    }

    @ParameterizedTest
    @EnumSource
    void groupsGoWhateverIsKept(Keep keep) {
        var there = groups().with(List.of(ended(deleting(pod(MASTER, 1, 1, 1)))));
        assertThat(told(stoppingGroups(keep), there))
                .containsExactly("delete resnet-a1.master", "delete resnet-a1.worker");
    }

    /** A policy may protect one of the pods, at every try. */
    @Test
    void groupsOfAStoppedJobWaitForNoPod() {
        var there = groups().with(List.of(pod(MASTER, 1, 1, 1), pod(WORKER_0, 1, 1, 2)));
        assertThat(told(stoppingGroups(Keep.NONE), there))
                .containsExactly(
                        "delete resnet-master-0",
                        "delete resnet-worker-0",
                        "delete resnet-a1.master",
                        "delete resnet-a1.worker");
    }

    private static Listing groups() {
        return listing(
                service(1), groupOf("resnet-a1.master", 1, 1), groupOf("resnet-a1.worker", 1, 1));
    }

    private List<String> told(Plan plan, Listing listing) {
        return Told.of(reconcile.decide(plan, listing));
    }
}
