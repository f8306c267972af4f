package dev.muster.watcher;

import static dev.muster.v1.InboxKind.NAMESPACE_QUOTA_GONE;
import static dev.muster.v1.InboxKind.NAMESPACE_QUOTA_SEEN;
import static dev.muster.v1.InboxKind.NODE_RELEASED;
import static dev.muster.v1.InboxKind.NODE_SEEN;
import static dev.muster.v1.InboxKind.OTHERS_USE;
import static dev.muster.v1.InboxKind.POD_GONE;
import static dev.muster.v1.InboxKind.POD_SEEN;
import static dev.muster.v1.InboxKind.SNAPSHOT_BEGIN;
import static dev.muster.v1.InboxKind.SNAPSHOT_END;
import static dev.muster.v1.InboxKind.WATCHER_ALIVE;
import static dev.muster.watcher.ApiObjects.NAMESPACE;
import static dev.muster.watcher.ApiObjects.annotate;
import static dev.muster.watcher.ApiObjects.annotateNode;
import static dev.muster.watcher.ApiObjects.announce;
import static dev.muster.watcher.ApiObjects.bind;
import static dev.muster.watcher.ApiObjects.deletePod;
import static dev.muster.watcher.ApiObjects.makeNode;
import static dev.muster.watcher.ApiObjects.makePod;
import static dev.muster.watcher.ApiObjects.makeRank;
import static dev.muster.watcher.ApiObjects.setStatus;
import static dev.muster.watcher.RealParts.API;
import static dev.muster.watcher.RealParts.nextNumber;
import static dev.muster.watcher.RealParts.putPool;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.muster.schemas.Topics;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobRef;
import dev.muster.v1.NamespaceQuotaSeen;
import dev.muster.v1.PodIdentity;
import dev.muster.v1.PodPhase;
import dev.muster.v1.Witness;
import dev.muster.watcher.RealParts.Inbox;
import dev.muster.watcher.core.Layout;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

class WatcherIT {
    private static final String INSTALLATION = "watched";
    private static ConfigurableApplicationContext watcher;

    private final int number = nextNumber();
    private final String pool = "pool-" + number;
    private final Inbox inbox = new Inbox(number);

    @BeforeAll
    static void startTheWatcher() {
        watcher = Watching.here(INSTALLATION, Watching.LONG);
    }

    @AfterAll
    static void stopTheWatcher() {
        watcher.close();
    }

    @AfterEach
    void closeTheInbox() {
        inbox.close();
    }

    @Test
    void aPoolThatAppearsGetsAllThereIsAndIsToldThatItIsWatched() throws Exception {
        var node = "node-" + number;
        makeNode(node, Map.of("pool", pool));
        makeRank("train-" + number, INSTALLATION, pool);
        makePod("foreign-" + number, Map.of());
        bind("foreign-" + number, node);
        putPool(pool, number);
        await().untilAsserted(() -> assertThat(of(WATCHER_ALIVE)).isNotEmpty());
        assertThat(inbox.read())
                .extracting(InboxEvent::getKind)
                .startsWith(SNAPSHOT_BEGIN, OTHERS_USE, NODE_SEEN, POD_SEEN, SNAPSHOT_END);
        // The news of the binding may come behind the snapshot.
        await().untilAsserted(() ->
                assertThat(of(OTHERS_USE).getLast().getOthersUse().getUsed())
                        .isEqualTo(Map.of("cpu", 1000L, "pods", 1L)));
        assertThat(of(SNAPSHOT_END).getFirst().getSnapshotEnd().getId())
                .isEqualTo(of(SNAPSHOT_BEGIN).getFirst().getSnapshotBegin().getId());
        var lease = API.leases().inNamespace(INSTALLATION).withName("muster-watcher-0").get();
        var epoch = inbox.read().getFirst().getWitness().getEpoch();
        assertThat(epoch)
                .isPositive()
                .isLessThanOrEqualTo(Long.parseLong(lease.getMetadata().getResourceVersion()));
        assertThat(inbox.read())
                .extracting(InboxEvent::getWitness)
                .containsOnly(new Witness(0, 1, epoch, Layout.of(lease).since()));
    }

