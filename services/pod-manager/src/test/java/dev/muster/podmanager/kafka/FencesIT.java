package dev.muster.podmanager.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.v1.ForcedRank;
import dev.muster.v1.InboxKind;
import dev.muster.v1.KeepPods;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FencesIT {
    private static final Duration SOON = Surroundings.SOON;
    private static final Surroundings AROUND = Surroundings.shared();

    @Test
    void somebodyElsesServiceIsLeftAlone() {
        var theirs =
                AROUND.kubernetes()
                        .resource(
                                new ServiceBuilder()
                                        .withNewMetadata()
                                        .withName("theirs")
                                        .withNamespace(Surroundings.NAMESPACE)
                                        .endMetadata()
                                        .withNewSpec()
                                        .withClusterIP("None")
                                        .endSpec()
                                        .build())
                        .create();
        AROUND.publish(new Orders(Surroundings.NAMESPACE, "theirs", "3-10").run(1, 1, 2));
        assertThat(AROUND.onlyReport("theirs").getPlanRefused().getReason()).isEqualTo("NameTaken");
        assertThat(AROUND.service("theirs").get()).isEqualTo(theirs);
        assertThat(AROUND.pods("theirs")).isEmpty();
    }

    @Test
    void somebodyElsesPodIsLeftAlone() {
        var theirs =
                AROUND.kubernetes()
                        .resource(Surroundings.bare("lone-worker-0", Surroundings.NAMESPACE))
                        .create();
        AROUND.publish(new Orders(Surroundings.NAMESPACE, "lone", "3-10").run(1, 1, 1));
        assertThat(AROUND.onlyReport("lone").getPlanRefused().getReason()).isEqualTo("NameTaken");
        assertThat(AROUND.pod("lone-worker-0")).isEqualTo(theirs);
    }

    @Test
    void aFullQuotaIsWaitedFor() {
        var tight = AROUND.namespace("pm-it-tight");
        var quotas = AROUND.kubernetes().resourceQuotas().inNamespace(tight);
        var none = Map.of("pods", new Quantity("0"));
        quotas.resource(
                        new ResourceQuotaBuilder()
                                .withNewMetadata()
                                .withName("none")
                                .endMetadata()
                                .withNewSpec()
                                .withHard(none)
                                .endSpec()
                                .build())
                .create();
        // No controller counts here.
        quotas.withName("none")
                .editStatus(quota ->
                        new ResourceQuotaBuilder(quota)
                                .withNewStatus()
                                .withHard(none)
                                .withUsed(none)
                                .endStatus()
                                .build());
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThatThrownBy(() -> AROUND.tryToCreate("any", tight))
                                .hasMessageContaining("exceeded quota"));
        AROUND.publish(new Orders(tight, "quota", "3-10").run(1, 1, 1));
        AROUND.publish(new Orders(Surroundings.NAMESPACE, "free", "3-10").run(1, 1, 1));
        AROUND.reports("free", 1);
        await().during(Duration.ofSeconds(1))
                .atMost(SOON)
                .untilAsserted(() -> assertThat(AROUND.reports("quota")).isEmpty());
        quotas.withName("none").delete();
        assertThat(AROUND.onlyReport("quota").getKind()).isEqualTo(InboxKind.PLAN_APPLIED);
    }

    @Test
    void aTemplateThatTheServerRefusesIsReportedInTheServersWords() {
        var job = new Orders(Surroundings.NAMESPACE, "refused", "3-10");
        var template =
                """
                {"spec": {"containers": [{"name": "main", "image": "none"},
                          {"name": "BAD NAME", "image": "none"}]}}
                """;
        AROUND.publish(job.run(1, 1, 3, template));
        var refused = AROUND.onlyReport("refused").getPlanRefused();
        assertThat(refused.getReason()).isEqualTo("Invalid");
        assertThat(refused.getMessage()).contains("spec.containers[1].name").contains("BAD NAME");
        assertThat(AROUND.pods("refused")).isEmpty();
    }

    @Test
    void aTemplateThatIsNoneIsRefused() {
        var job = new Orders(Surroundings.NAMESPACE, "broken", "3-10");
        AROUND.publish(job.run(1, 1, 1, "{\"spec\": 7}"));
        var refused = AROUND.onlyReport("broken").getPlanRefused();
        assertThat(refused.getReason()).isEqualTo("InvalidPlan");
        assertThat(refused.getMessage()).contains("role worker");
    }

    @Test
    void aMissingNamespaceIsARefusal() {
        AROUND.publish(new Orders("nowhere", "homeless", "3-10").run(1, 1, 1));
        assertThat(AROUND.onlyReport("homeless").getPlanRefused().getMessage()).contains("nowhere");
    }

    @Test
    void theNextAttemptWaitsForTheLast() {
        var job = new Orders(Surroundings.NAMESPACE, "attempts", "3-10");
        AROUND.publish(job.run(1, 1, 2));
        AROUND.reports("attempts", 1);
        AROUND.bind("attempts-worker-1");
        AROUND.publish(job.run(2, 2, 2));
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(AROUND.pods("attempts"))
                                .extracting(p -> p.getMetadata().getName())
                                .containsExactly("attempts-worker-1"));
        await().during(Duration.ofSeconds(1))
                .atMost(SOON)
                .untilAsserted(() -> assertThat(AROUND.pods("attempts")).hasSize(1));
        AROUND.end("attempts-worker-1");
        var report = AROUND.reports("attempts", 2).getLast().getPlanApplied();
        assertThat(report.getPods()).hasSize(2).allMatch(p -> p.getIdentity().getAttempt() == 2);
        assertThat(AROUND.service("attempts").get().getMetadata().getLabels())
                .containsEntry("muster.dev/attempt", "2");
    }

    @Test
    void aNewerSubmissionSweepsTheOlderAwayAndTheOlderIsStillAnswered() {
        var older = new Orders(Surroundings.NAMESPACE, "twice", "3-10");
        AROUND.publish(older.run(1, 1, 2));
        AROUND.reports("twice", 1);
        AROUND.publish(older.newer("3-20").run(1, 1, 2));
        var report = AROUND.reports("twice", 2).getLast();
        assertThat(report.getJob().getUid()).isEqualTo("3-20");
        assertThat(AROUND.pods("twice"))
                .allMatch(p -> p.getMetadata().getLabels().get("muster.dev/uid").equals("3-20"));
        AROUND.publish(older.stop(2, KeepPods.NONE, true));
        var answer = AROUND.reports("twice", 3).getLast();
        assertThat(answer.getJob().getUid()).isEqualTo("3-10");
        assertThat(answer.getPlanApplied().getPods()).isEmpty();
        assertThat(AROUND.pods("twice")).hasSize(2);
    }

    @Test
    void whatADeadNodeHoldsOfAReplacedSubmissionGoesByForce() {
        var older = new Orders(Surroundings.NAMESPACE, "held", "3-10");
        AROUND.publish(older.run(1, 1, 2));
        AROUND.reports("held", 1);
        AROUND.bind("held-worker-0");
        AROUND.publish(older.newer("3-20").run(1, 1, 2));
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(AROUND.pods("held"))
                                .extracting(p -> p.getMetadata().getDeletionGracePeriodSeconds())
                                .containsExactly(30L));
        var forcing = older.stop(2, KeepPods.NONE, false);
        forcing.getStop().setForced(List.of(new ForcedRank("worker", 0, null)));
        AROUND.publish(forcing);
        var last = AROUND.reports("held", 3).stream().map(e -> e.getJob().getUid()).toList();
        assertThat(last).containsExactlyInAnyOrder("3-10", "3-10", "3-20");
        assertThat(AROUND.pods("held"))
                .hasSize(2)
                .allMatch(p -> p.getMetadata().getLabels().get("muster.dev/uid").equals("3-20"));
    }

    @Test
    void whoeverWakesUpLateWritesNothing() {
        var job = new Orders(Surroundings.NAMESPACE, "late", "3-10");
        AROUND.publish(job.run(2, 5, 2));
        AROUND.reports("late", 1);
        // As if another one had gone on: its plan is newer than the next that we hear of.
        AROUND.service("late")
                .edit(service -> {
                    service.getMetadata().getLabels().put("muster.dev/attempt", "9");
                    return service;
                });
        AROUND.publish(job.run(3, 6, 4));
        AROUND.publish(new Orders(Surroundings.NAMESPACE, "marker", "3-10").run(1, 1, 1));
        AROUND.reports("marker", 1);
        await().during(Duration.ofSeconds(1))
                .atMost(SOON)
                .untilAsserted(() -> {
                    assertThat(AROUND.pods("late")).hasSize(2);
                    // After 10 s it is told, besides, what is in the way.
                    assertThat(AROUND.reports("late"))
                            .filteredOn(event -> event.getPlanApplied() != null)
                            .hasSize(1);
                });
    }

    @Test
    void anUnreadableRecordIsParkedAndHoldsOnlyItsOwnSubmission() {
        var job = new Orders(Surroundings.NAMESPACE, "parked", "3-10");
        var bytes = "no Avro".getBytes(StandardCharsets.UTF_8);
        AROUND.publish(Surroundings.NAMESPACE + "/parked@3-10", bytes);
        AROUND.publish(job.run(1, 1, 1));
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(AROUND.parked())
                                .anyMatch(p ->
                                        StandardCharsets.UTF_8
                                                .decode(p.getKey().duplicate())
                                                .toString()
                                                .equals(Surroundings.NAMESPACE + "/parked@3-10")));
        AROUND.publish(job.newer("3-11").run(1, 1, 1));
        assertThat(AROUND.onlyReport("parked").getJob().getUid()).isEqualTo("3-11");
    }
}
