package dev.muster.podmanager.core;

import static dev.muster.podmanager.core.Plans.WORKER_0;
import static dev.muster.podmanager.core.Plans.WORKER_1;
import static dev.muster.podmanager.core.Plans.deleting;
import static dev.muster.podmanager.core.Plans.listing;
import static dev.muster.podmanager.core.Plans.plan;
import static dev.muster.podmanager.core.Plans.planned;
import static dev.muster.podmanager.core.Plans.pod;
import static dev.muster.podmanager.core.Plans.role;
import static dev.muster.podmanager.core.Plans.service;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.podmanager.core.Action.Apply;
import dev.muster.podmanager.core.Action.CreatePod;
import dev.muster.podmanager.core.Action.Report;
import dev.muster.podmanager.core.Plan.Checkpoint;
import dev.muster.podmanager.core.Plan.Framework;
import dev.muster.schemas.contract.CheckpointId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jobs that are asked to save how far they have come. */
class ReconcileCheckpointTest {
    private final Reconcile reconcile = new Reconcile("test", Plans::agent, Plans::keys);

    /** Two workers that are asked this; 0: nothing. */
    private static Plan asking(long number) {
        var id = number == 0 ? null : ask(number);
        var run =
                RunBuilder.of(
                                Framework.NONE,
                                List.of(role("worker", 2)),
                                planned(WORKER_0, 1),
                                planned(WORKER_1, 2))
                        .checkpoint(new Checkpoint(true, id))
                        .build();
        return plan(1, 9, run);
    }

    private static CheckpointId ask(long number) {
        return new CheckpointId(Plans.UID, number);
    }

    private static Seen told(Seen pod, PodNotes notes) {
        return pod.with(notes);
    }

    @Test
    void everyPodThatWasNotToldYetIsAndKeepsWhatElseItWasTold() {
        var first = told(pod(WORKER_0, 1, 1, 1), new PodNotes(7, ask(4)));
        var second = told(pod(WORKER_1, 1, 1, 2), new PodNotes(0, ask(12)));
        assertThat(reconcile.decide(asking(12), listing(service(1), first, second)))
                .singleElement()
                .isInstanceOfSatisfying(
                        Apply.class,
                        apply -> {
                            assertThat(apply.kind()).isEqualTo(Kind.POD);
                            var metadata = apply.object().getMetadata();
                            assertThat(metadata.getName()).isEqualTo(first.name());
                            assertThat(metadata.getUid()).isEqualTo(first.uid());
                            assertThat(metadata.getAnnotations())
                                    .containsExactly(
                                            Map.entry("muster.dev/checkpoint", ask(12).toString()),
                                            Map.entry("muster.dev/hosts", "7"));
                        });
    }

    @Test
    void whoGoesIsToldNothingAndWhoIsMissingIsMadeFirst() {
        var going = deleting(pod(WORKER_0, 1, 1, 1));
        var older = pod(WORKER_1, 1, 1, 1);
        assertThat(reconcile.decide(asking(12), listing(service(1), going, older)))
                .noneMatch(Apply.class::isInstance);
        var there = told(pod(WORKER_0, 1, 1, 1), new PodNotes(0, ask(12)));
        assertThat(reconcile.decide(asking(12), listing(service(1), there)))
                .singleElement()
                .isInstanceOf(CreatePod.class);
    }

    @Test
    void whatWasAskedStaysThereWhenNothingIsAskedAnyMore() {
        var first = told(pod(WORKER_0, 1, 1, 1), new PodNotes(0, ask(12)));
        var second = pod(WORKER_1, 1, 1, 2);
        assertThat(reconcile.decide(asking(0), listing(service(1), first, second)))
                .singleElement()
                .isInstanceOf(Report.class);
    }

    @Test
    void whatAnotherSubmissionWasAskedIsOlder() {
        var other = new CheckpointId("3-9999", 40);
        var first = told(pod(WORKER_0, 1, 1, 1), new PodNotes(0, other));
        var second = told(pod(WORKER_1, 1, 1, 2), new PodNotes(0, ask(13)));
        assertThat(reconcile.decide(asking(12), listing(service(1), first, second)))
                .singleElement()
                .isInstanceOfSatisfying(
                        Apply.class,
                        apply ->
                                assertThat(apply.object().getMetadata().getName())
                                        .isEqualTo(first.name()));
    }

    @Test
    void whatAUserWroteThereCountsAsNothing() {
        var written = Map.of("muster.dev/checkpoint", "soon", "muster.dev/hosts", "-1");
        assertThat(PodNotes.read(written)).isEqualTo(PodNotes.NONE);
    }
}
