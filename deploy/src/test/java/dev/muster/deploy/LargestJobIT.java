package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroSerializer;
import dev.muster.schemas.trainjob.TrainJobForm;
import dev.muster.v1.Envelope;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobPlan;
import dev.muster.v1.NodeSeen;
import dev.muster.v1.Outcome;
import dev.muster.v1.Phase;
import dev.muster.v1.PlanKind;
import dev.muster.v1.PlannedPod;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.PoolState;
import dev.muster.v1.Problem;
import dev.muster.v1.QueueSpec;
import dev.muster.v1.RequestResult;
import dev.muster.v1.Witness;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The largest request there may be, on a pool whose nodes stand in its inbox and nowhere else. */
@Tag("only-in-profile-long")
class LargestJobIT {
    private static final String POOL = "huge";
    private static final int NODES = 10;
    private static final int PODS_OF_A_NODE = 1_000;

    /** Bytes of a template with which a request is nearly as large as it may be, 256 KiB. */
    private static final int LARGE = 240 << 10;

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** No namespace of this name is made, so that nobody makes ten thousand pods. */
    private static final String NOWHERE = "nowhere-" + UUID.randomUUID();

    private static Requests requests;

    @BeforeAll
    static void poolHasItsNodes() throws Exception {
        requests = Requests.open(TheSystem.context(), "largest job test");
        var pool = PoolSpec.newBuilder().setNodeSelector(Map.of("size", POOL)).build();
        assertThat(answer(requests.put(POOL, pool)).getOutcome())
                .isIn(Outcome.ACCEPTED, Outcome.DUPLICATE);
        var queue = QueueSpec.newBuilder().setPool(POOL).build();
        assertThat(answer(requests.put(POOL, queue)).getOutcome())
                .isIn(Outcome.ACCEPTED, Outcome.DUPLICATE);
        pretendNodes();
    }

    @AfterAll
    static void close() {
        requests.close();
    }

    @Test
    void tenThousandRanksGetTheirPlan() {
        var id = requests.submit(job("largest", NODES * PODS_OF_A_NODE));
        assertThat(answer(id).getOutcome()).isEqualTo(Outcome.ACCEPTED);

        await().atMost(PATIENCE).until(() -> !plans("largest").isEmpty());
        var plan = plans("largest").getFirst();
        assertThat(plan.value().getPool()).isEqualTo(POOL);
        assertThat(plan.serializedValueSize()).isBetween(LARGE, 4 << 20);
        var pods = plan.value().getRun().getPods();
        assertThat(pods).hasSize(NODES * PODS_OF_A_NODE);
        assertThat(pods.stream().map(PlannedPod::getIndex).distinct()).hasSameSizeAs(pods);
        assertThat(
                        pods.stream()
                                .collect(
                                        Collectors.groupingBy(
                                                PlannedPod::getNode, Collectors.counting())))
                .hasSize(NODES)
                .containsValue((long) PODS_OF_A_NODE);

        // Read, carried out as far as it goes, and told: pod-manager takes such a plan too.
        try (var statuses = JobStatuses.open(TheSystem.context())) {
            var end = Jobs.end(statuses, NOWHERE, "largest");
            assertThat(end.getPhase()).isEqualTo(Phase.FAILED);
            assertThat(end.getMessage()).contains("namespaces \"" + NOWHERE + "\" not found");
        }
    }

    @Test
    void oneRankMoreIsRefused() {
        // Our form would not let it pass; not everybody uses it.
        var job = job("too-large", NODES * PODS_OF_A_NODE);
        job.spec().getRoles().getFirst().setReplicas(NODES * PODS_OF_A_NODE + 1);

        var answer = answer(requests.submit(job));
        assertThat(answer.getOutcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.getProblems())
                .extracting(Problem::getPath, Problem::getGiven)
                .containsExactly(tuple("spec.roles[0].replicas", "10001"));
        assertThat(plans("too-large")).isEmpty();
    }

    private static RequestResult answer(String id) {
        return requests.answer(id, PATIENCE);
    }

    private static TrainJobForm.Read job(String name, int ranks) {
        return Jobs.read(
                """
                apiVersion: muster.dev/v1
                kind: TrainJob
                metadata: {name: %s, namespace: %s}
                spec:
                  queue: huge
                  roles:
                  - name: worker
                    replicas: %d
                    template:
                      spec:
                        containers:
                        - name: main
                          image: none
                          env: [{name: LARGE, value: %s}]
                          resources: {requests: {cpu: 1, memory: 1Gi}}
                """
                        .formatted(name, NOWHERE, ranks, "x".repeat(LARGE)));
    }

    private static List<ConsumerRecord<String, JobPlan>> plans(String job) {
        return Records.of(TheSystem.context(), Topics.JOB_PLANS).stream()
                .filter(plan -> plan.key().startsWith(NOWHERE + "/" + job + "@"))
                .filter(plan -> plan.value().getKind() == PlanKind.RUN)
                .toList();
    }

    /** In the watcher's name, when it has told the pool that there are none. */
    private static void pretendNodes() throws Exception {
        await().atMost(PATIENCE).until(() -> !snapshots().isEmpty());
        var witness = snapshots().getLast();
        var number =
                Records.of(TheSystem.context(), Topics.POOLS).stream()
                        .map(ConsumerRecord::value)
                        .filter(pool -> pool.getName().equals(POOL))
                        .map(PoolState::getNumber)
                        .findFirst()
                        .orElseThrow();
        var config =
                Map.<String, Object>of(
                        "bootstrap.servers", TheSystem.context().bootstrapServers(),
                        "schema.registry.url", TheSystem.context().registry());
        var values = new AvroSerializer<InboxEvent>();
        values.configure(config, false);
        try (var producer = new KafkaProducer<>(config, new StringSerializer(), values)) {
            for (int i = 0; i < NODES; i++) {
                var event = node("huge-" + i, witness);
                producer.send(new ProducerRecord<>(Topics.INBOX.name(), number, POOL, event)).get();
            }
        }
    }

    private static List<Witness> snapshots() {
        return Records.of(TheSystem.context(), Topics.INBOX).stream()
                .map(ConsumerRecord::value)
                .filter(event -> event.getPool().equals(POOL))
                .filter(event -> event.getKind() == InboxKind.SNAPSHOT_END)
                .map(InboxEvent::getWitness)
                .toList();
    }

    private static InboxEvent node(String name, Witness witness) {
        return InboxEvent.newBuilder()
                .setEnvelope(
                        Envelope.newBuilder()
                                .setId(UUID.randomUUID().toString())
                                .setAt(Instant.now())
                                .setActor("largest job test")
                                .build())
                .setKind(InboxKind.NODE_SEEN)
                .setPool(POOL)
                .setWitness(witness)
                .setNodeSeen(
                        NodeSeen.newBuilder()
                                .setName(name)
                                .setUid("uid-" + name)
                                .setResourceVersion(1)
                                .setLabels(Map.of("size", POOL))
                                .setReady(true)
                                .setAllocatable(
                                        Map.of(
                                                "cpu",
                                                1_000L * PODS_OF_A_NODE,
                                                "memory",
                                                1L << 50,
                                                "pods",
                                                (long) PODS_OF_A_NODE))
                                .build())
                .build();
    }
}