    @Test
    void aPodIsToldOncePerChangeUntilItIsGone() throws Exception {
        var node = "node-" + number;
        var job = "train-" + number;
        makeNode(node, Map.of("pool", pool));
        putPool(pool, number);
        await().untilAsserted(() -> assertThat(of(NODE_SEEN)).isNotEmpty());

        var pod = makeRank(job, INSTALLATION, pool);
        bind(pod, node);
        setStatus(pod, running());
        annotate(pod, "that nobody needs to know");
        setStatus(pod, succeeded());
        deletePod(pod);
        await().untilAsserted(() -> assertThat(of(POD_GONE)).hasSize(1));

        assertThat(of(POD_SEEN))
                .extracting(InboxEvent::getPodSeen)
                .extracting(
                        seen -> seen.getPhase(),
                        seen -> seen.getNode(),
                        seen -> seen.getReady(),
                        seen -> seen.getDeleting())
                .containsExactly(
                        tuple(PodPhase.PENDING, null, false, false),
                        tuple(PodPhase.PENDING, node, false, false),
                        tuple(PodPhase.RUNNING, node, true, false),
                        tuple(PodPhase.SUCCEEDED, node, false, false));
        var last = of(POD_SEEN).getLast();
        assertThat(last.getJob()).isEqualTo(new JobRef("default", job, "3-4711"));
        assertThat(last.getEnvelope().getJobUid()).isEqualTo("3-4711");
        assertThat(last.getEnvelope().getAttempt()).isEqualTo(1);
        var ended = last.getPodSeen().getContainers().getFirst();
        assertThat(ended.getExitCode()).isZero();
        assertThat(ended.getReason()).isEqualTo("Completed");
        assertThat(of(POD_GONE).getFirst().getPodGone().getIdentity())
                .isEqualTo(last.getPodSeen().getIdentity())
                .isEqualTo(
                        new PodIdentity(
                                "worker",
                                0,
                                1,
                                2,
                                3L,
                                pod,
                                last.getPodSeen().getIdentity().getPodUid()));
        assertThat(of(OTHERS_USE))
                .extracting(e -> e.getOthersUse().getUsed())
                .containsOnly(Map.of());
    }

    @Test
    void aNodeIsToldUntilItIsGoneAndWhatOthersUseOfIt() throws Exception {
        var node = "node-" + number;
        var foreign = "foreign-" + number;
        putPool(pool, number);
        makeNode(node, Map.of("pool", pool));
        makePod(foreign, Map.of());
        bind(foreign, node);
        await().untilAsserted(() -> assertThat(used()).endsWith(Map.of("cpu", 1000L, "pods", 1L)));
        deletePod(foreign);
        await().untilAsserted(() -> assertThat(used()).endsWith(Map.of()));
        API.nodes().withName(node).delete();
        await().untilAsserted(() -> assertThat(of(NODE_RELEASED)).hasSize(1));
        var seen = of(NODE_SEEN).getLast().getNodeSeen();
        assertThat(seen.getReady()).isTrue();
        assertThat(seen.getLabels()).containsEntry("pool", pool);
        assertThat(seen.getAllocatable()).isEqualTo(Map.of("cpu", 4000L, "memory", 8L << 30));
        assertThat(of(NODE_RELEASED).getFirst().getNodeReleased().getName()).isEqualTo(node);
    }

    @Test
    void whatIsAnnouncedOfANodeByConditionsAndAnnotationsIsTold() throws Exception {
        var node = "node-" + number;
        putPool(pool, number);
        makeNode(node, Map.of("pool", pool));
        await().untilAsserted(() -> assertThat(of(NODE_SEEN)).isNotEmpty());
        announce(node, "True");
        await().untilAsserted(
                        () -> assertThat(announced()).isEqualTo(List.of("TerminateScheduled")));
        annotateNode(node, "example.com/leaves-at", "noon");
        await().untilAsserted(() ->
                assertThat(of(NODE_SEEN).getLast().getNodeSeen().getAnnotations())
                        .contains("example.com/leaves-at"));
        assertThat(announced()).containsExactly("TerminateScheduled");
        announce(node, "False");
        await().untilAsserted(() -> assertThat(announced()).isEmpty());
    }

    /** Conditions of the node, as they were told last. */
    private List<String> announced() {
        return of(NODE_SEEN).getLast().getNodeSeen().getConditions();
    }

    @Test
    void aQuotaIsToldUntilItIsGoneAndWhatOthersUseOfIt() throws Exception {
        putPool(pool, number);
        await().untilAsserted(() -> assertThat(of(SNAPSHOT_END)).isNotEmpty());
        var quota =
                new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName("quota-" + number)
                        .endMetadata()
                        .withNewSpec()
                        .addToHard("requests.cpu", new Quantity("1k"))
                        .endSpec()
                        .build();
        API.resource(quota).create();
        try {
            await().untilAsserted(() -> assertThat(quotas()).isNotEmpty());
            var before = quotas().getLast();
            assertThat(before.getNamespace()).isEqualTo(NAMESPACE);
            assertThat(before.getHard()).isEqualTo(Map.of("cpu", 1_000_000L));

            makePod("foreign-" + number, Map.of());
            var more = before.getOthersUsed().getOrDefault("cpu", 0L) + 1000;
            await().untilAsserted(() ->
                    assertThat(quotas().getLast().getOthersUsed()).isEqualTo(Map.of("cpu", more)));
        } finally {
            API.resource(quota).delete();
            deletePod("foreign-" + number);
        }
        await().untilAsserted(() ->
                assertThat(of(NAMESPACE_QUOTA_GONE))
                        .extracting(event -> event.getNamespaceQuotaGone().getNamespace())
                        .containsExactly(NAMESPACE));
    }

    private List<NamespaceQuotaSeen> quotas() {
        return of(NAMESPACE_QUOTA_SEEN).stream().map(InboxEvent::getNamespaceQuotaSeen).toList();
    }

