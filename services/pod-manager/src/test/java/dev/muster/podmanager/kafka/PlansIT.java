package dev.muster.podmanager.kafka;

import static dev.muster.podmanager.kafka.Surroundings.names;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.v1.InboxKind;
import dev.muster.v1.KeepPods;
import dev.muster.v1.ListedPod;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlansIT {
    private static final Duration SOON = Surroundings.SOON;
    private static final Surroundings AROUND = Surroundings.shared();

    @Test
    void aPlanBecomesAServiceAndPodsThatAreReported() {
        var job = new Orders(Surroundings.NAMESPACE, "gang", "3-10");
        AROUND.publish(job.run(1, 1, 3));
        var report = AROUND.onlyReport("gang");

        assertThat(report.getKind()).isEqualTo(InboxKind.PLAN_APPLIED);
        assertThat(report.getEnvelope().getCause()).isEqualTo("3-1/1");
        var applied = report.getPlanApplied();
        assertThat(applied.getVersion()).isEqualTo(1);
        assertThat(applied.getConfirm()).isFalse();
        assertThat(names(applied.getPods()))
                .containsExactlyInAnyOrder("gang-worker-0", "gang-worker-1", "gang-worker-2");
        var pod = AROUND.pod("gang-worker-2");
        var listed =
                applied.getPods().stream()
                        .filter(p -> p.getIdentity().getIndex() == 2)
                        .findFirst()
                        .orElseThrow();
        assertThat(listed.getIdentity().getPodUid()).isEqualTo(pod.getMetadata().getUid());
        assertThat(listed.getIdentity().getIncarnation()).isEqualTo(3);
        assertThat(listed.getJobUid()).isEqualTo("3-10");

        var service = AROUND.service("gang").get();
        assertThat(service.getSpec().getClusterIP()).isEqualTo("None");
        assertThat(pod.getMetadata().getOwnerReferences())
                .extracting(owner -> owner.getUid())
                .containsExactly(service.getMetadata().getUid());
        assertThat(pod.getMetadata().getLabels())
                .containsEntry("muster.dev/uid", "3-10")
                .containsEntry("muster.dev/installation", Surroundings.INSTALLATION);
        assertThat(pod.getSpec().getSubdomain()).isEqualTo("gang");
    }

    @Test
    void aPlanThatIsPublishedAgainIsReportedAgainWithoutAWrite() {
        var job = new Orders(Surroundings.NAMESPACE, "again", "3-10");
        AROUND.publish(job.run(1, 1, 2));
        AROUND.reports("again", 1);
        var before = AROUND.pod("again-worker-0");
        AROUND.publish(job.run(1, 2, 2));
        var second = AROUND.reports("again", 2).getLast();
        assertThat(second.getPlanApplied().getVersion()).isEqualTo(2);
        assertThat(names(second.getPlanApplied().getPods())).hasSize(2);
        assertThat(AROUND.pod("again-worker-0")).isEqualTo(before);
    }

    @Test
    void stoppingGivesGraceAndConfirmingLeavesNothingBehind() {
        var job = new Orders(Surroundings.NAMESPACE, "stopped", "3-10");
        AROUND.publish(job.run(1, 1, 2));
        AROUND.reports("stopped", 1);
        AROUND.bind("stopped-worker-0");

        AROUND.publish(job.stop(2, KeepPods.NONE, false));
        var stopped = AROUND.reports("stopped", 2).getLast().getPlanApplied();
        // Worker 1 was never bound: there is no kubelet to wait for.
        assertThat(names(stopped.getPods())).containsExactly("stopped-worker-0");
        assertThat(stopped.getPods()).allMatch(ListedPod::getDeleting);
        assertThat(AROUND.pod("stopped-worker-0").getMetadata().getDeletionGracePeriodSeconds())
                .isEqualTo(20);
        assertThat(AROUND.service("stopped").get()).isNotNull();

        AROUND.end("stopped-worker-0");
        AROUND.publish(job.stop(3, KeepPods.NONE, true));
        var confirmed = AROUND.reports("stopped", 3).getLast().getPlanApplied();
        assertThat(confirmed.getConfirm()).isTrue();
        assertThat(confirmed.getPods()).isEmpty();
        assertThat(AROUND.service("stopped").get()).isNull();
    }

    @Test
    void whoLeavesHasTheJobsTimeToEndAndWhatWasMadeLateHardlyAny() {
        var job = new Orders(Surroundings.NAMESPACE, "shrunk", "3-10");
        AROUND.publish(job.run(1, 1, 3));
        AROUND.reports("shrunk", 1);
        var last = AROUND.pod("shrunk-worker-2");
        AROUND.bind("shrunk-worker-2");
        var shrunk = job.run(1, 2, 2);
        shrunk.getRun().setGracePeriodMillis(45_000L);
        AROUND.publish(shrunk);
        AROUND.reports("shrunk", 2);
        assertThat(AROUND.pod("shrunk-worker-2").getMetadata().getDeletionGracePeriodSeconds())
                .isEqualTo(45);

        AROUND.end("shrunk-worker-2");
        AROUND.makeAgain(last);
        AROUND.bind("shrunk-worker-2");
        var repeated = job.run(1, 3, 2);
        repeated.getRun().setGracePeriodMillis(45_000L);
        repeated.getRun().setRepeats(true);
        AROUND.publish(repeated);
        AROUND.reports("shrunk", 3);
        assertThat(AROUND.pod("shrunk-worker-2").getMetadata().getDeletionGracePeriodSeconds())
                .isEqualTo(2);
        AROUND.end("shrunk-worker-2");
    }

    @Test
    void finishedPodsAreKeptWhereThePlanSaysSo() {
        var job = new Orders(Surroundings.NAMESPACE, "kept", "3-10");
        AROUND.publish(job.run(1, 1, 2));
        AROUND.reports("kept", 1);
        AROUND.kubernetes()
                .pods()
                .inNamespace(Surroundings.NAMESPACE)
                .withName("kept-worker-0")
                .editStatus(pod -> {
                    pod.getStatus().setPhase("Succeeded");
                    return pod;
                });
        AROUND.publish(job.stop(2, KeepPods.FINISHED, false));
        assertThat(names(AROUND.reports("kept", 2).getLast().getPlanApplied().getPods()))
                .containsExactly("kept-worker-0");
        assertThat(AROUND.service("kept").get()).isNotNull();
    }

    @Test
    void whatWasMadeLateIsNotKept() {
        var job = new Orders(Surroundings.NAMESPACE, "ended", "3-10");
        AROUND.publish(job.run(1, 1, 3));
        AROUND.reports("ended", 1);
        var kept = AROUND.pod("ended-worker-0").getMetadata().getUid();
        var end = job.stop(2, KeepPods.ALL, false);
        end.getStop().setKept(List.of(kept));
        AROUND.publish(end);
        assertThat(names(AROUND.reports("ended", 2).getLast().getPlanApplied().getPods()))
                .containsExactly("ended-worker-0");
    }

    @Test
    void hostListThatSomebodyDeletedIsMadeAgain() {
        var plan = new Orders(Surroundings.NAMESPACE, "listed", "3-10").run(1, 1, 2);
        plan.getRun().setHostsVersion(1L);
        AROUND.publish(plan);
        AROUND.reports("listed", 1);
        var list =
                AROUND.kubernetes()
                        .configMaps()
                        .inNamespace(Surroundings.NAMESPACE)
                        .withName("listed-hosts");
        var before = list.get();
        list.delete();
        await().atMost(SOON).untilAsserted(() -> assertThat(list.get()).isNotNull());
        assertThat(list.get().getMetadata().getUid()).isNotEqualTo(before.getMetadata().getUid());
        assertThat(list.get().getData()).isEqualTo(before.getData());
    }

    /** Whoever lets a drain through means it; the plan goes on. */
    @Test
    void budgetThatSomebodyEditedStaysAndIsInNobodysWay() {
        var job = new Orders(Surroundings.NAMESPACE, "guarded", "3-10");
        var plan = job.run(1, 1, 2);
        plan.getRun().setLeastAvailable(2);
        AROUND.publish(plan);
        AROUND.reports("guarded", 1);
        var budget =
                AROUND.kubernetes()
                        .policy()
                        .v1()
                        .podDisruptionBudget()
                        .inNamespace(Surroundings.NAMESPACE)
                        .withName("guarded");
        budget.patch("{\"spec\": {\"minAvailable\": 0}}");
        var next = job.run(1, 2, 3);
        next.getRun().setLeastAvailable(3);
        AROUND.publish(next);
        var report = AROUND.reports("guarded", 2).getLast().getPlanApplied();
        assertThat(names(report.getPods())).hasSize(3);
        assertThat(budget.get().getSpec().getMinAvailable().getIntVal()).isZero();

        budget.patch("{\"spec\": {\"minAvailable\": null, \"maxUnavailable\": 1}}");
        var last = job.run(1, 3, 4);
        last.getRun().setLeastAvailable(4);
        AROUND.publish(last);
        var after = AROUND.reports("guarded", 3).getLast().getPlanApplied();
        assertThat(names(after.getPods())).hasSize(4);
        assertThat(budget.get().getSpec().getMaxUnavailable().getIntVal()).isEqualTo(1);
    }

    @Test
    void hostListThatSomebodyEditedIsWrittenOver() {
        var job = new Orders(Surroundings.NAMESPACE, "overwritten", "3-10");
        var plan = job.run(1, 1, 2);
        plan.getRun().setHostsVersion(1L);
        AROUND.publish(plan);
        AROUND.reports("overwritten", 1);
        var list =
                AROUND.kubernetes()
                        .configMaps()
                        .inNamespace(Surroundings.NAMESPACE)
                        .withName("overwritten-hosts");
        list.patch("{\"data\": {\"hosts\": \"mine\", \"version\": \"0\"}}");
        var next = job.run(1, 2, 2);
        next.getRun().setHostsVersion(2L);
        AROUND.publish(next);
        AROUND.reports("overwritten", 2);
        assertThat(list.get().getData()).containsEntry("version", "2\n").containsEntry("hosts", "");
    }

    @Test
    void whatIsLeftOfAGoneSubmissionIsSwept() {
        var job = new Orders(Surroundings.NAMESPACE, "swept", "3-10");
        AROUND.publish(job.run(1, 1, 2));
        AROUND.reports("swept", 1);
        AROUND.publish(job.gone(2));
        await().atMost(SOON)
                .untilAsserted(() -> {
                    assertThat(AROUND.pods("swept")).isEmpty();
                    assertThat(AROUND.service("swept").get()).isNull();
                });
        assertThat(AROUND.reports("swept")).hasSize(1);
    }

    @Test
    void readyOnceEveryPartitionIsOpen() {
        await().atMost(SOON).untilAsserted(() -> assertThat(AROUND.readiness()).contains("\"UP\""));
    }

    @Test
    void everyPoolHearsWhichPartitionsAreServed() {
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(AROUND.inbox())
                                .anyMatch(e ->
                                        e.getKind() == InboxKind.POD_MANAGER_ALIVE
                                                && e.getPodManagerAlive().getPartitions().size()
                                                        == 16));
    }
}
