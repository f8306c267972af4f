package dev.muster.podmanager.kafka;

import static java.util.concurrent.TimeUnit.SECONDS;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.muster.podmanager.core.Backoff;
import dev.muster.podmanager.core.JobName;
import dev.muster.podmanager.core.Plan;
import dev.muster.podmanager.core.Plan.Backend;
import dev.muster.podmanager.core.Plan.Keep;
import dev.muster.podmanager.core.Reconcile;
import dev.muster.podmanager.kubernetes.Cluster;
import dev.muster.podmanager.kubernetes.FakeApiServer;
import dev.muster.schemas.contract.PlanHitch;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.ListedPod;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the API server is asked when partitions are taken over. */
class SeedingTest {
    private static final InstantSource CLOCK = InstantSource.system();
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final String ALL_PODS = "GET /api/v1/pods";
    private static final List<String> ALL_ELSE =
            List.of(
                    "GET /api/v1/services",
                    "GET /apis/policy/v1/poddisruptionbudgets",
                    "GET /apis/scheduling.volcano.sh/v1beta1/podgroups");

    private static final Comparator<String> BY_PARTITION =
            Comparator.comparingInt(name -> Work.partitionOf(new JobName("ml", name)));

    private final FakeApiServer server = new FakeApiServer();
    private final Cluster cluster = server.cluster(CLOCK);

    /** Time passes by the requests: as much as is nobody's concern with each. */
    private final Work work =
            new Work(
                    new Backoff(SHORT, SHORT),
                    () -> CLOCK.instant().plusSeconds(10L * server.asked().size()));

    private final Tenure tenure = new Tenure(Duration.ofHours(1), CLOCK);
    private final PoolInbox told = new PoolInbox();
    private final Inbox inbox =
            new Inbox(
                    told,
                    PoolInbox.pools("default", PoolInbox.AWAY),
                    new Discovery(Set::of, cluster),
                    new Instance());
    private final Seeding seeding = new Seeding(new Inventory(cluster), work, tenure, inbox);
    private final Workers workers =
            new Workers(
                    work,
                    new Pass(
                            new Reconcile("muster", () -> null, () -> null),
                            cluster,
                            new Writer(cluster, tenure, 1),
                            inbox,
                            tenure),
                    2);
    private volatile List<JobName> jobs = List.of();

    /** The pods of the job of this number and of those after it run, the others have ended. */
    private volatile int firstThatRuns = Integer.MAX_VALUE;

    /** The path of what the roles do not let us list. */
    private volatile String hidden = "";

    /** Each job has a disruption budget still. */
    private volatile boolean guarded;

    private final Semaphore asked = new Semaphore(0);

    /** How many reports there were at each request. */
    private final List<Integer> toldBefore = new CopyOnWriteArrayList<>();

    private Function<JobName, Backend> backends = _ -> Backend.NONE;

