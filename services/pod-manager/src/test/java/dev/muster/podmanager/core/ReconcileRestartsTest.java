package dev.muster.podmanager.core;

import static dev.muster.podmanager.core.Plans.MASTER;
import static dev.muster.podmanager.core.Plans.UID;
import static dev.muster.podmanager.core.Plans.WORKER_0;
import static dev.muster.podmanager.core.Plans.deleting;
import static dev.muster.podmanager.core.Plans.foreign;
import static dev.muster.podmanager.core.Plans.listing;
import static dev.muster.podmanager.core.Plans.plain;
import static dev.muster.podmanager.core.Plans.plan;
import static dev.muster.podmanager.core.Plans.planned;
import static dev.muster.podmanager.core.Plans.pod;
import static dev.muster.podmanager.core.Plans.role;
import static dev.muster.podmanager.core.Plans.service;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.podmanager.core.Action.AskRestart;
import dev.muster.podmanager.core.Plan.PlannedPod;
import dev.muster.podmanager.core.Plan.Run;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Containers are asked for in their pods, each incarnation once. */
class ReconcileRestartsTest {
    private static final Plan ASKING =
            plan(
                    1,
                    2,
                    plain(
                            List.of(role("master", 1), role("worker", 1)),
                            new PlannedPod(MASTER, 1, null, null, null, false, 7, false, null),
                            planned(WORKER_0, 2)));

    private final Reconcile reconcile = new Reconcile("test", Plans::agent, Plans::keys);

    @Test
    void onlyTheRankThatIsToStartAgainIsAskedFor() {
        assertThat(Look.of(ASKING).labelled()).contains(Kind.RESTART_REQUEST);
        assertThat(told(there())).containsExactly("ask resnet-master-0-7");
        var asked = (AskRestart) reconcile.decide(ASKING, there()).getFirst();
        var request = (GenericKubernetesResource) asked.request();
        assertThat(request.getMetadata().getOwnerReferences().getFirst().getUid())
                .isEqualTo(pod(MASTER, 1, 1, 1).uid());
        assertThat(spec(ASKING))
                .isEqualTo(
                        Map.of(
                                "podName",
                                "resnet-master-0",
                                "containers",
                                List.of(Map.of("name", "main")),
                                "strategy",
                                Map.of("failurePolicy", "Fail"),
                                "activeDeadlineSeconds",
                                60L));
    }

    @Test
    void containerHasTheTimeToEndThatItsJobGives() {
        var run = (Run) ASKING.wanted();
        var patient = RunBuilder.like(run).grace(Duration.ofSeconds(90)).repeats().build();
        assertThat(spec(plan(1, 2, patient)))
                .containsEntry(
                        "strategy",
                        Map.of("failurePolicy", "Fail", "terminationGracePeriodSeconds", 90L))
                .containsEntry("activeDeadlineSeconds", 150L);
    }

    @Test
    void requestHasTheLabelsAndAnnotationsOfItsJob() {
        var run =
                RunBuilder.like((Run) ASKING.wanted())
                        .labels(Map.of("team", "vision", "muster.dev/job", "other"))
                        .annotations(Map.of("cost", "42"))
                        .repeats()
                        .build();
        var asked = (AskRestart) reconcile.decide(plan(1, 2, run), there()).getFirst();
        var metadata = asked.request().getMetadata();
        assertThat(metadata.getLabels())
                .containsEntry("team", "vision")
                .containsEntry("muster.dev/job", "resnet");
        assertThat(metadata.getAnnotations()).isEqualTo(Map.of("cost", "42"));
    }

    private Map<String, Object> spec(Plan plan) {
        var asked = (AskRestart) reconcile.decide(plan, there()).getFirst();
        return ((GenericKubernetesResource) asked.request()).get("spec");
    }

    @Test
    void whatWasAskedForIsReportedWhateverBecameOfIt() {
        var ours = mark(request("resnet-master-0-7"), ASKING);
        assertThat(told(there().with(List.of(ours))))
                .containsExactly("report resnet-master-0 resnet-worker-0");
        assertThat(told(there().with(List.of(foreign(Kind.RESTART_REQUEST, "resnet-master-0-7")))))
                .containsExactly("report resnet-master-0 resnet-worker-0");
        var earlier = mark(request("resnet-master-0-5"), plan(1, 1, ASKING.wanted()));
        assertThat(told(there().with(List.of(earlier)))).containsExactly("ask resnet-master-0-7");
    }

    @Test
    void podThatIsNotThereIsMadeInstead() {
        assertThat(told(listing(service(1), pod(WORKER_0, 1, 1, 2))))
                .containsExactly("create resnet-master-0");
        assertThat(
                        told(
                                listing(
                                        service(1),
                                        deleting(pod(MASTER, 1, 1, 1)),
                                        pod(WORKER_0, 1, 1, 2))))
                .containsExactly("report resnet-master-0 resnet-worker-0");
    }

    @Test
    void requestIsKnownByItsLabels() {
        var asked = (AskRestart) reconcile.decide(ASKING, there()).getFirst();
        var metadata = asked.request().getMetadata();
        var job = ASKING.job().job();
        var read =
                Labels.read(
                        "test",
                        job,
                        Kind.RESTART_REQUEST,
                        metadata.getName(),
                        metadata.getLabels());
        assertThat(read).isEqualTo(new Mark(UID, 1, 2, null));
        assertThat(
                        Labels.read(
                                "test",
                                job,
                                Kind.RESTART_REQUEST,
                                "resnet-master-0-8",
                                metadata.getLabels()))
                .isNull();
    }

    private static Listing there() {
        return listing(service(1), pod(MASTER, 1, 1, 1), pod(WORKER_0, 1, 1, 2));
    }

    private static Seen request(String name) {
        return foreign(Kind.RESTART_REQUEST, name);
    }

    private static Seen mark(Seen seen, Plan plan) {
        var mark = new Mark(UID, plan.attempt(), plan.version(), null);
        return Seen.of(seen.kind(), seen.name(), seen.uid(), mark);
    }

    private List<String> told(Listing listing) {
        return Told.of(reconcile.decide(ASKING, listing));
    }
}
