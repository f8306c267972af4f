package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.cli.SettingKind;
import dev.muster.cli.http.Admission;
import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.sandbox.kubernetes.Volcano;
import dev.muster.sandbox.process.Progress;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Phase;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import tools.jackson.databind.json.JsonMapper;

/**
 * Jobs of a pool whose gangs Volcano's own scheduler binds, through all four services, on nodes of
 * their own: of four pods of a tenth of a core each two go on a node. Building Volcano takes
 * minutes.
 */
@EnabledIfSystemProperty(named = "muster.volcano", matches = "true")
class VolcanoChainIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String POOL = "volcano";

    private static Volcano volcano;
    private static OwnNodes nodes;

    private final String namespace = TheSystem.namespace("volcano");

    @BeforeAll
    static void poolOfVolcano() {
        try (var client = TheSystem.administrator()) {
            Volcano.addKinds(client, Progress.silent());
        }
        volcano =
                Volcano.start(TheSystem.get().sandbox().place(), TheSystem.context().kubeconfig());
        nodes = OwnNodes.of(POOL, List.of("200m", "200m"));
        put(
                SettingKind.POOL,
                "{\"nodeSelector\": {\"muster.test/only\": \"volcano\"}, \"backend\": \"volcano\","
                        + " \"capacity\": \"delegated\", \"backendQueue\": \"default\"}");
        put(SettingKind.QUEUE, "{\"pool\": \"volcano\"}");
    }

    @AfterAll
    static void end() {
        if (nodes != null) {
            nodes.close();
        }
        if (volcano != null) {
            volcano.process().stop(Duration.ofSeconds(10));
        }
    }

    @Test
    void gangThatFitsRuns() {
        try (var chain = new Chain()) {
            chain.submit("fits", 4, "sleep 5", "");
            // Other nodes of the cluster have room, too, and are not this pool's.
            await().atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(chain.pods("fits"))
                                    .extracting(pod -> pod.getSpec().getNodeName())
                                    .containsExactlyInAnyOrder(
                                            "volcano-0", "volcano-0", "volcano-1", "volcano-1"));
            chain.awaitPhase("fits", Phase.SUCCEEDED);
            chain.awaitNothingLeft("fits");
        }
    }

    @Test
    void ofAGangThatDoesNotFitNoPodIsBoundUntilThereIsRoom() {
        try (var chain = new Chain()) {
            chain.submit("toobig", 5, "sleep 1", "");
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(() -> {
                        var status = chain.status("toobig");
                        assertThat(status.getPhase()).isEqualTo(Phase.STARTING);
                        assertThat(status.getReason()).isEqualTo("NotScheduled");
                        assertThat(status.getMessage()).contains("NotEnoughResources");
                        assertThat(chain.pods("toobig"))
                                .hasSize(5)
                                .noneMatch(pod -> pod.getSpec().getNodeName() != null);
                    });
            try (var more = OwnNodes.of(POOL, List.of("100m"), 2)) {
                assertThat(more.nodes()).hasSize(1);
                chain.awaitPhase("toobig", Phase.SUCCEEDED);
            }
            chain.awaitNothingLeft("toobig");
        }
    }

    @Test
    void cancelSuspendAndRestartLeaveNothingBehind() {
        try (var chain = new Chain()) {
            var once = "[ \"$MUSTER_ATTEMPT\" = 1 ] && exit 1; exec sleep 600";
            chain.submit("stopped", 2, once, "failure: {settle: 1s, delay: {initial: 1s}}");
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(() -> {
                        var status = chain.status("stopped");
                        assertThat(status.getPhase()).isEqualTo(Phase.RUNNING);
                        assertThat(status.getAttempt()).isEqualTo(2);
                        assertThat(chain.groups("stopped")).hasSize(1);
                    });
            chain.change("stopped", "suspend");
            chain.awaitPhase("stopped", Phase.SUSPENDED);
            chain.awaitNothingLeft("stopped");
            chain.change("stopped", "resume");
            chain.awaitPhase("stopped", Phase.RUNNING);
            chain.change("stopped", "cancel");
            chain.awaitPhase("stopped", Phase.CANCELLED);
            chain.awaitNothingLeft("stopped");
        }
    }

    private static void put(SettingKind kind, String patch) {
        var json = JsonMapper.shared().readTree("{\"spec\": " + patch + "}");
        var answer = new Admission(TheSystem.context()).change(kind, POOL, json, true);
        assertThat(answer.status()).as(answer.message()).isLessThan(300);
    }

    /** What a test sees of its jobs. */
    private final class Chain implements AutoCloseable {
        private final Requests requests = Requests.open(TheSystem.context(), "volcano test");
        private final JobStatuses statuses = JobStatuses.open(TheSystem.context());
        private final KubernetesClient client = TheSystem.administrator();

        void submit(String name, int workers, String command, String more) {
            var _ =
                    requests.submit(
                            Jobs.read(
                                    """
                                    apiVersion: muster.dev/v1
                                    kind: TrainJob
                                    metadata: {name: %s, namespace: %s}
                                    spec:
                                      framework: pytorch
                                      queue: volcano
                                      gracePeriod: 1s
                                      cleanup: All
                                      success: {when: AllSucceeded}
                                      %s
                                      roles:
                                      - name: worker
                                        replicas: %d
                                        template:
                                          spec:
                                            tolerations: [{key: muster.test/only, value: volcano}]
                                            containers:
                                            - name: main
                                              image: busybox
                                              command: [sh, -c, '%s']
                                              resources: {requests: {cpu: 100m}}
                                    """
                                            .formatted(name, namespace, more, workers, command)));
        }

        JobStatus status(String name) {
            statuses.news();
            return statuses.of(namespace, name).orElseThrow();
        }

        void awaitPhase(String name, Phase phase) {
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(status(name).getPhase()).isEqualTo(phase));
        }

        void change(String name, String verb) {
            var nothing = JsonMapper.shared().createObjectNode();
            var _ = new Admission(TheSystem.context()).change(namespace, name, verb, nothing);
        }

        List<Pod> pods(String name) {
            return client.pods()
                    .inNamespace(namespace)
                    .withLabel("muster.dev/job", name)
                    .list()
                    .getItems();
        }

        List<GenericKubernetesResource> groups(String name) {
            return client.genericKubernetesResources("scheduling.volcano.sh/v1beta1", "PodGroup")
                    .inNamespace(namespace)
                    .withLabel("muster.dev/job", name)
                    .list()
                    .getItems();
        }

        void awaitNothingLeft(String name) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> {
                        assertThat(pods(name)).isEmpty();
                        assertThat(groups(name)).isEmpty();
                    });
        }

        @Override
        public void close() {
            requests.close();
            statuses.close();
            client.close();
        }
    }
}