    SeedingTest() throws IOException {
        tenure.prove(CLOCK.instant());
        server.answers(this::answer);
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    @Timeout(30)
    void endedPodsAreKeptWithoutAListForEachJob() throws InterruptedException {
        guarded = true;
        var reports = takenOver(40, Keep.FINISHED);
        assertThat(server.asked()).startsWith(ALL_PODS, ALL_PODS).hasSize(5).containsAll(ALL_ELSE);
        assertThat(reports)
                .allSatisfy(each ->
                        assertThat(each.getPlanApplied().getPods())
                                .extracting(ListedPod::getDeleting)
                                .containsExactly(false));
    }

    @Test
    @Timeout(30)
    void whereNoPlanKeepsEndedPodsNobodyAsksWhichOnesTheyAre() throws InterruptedException {
        takenOver(40, Keep.ALL);
        assertThat(server.asked()).containsOnlyOnce(ALL_PODS);
    }

    /** The list of all is no ground to delete anything: it may have ended since. */
    @Test
    @Timeout(30)
    void podThatRunsStillGoesAfterAListOfItsOwnJob() throws InterruptedException {
        firstThatRuns = 39;
        takenOver(40, Keep.FINISHED);
        assertThat(server.asked().subList(5, server.asked().size()))
                .containsExactly(
                        "GET /api/v1/namespaces/ml/pods",
                        "GET /api/v1/namespaces/ml/pods",
                        "GET /api/v1/namespaces/ml/services",
                        "DELETE /api/v1/namespaces/ml/pods/j39-worker-0");
    }

    /** Nobody needs a right to what nobody has, and who needs it says so of its own job. */
    @Test
    @Timeout(30)
    void kindThatTheRolesHideHoldsUpNobodyWhoDoesNotAskForIt() throws InterruptedException {
        hidden = "/apis/scheduling.volcano.sh/v1beta1/podgroups";
        backends = job -> job.name().equals("j7") ? Backend.VOLCANO : Backend.NONE;
        takenOver(40, Keep.FINISHED);
        assertThat(server.asked()).startsWith(ALL_PODS, ALL_PODS).containsAll(ALL_ELSE);
        assertThat(server.asked().subList(5, server.asked().size()))
                .containsExactlyInAnyOrder(
                        "GET /api/v1/namespaces/ml/pods",
                        "GET /api/v1/namespaces/ml/pods",
                        "GET /api/v1/namespaces/ml/services",
                        "GET /apis/scheduling.volcano.sh/v1beta1/namespaces/ml/podgroups");
    }

    @Test
    @Timeout(30)
    void whereTheRolesHideWhatAllAskForEachListsByItself() throws InterruptedException {
        hidden = "/api/v1/services";
        takenOver(2, Keep.ALL);
        assertThat(server.asked()).contains("GET /api/v1/namespaces/ml/services");
    }

    /** Nothing is opened; of whose plan that holds up, the pool knows alone. */
    @Test
    @Timeout(30)
    void whereTheRolesHidePodsAllJobsAreToldOnceItLasts() throws InterruptedException {
        var running = withoutPods(List.of(plan("j0", "default", 1)));
        var hitch = told.events.take().getPlanRefused();
        assertThat(hitch.getReason()).isEqualTo(PlanHitch.RIGHT_MISSING);
        assertThat(hitch.getVersion()).isEqualTo(PlanHitch.NO_VERSION);
        assertThat(hitch.getMessage()).contains("cannot list resource");
        assertThat(tenure.partitions()).isEmpty();
        running.interrupt();
        running.join();
    }

    /** The one before was carried out long ago, and so its pool did not listen. */
    @Test
    @Timeout(30)
    void thereAJobIsToldAnewOfItsNextPlan() throws InterruptedException {
        var running = withoutPods(List.of(plan("j0", "default", 1)));
        told.events.take();
        askedAgain();
        assertThat(told.events).isEmpty();
        accept(plan("j0", "default", 2));
        assertThat(told.events.poll(10, SECONDS)).isNotNull();
        running.interrupt();
        running.join();
    }

    @Test
    @Timeout(30)
    void thereAPoolWhoseInboxIsAwayHoldsUpNobody() throws InterruptedException {
        var running = withoutPods(ofBothPools());
        assertThat(told.events.take().getPool()).isEqualTo("default");
        told.lost.take();
        var lost = told.lost.take();
        askedAgain();
        assertThat(told.lost).isEmpty();
        lost.onCompletion(null, new TimeoutException("expired"));
        assertThat(told.lost.take()).isNotNull();
        assertThat(told.events).isEmpty();
        running.interrupt();
        running.join();
    }

    @Test
    @Timeout(30)
    void thereAPoolThatNothingCanBeSentToIsTriedOnceForEachListAndTheOthersHear()
            throws InterruptedException {
        told.full = true;
        var running = withoutPods(ofBothPools());
        assertThat(told.events.take().getPool()).isEqualTo("default");
        assertThat(told.refused).hasValue(1);
        askedAgain();
        assertThat(told.refused.get()).isGreaterThan(1);
        running.interrupt();
        running.join();
    }

    /** So that the list is asked for meanwhile. */
    @Test
    @Timeout(30)
    void thereNotAllOfAPoolAreToldBetweenTwoLists() throws InterruptedException {
        var plans = IntStream.range(0, 1_001).mapToObj(i -> plan("j" + i, "default", 1)).toList();
        var running = withoutPods(plans);
        var names = new HashSet<String>();
        for (int i = 0; i < plans.size(); i++) {
            names.add(told.events.take().getJob().getName());
        }
        assertThat(names).hasSize(plans.size());
        assertThat(toldBefore).contains(0, 500, 1_000);
        running.interrupt();
        running.join();
    }

    /** Two of {@link PoolInbox#AWAY} come first. */
    private static List<Plan> ofBothPools() {
        var names = IntStream.range(0, 3).mapToObj(i -> "j" + i).sorted(BY_PARTITION).toList();
        return List.of(
                plan(names.get(0), PoolInbox.AWAY, 1),
                plan(names.get(1), PoolInbox.AWAY, 1),
                plan(names.get(2), "default", 1));
    }

    private static Plan plan(String job, String pool, long version) {
        var plan = Stopping.of(new JobName("ml", job), Keep.NONE, Backend.NONE);
        return new Plan(
                plan.job(),
                pool,
                plan.queue(),
                plan.attempt(),
                version,
                plan.confirm(),
                plan.cause(),
                plan.wanted());
    }

    private void accept(Plan plan) {
        work.accept(Work.partitionOf(plan.job().job()), new PlanRecord.Known(plan));
    }

    /** Begins to open the partitions of these plans, while the roles hide pods. */
    private Thread withoutPods(List<Plan> plans) {
        hidden = "/api/v1/pods";
        plans.forEach(this::accept);
        seeding.open(plans.stream().map(plan -> Work.partitionOf(plan.job().job())).toList());
        return Thread.ofVirtual().start(seeding);
    }

    /** What became of the next list is known. */
    private void askedAgain() throws InterruptedException {
        asked.drainPermits();
        asked.acquire(2);
    }

    /** Of so many jobs whose plan is to stop; what was told of them. */
    private List<InboxEvent> takenOver(int number, Keep keep) throws InterruptedException {
        jobs = IntStream.range(0, number).mapToObj(i -> new JobName("ml", "j" + i)).toList();
        var partitions = new TreeSet<Integer>();
        for (var job : jobs) {
            int partition = Work.partitionOf(job);
            partitions.add(partition);
            var plan = Stopping.of(job, keep, backends.apply(job));
            work.accept(partition, new PlanRecord.Known(plan));
        }
        seeding.open(partitions);
        var running = List.of(Thread.ofVirtual().start(seeding), Thread.ofVirtual().start(workers));
        var reports = new ArrayList<InboxEvent>();
        while (reports.size() < number) {
            reports.add(told.events.take());
        }
        for (var each : running) {
            each.interrupt();
            each.join();
        }
        return reports;
    }

    private void answer(HttpExchange exchange) throws IOException {
        toldBefore.add(told.history().size());
        asked.release();
        var uri = exchange.getRequestURI();
        if (exchange.getRequestMethod().equals("DELETE")) {
            FakeApiServer.answer(exchange, 404, "{}"); // Gone, so that it is not waited for.
        } else if (uri.getPath().equals(hidden)) {
            FakeApiServer.answer(exchange, 403, FakeApiServer.DENIAL);
        } else if (uri.getPath().endsWith("/pods")) {
            boolean isOfLiving = uri.getQuery().contains("fieldSelector=");
            var pods =
                    IntStream.range(isOfLiving ? firstThatRuns : 0, jobs.size())
                            .mapToObj(i -> pod(jobs.get(i)))
                            .collect(joining(","));
            FakeApiServer.answer(exchange, 200, "{\"items\": [%s]}".formatted(pods));
        } else if (uri.getPath().endsWith("/poddisruptionbudgets") && guarded) {
            var budgets = jobs.stream().map(SeedingTest::budget).collect(joining(","));
            FakeApiServer.answer(exchange, 200, "{\"items\": [%s]}".formatted(budgets));
        } else {
            FakeApiServer.answer(exchange, 200, "{}");
        }
    }

    private static String pod(JobName job) {
        return """
        {"metadata": {"name": "%1$s-worker-0", "namespace": "ml", "uid": "u-%1$s", "labels": {
        "muster.dev/installation": "muster", "muster.dev/job": "%1$s",
        "muster.dev/uid": "3-100", "muster.dev/role": "worker", "muster.dev/index": "0",
        "muster.dev/attempt": "1", "muster.dev/incarnation": "1", "muster.dev/plan": "1"}}}
        """
                .formatted(job.name());
    }

    private static String budget(JobName job) {
        return """
        {"metadata": {"name": "%1$s", "namespace": "ml", "uid": "b-%1$s", "labels": {
        "muster.dev/installation": "muster", "muster.dev/job": "%1$s",
        "muster.dev/uid": "3-100", "muster.dev/attempt": "1", "muster.dev/plan": "1"}}}
        """
                .formatted(job.name());
    }
}
