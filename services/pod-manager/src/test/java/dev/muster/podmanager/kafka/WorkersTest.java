package dev.muster.podmanager.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.muster.podmanager.core.Backoff;
import dev.muster.podmanager.core.JobName;
import dev.muster.podmanager.core.Plan;
import dev.muster.podmanager.core.Reconcile;
import dev.muster.podmanager.kubernetes.Cluster;
import dev.muster.podmanager.kubernetes.FakeApiServer;
import dev.muster.schemas.Topics;
import dev.muster.schemas.contract.PlanHitch;
import dev.muster.v1.PlanRefused;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WorkersTest {
    private static final InstantSource CLOCK = InstantSource.system();
    private static final JobName JOB = new JobName("ml", "resnet");
    private static final int PARTITION = Work.partitionOf(JOB);
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final String DENIAL =
            "pods \"resnet-worker-0\" is forbidden: User \"pods\" cannot delete resource \"pods\""
                    + " in API group \"\" in the namespace \"ml\"";
    private static final String DELETED =
            "\"deletionTimestamp\": \"2026-01-01T12:00:00Z\", \"deletionGracePeriodSeconds\": 0, ";
    private static final String POD =
            """
            {"metadata": {"name": "resnet-worker-0", "uid": "u", "labels": {
            "muster.dev/installation": "muster", "muster.dev/job": "resnet",
            "muster.dev/uid": "3-100", "muster.dev/role": "worker", "muster.dev/index": "0",
            "muster.dev/attempt": "1", "muster.dev/incarnation": "1", "muster.dev/plan": "1"}}}
            """;

    private final FakeApiServer server = new FakeApiServer();
    private final Work work = new Work(new Backoff(SHORT, SHORT), this::now);
    private final Tenure tenure = new Tenure(Duration.ofHours(1), CLOCK);
    private final BlockingQueue<String> denied = new LinkedBlockingQueue<>();
    private final PoolInbox inbox = new PoolInbox();
    private final Cluster cluster = server.cluster(this::nowOfCluster);
    private final Pass pass =
            new Pass(
                    new Reconcile("muster", () -> null, () -> null),
                    cluster,
                    new Writer(cluster, tenure, 1),
                    new Inbox(inbox, PoolInbox.pools(), null, new Instance()),
                    tenure);
    private final Workers workers = new Workers(work, pass, 2);
    private volatile Duration ahead = Duration.ZERO;
    private boolean errs;

    WorkersTest() throws IOException {
        tenure.open(List.of(PARTITION));
        tenure.prove(CLOCK.instant());
        work.open(List.of(PARTITION), new Work.Seeds(Map.of(), Set.of(), work.nextOrder()));
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** Else its job would be in hand for ever, and nobody would know. */
    @Test
    @Timeout(30)
    void anErrorInOneJobEndsAll() {
        errs = true;
        accept(Stopping.PLAN);
        assertThatThrownBy(workers::run).isInstanceOf(LinkageError.class);
        assertThat(server.asked()).isEmpty();
    }

    @Test
    @Timeout(30)
    void aRightThatIsMissingForLongIsToldOnceWithTheServersWords() throws Exception {
        server.answers(this::deniesDeletions);
        accept(Stopping.PLAN);
        var running = Thread.ofVirtual().start(workers);
        someMoreAreDenied();
        assertThat(inbox.events).isEmpty();

        ahead = Duration.ofSeconds(10);
        var event = inbox.events.take();
        assertThat(event.getJob().getUid()).isEqualTo("3-100");
        assertThat(event.getEnvelope().getCause()).isEqualTo("0-7/1");
        assertThat(event.getPlanRefused())
                .isEqualTo(new PlanRefused(PlanHitch.NO_VERSION, 1, "RightMissing", DENIAL));
        someMoreAreDenied();
        assertThat(inbox.events).isEmpty();

        server.answers(exchange -> FakeApiServer.answer(exchange, 200, "{}"));
        assertThat(inbox.events.take().getPlanApplied().getVersion()).isEqualTo(1);
        workers.stop(Duration.ofSeconds(10));
        running.join();
    }

    @Test
    @Timeout(30)
    void aListThatTheServerPutsOffForLongIsToldWithItsWords() throws Exception {
        var asked = new LinkedBlockingQueue<String>();
        server.answers(exchange -> {
            FakeApiServer.answer(exchange, 503, "{\"message\": \"too many lists\"}");
            asked.add("a list");
        });
        accept(Stopping.PLAN);
        var running = Thread.ofVirtual().start(workers);
        asked.take();
        asked.take(); // What the one before came to is known.
        ahead = Duration.ofSeconds(10);
        assertThat(inbox.events.take().getPlanRefused())
                .isEqualTo(
                        new PlanRefused(
                                PlanHitch.NO_VERSION, 1, "NotTaken", "HTTP 503 too many lists"));

        server.answers(exchange -> FakeApiServer.answer(exchange, 200, "{}"));
        assertThat(inbox.events.take().getPlanApplied().getVersion()).isEqualTo(1);
        workers.stop(Duration.ofSeconds(10));
        running.join();
    }

    @Test
    @Timeout(30)
    void aPodThatKeepsItsSuccessorFromBeingMadeForLongIsTold() throws Exception {
        var asked = new LinkedBlockingQueue<String>();
        server.answers(exchange -> {
            podsAre(exchange, POD.replace("\"labels\"", DELETED + "\"labels\""));
            if (isPods(exchange)) {
                asked.add("a list");
            }
        });
        var running = Thread.ofVirtual().start(workers);
        accept(remaking(2));
        asked.take();
        accept(remaking(3));
        asked.take(); // It was met with the plan before.
        ahead = Duration.ofSeconds(60);
        accept(remaking(4));
        assertThat(inbox.events.take().getPlanRefused())
                .isEqualTo(
                        new PlanRefused(
                                PlanHitch.NO_VERSION,
                                1,
                                "StuckPods",
                                "pod resnet-worker-0 was told to go and is still there"));
        workers.stop(Duration.ofSeconds(10));
        running.join();
    }

    /** Nobody may come with a newer plan, as where the log was restored to an earlier moment. */
    @Test
    @Timeout(30)
    void aPlanOlderThanItsPodsIsTriedAgainAndToldIfItLasts() throws Exception {
        var asked = new LinkedBlockingQueue<String>();
        var newer = POD.replace("3-100", "3-200");
        server.answers(exchange -> {
            podsAre(exchange, newer);
            asked.add(exchange.getRequestMethod());
        });
        accept(Stopping.PLAN);
        var running = Thread.ofVirtual().start(workers);
        for (int i = 0; i < 9; i++) {
            assertThat(asked.take()).isEqualTo("GET");
        }
        assertThat(inbox.events).isEmpty();
        ahead = Duration.ofSeconds(10);
        assertThat(inbox.events.take().getPlanRefused().getMessage())
                .startsWith("pod resnet-worker-0 is newer than the plan, of submission 3-200;");

        server.answers(exchange -> FakeApiServer.answer(exchange, 200, "{}"));
        assertThat(inbox.events.take().getPlanApplied().getVersion()).isEqualTo(1);
        workers.stop(Duration.ofSeconds(10));
        running.join();
    }

    /** What the answer to the deletion says is not asked for again. */
    @Test
    @Timeout(30)
    void anEndedPodsDeletionIsAllThatAStopAsksForBesideTheFirstLists() throws Exception {
        stopsWithDeletionsAnswered(POD.replace("\"labels\"", DELETED + "\"labels\""));
        assertThat(server.asked())
                .containsExactly(
                        "GET /api/v1/namespaces/ml/pods",
                        "GET /api/v1/namespaces/ml/services",
                        "DELETE /api/v1/namespaces/ml/pods/resnet-worker-0");
    }

    @Test
    @Timeout(30)
    void aPodThatHasTimeToEndIsListedAgainBeforeItIsReported() throws Exception {
        var ending = DELETED.replace("Seconds\": 0", "Seconds\": 30") + "\"labels\"";
        stopsWithDeletionsAnswered(POD.replace("\"labels\"", ending));
        assertThat(server.asked())
                .endsWith(
                        "DELETE /api/v1/namespaces/ml/pods/resnet-worker-0",
                        "GET /api/v1/namespaces/ml/pods",
                        "GET /api/v1/namespaces/ml/services");
    }

    /** Of a pod that a list shows until its deletion is asked for. */
    private void stopsWithDeletionsAnswered(String answer) throws Exception {
        var deleted = new AtomicBoolean();
        server.answers(exchange -> {
            if (exchange.getRequestMethod().equals("DELETE")) {
                deleted.set(true);
                FakeApiServer.answer(
                        exchange, 200, answer.replaceFirst("\\{", "{\"kind\": \"Pod\","));
            } else {
                podsAre(exchange, deleted.get() ? "" : POD);
            }
        });
        var running = Thread.ofVirtual().start(workers);
        accept(Stopping.PLAN);
        assertThat(inbox.events.take().getPlanApplied().getPods()).isEmpty();
        workers.stop(Duration.ofSeconds(10));
        running.join();
    }

    private void accept(Plan plan) {
        work.accept(PARTITION, new PlanRecord.Known(plan));
    }

    /** With another making of the pod. */
    private static Plan remaking(long version) {
        var orders = new Orders(JOB.namespace(), JOB.name(), "3-100");
        var plan = orders.run(1, version, 1);
        plan.getRun().getPods().getFirst().setIncarnation(2);
        var reading = new PlanReading(_ -> plan);
        var key = "ml/resnet@3-100".getBytes(UTF_8);
        var record = new ConsumerRecord<>(Topics.JOB_PLANS.name(), PARTITION, 0, key, new byte[0]);
        return ((PlanRecord.Known) reading.read(record)).plan();
    }

    private static void podsAre(HttpExchange exchange, String pods) throws IOException {
        var list = "{\"items\": [%s]}".formatted(pods);
        FakeApiServer.answer(exchange, 200, isPods(exchange) ? list : "{}");
    }

    private static boolean isPods(HttpExchange exchange) {
        return exchange.getRequestURI().getPath().endsWith("/pods");
    }

    /** A cluster with one pod of the job. */
    private void deniesDeletions(HttpExchange exchange) throws IOException {
        if (exchange.getRequestMethod().equals("DELETE")) {
            denied.add(exchange.getRequestURI().getPath());
            FakeApiServer.answer(
                    exchange,
                    403,
                    "{\"reason\": \"Forbidden\", \"message\": \"%s\"}"
                            .formatted(DENIAL.replace("\"", "\\\"")));
            return;
        }
        podsAre(exchange, POD);
    }

    private void someMoreAreDenied() throws InterruptedException {
        denied.clear();
        for (int i = 0; i < 4; i++) {
            denied.take();
        }
    }

    private Instant now() {
        return CLOCK.instant().plus(ahead);
    }

    private Instant nowOfCluster() {
        if (errs) {
            throw new LinkageError("no such class");
        }
        return CLOCK.instant();
    }
}