    @Test
    void aNodeGoesToAnotherPoolAfterItsOwnHasHeard() throws Exception {
        var later = nextNumber();
        putPool(pool, number);
        putPool("pool-" + later, later, Map.of("pool", pool));
        makeNode("node-" + number, Map.of("pool", pool));
        await().untilAsserted(() -> assertThat(of(NODE_SEEN)).isNotEmpty());
        try (var other = new Inbox(later)) {
            putPool(pool, number, Map.of("pool", "another"));
            await().untilAsserted(() -> assertThat(of(other, NODE_SEEN)).hasSize(1));
            await().untilAsserted(() -> assertThat(of(NODE_RELEASED)).hasSize(1));
            assertThat(said(of(NODE_RELEASED).getFirst()))
                    .isLessThan(said(of(other, NODE_SEEN).getFirst()));

            putPool(pool, number);
            await().untilAsserted(() -> assertThat(of(other, NODE_RELEASED)).hasSize(1));
            var released = said(of(other, NODE_RELEASED).getFirst());
            await().untilAsserted(() ->
                    assertThat(said(of(NODE_SEEN).getLast())).isGreaterThan(released));
        }
    }

    @Test
    void whatIsNoPoolHarmsNoPool() throws Exception {
        putPool(pool, number);
        putPool("junk", "no Avro at all".getBytes(UTF_8));
        putPool("unheard-of-schema", new byte[] {0, 0x7f, 0, 0, 0, 1});
        putPool("outside", 64);
        putPool("rival", number, Map.of());
        putPool("never-there", (byte[]) null);
        var next = nextNumber();
        putPool("pool-" + next, next);
        try (var nextInbox = new Inbox(next)) {
            await().untilAsserted(() -> assertThat(nextInbox.read()).isNotEmpty());
        }
        await().untilAsserted(() -> assertThat(inbox.read()).isNotEmpty());
        assertThat(inbox.read()).extracting(InboxEvent::getPool).containsOnly(pool);
    }

    @Test
    void whatDidNotArriveIsMadeGoodByASnapshot() throws Exception {
        putPool(pool, number);
        await().untilAsserted(() -> assertThat(of(SNAPSHOT_END)).hasSize(1));
        setLargestRecordOfInboxes("90");
        await().until(() -> !RealParts.inboxTakes(100));
        makeNode("node-" + number, Map.of("pool", pool));
        setLargestRecordOfInboxes(
                Topics.INBOX.settings().get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG));
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(of(SNAPSHOT_END)).hasSize(2));
        var kinds = inbox.read().stream().map(InboxEvent::getKind).toList();
        // A report that came after the limit was lifted may stand before it.
        assertThat(kinds.subList(kinds.lastIndexOf(SNAPSHOT_BEGIN), kinds.size()))
                .filteredOn(kind -> kind != WATCHER_ALIVE)
                .containsExactly(SNAPSHOT_BEGIN, OTHERS_USE, NODE_SEEN, SNAPSHOT_END);
    }

    @Test
    void readinessSaysThatAllIsKnownAndWhatIsHeld() throws Exception {
        var port = watcher.getEnvironment().getRequiredProperty("local.server.port");
        var uri = URI.create("http://127.0.0.1:" + port + "/actuator/health/readiness");
        try (var http = HttpClient.newHttpClient()) {
            await().untilAsserted(() -> {
                var answer =
                        http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.body()).contains("\"holds\":[0]");
            });
        }
    }

    private List<InboxEvent> of(InboxKind kind) {
        return of(inbox, kind);
    }

    private static List<InboxEvent> of(Inbox inbox, InboxKind kind) {
        return inbox.read().stream().filter(event -> event.getKind() == kind).toList();
    }

    private List<Map<String, Long>> used() {
        return of(OTHERS_USE).stream().map(event -> event.getOthersUse().getUsed()).toList();
    }

    /** The how-manieth word of its term it was. */
    private static long said(InboxEvent event) {
        var id = event.getEnvelope().getId();
        return Long.parseLong(id.substring(id.lastIndexOf('-') + 1));
    }

    private static PodStatus running() {
        return new PodStatusBuilder()
                .withPhase("Running")
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .build();
    }

    private static PodStatus succeeded() {
        return new PodStatusBuilder()
                .withPhase("Succeeded")
                .addNewContainerStatus()
                .withName("main")
                .withImage("none")
                .withImageID("none")
                .withNewState()
                .withNewTerminated()
                .withExitCode(0)
                .withReason("Completed")
                .endTerminated()
                .endState()
                .endContainerStatus()
                .build();
    }

    private static void setLargestRecordOfInboxes(String bytes) throws Exception {
        var entry = new ConfigEntry(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, bytes);
        var topic = new ConfigResource(ConfigResource.Type.TOPIC, Topics.INBOX.name());
        RealParts.ADMIN
                .incrementalAlterConfigs(
                        Map.of(topic, List.of(new AlterConfigOp(entry, AlterConfigOp.OpType.SET))))
                .all()
                .get();
    }
}
