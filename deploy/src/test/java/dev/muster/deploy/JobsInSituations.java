package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.schemas.contract.LabelNames;
import dev.muster.v1.JobChangeKind;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Outcome;
import dev.muster.v1.Phase;
import dev.muster.v1.QueueSpec;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Jobs of a namespace of their own, each in a situation, and what is wrong with them at the end.
 */
final class JobsInSituations implements AutoCloseable {
    private static final Duration RUNNING = Duration.ofMinutes(2);
    private static final Duration ENDS = Duration.ofMinutes(4);
    private static final Duration GONE = Duration.ofMinutes(3);
    private static final Duration LONG = Duration.ofMinutes(20);

    private final String namespace;
    private final Path folder = TheSystem.get().sandbox().place().folder();
    private final Asked asked = new Asked();
    private final SpareNodes nodes;
    private final JobStatuses statuses = JobStatuses.open(TheSystem.context());
    private final Progress progress;
    private final Map<String, Situation> jobs = new LinkedHashMap<>();
    private final Set<String> begun = new TreeSet<>();
    private final Set<String> unused = new TreeSet<>();
    private final Set<String> tended = new TreeSet<>();

    JobsInSituations(String prefix) {
        this(new Namespace(TheSystem.namespace(prefix)));
    }

    private JobsInSituations(Namespace namespace) {
        this.namespace = namespace.name();
        this.nodes = new SpareNodes(this.namespace);
        this.progress = new Progress(this.namespace, statuses);
    }

    private record Namespace(String name) {}

    /** In a namespace that of two watcher shards this one has. */
    static JobsInSituations ofShard(String prefix, int shard) {
        return new JobsInSituations(new Namespace(TheSystem.namespaceOfShard(prefix, shard)));
    }

    /** Announces a job; one that has to run before its situation begins is submitted. */
    void prepare(String name, Situation situation) {
        jobs.put(name, situation);
        if (situation.hasNode()) {
            nodes.lend(name);
        }
        if (situation == Situation.GIVING && tended.add(namespace)) {
            putQueue();
        }
        if (situation.needsJob()) {
            submit(name, false);
        }
    }

    private void submit(String name, boolean byHttp) {
        asked.submit(namespace, name, job(name).yaml(), byHttp);
    }

    private SituationJob job(String name) {
        return new SituationJob(situation(name), namespace, name, goFile(name));
    }

    /** One of the namespace's name, for whose jobs others give back at once. */
    private void putQueue() {
        var eager = QueueSpec.newBuilder().setReserveAfterMillis(0).build();
        try (var requests = Requests.open(TheSystem.context(), "crash test")) {
            var id = requests.put(namespace, eager);
            assertThat(requests.answer(id, RUNNING).getOutcome()).isEqualTo(Outcome.ACCEPTED);
        }
    }

    private Path goFile(String name) {
        return folder.resolve(namespace + "-" + name + ".go");
    }

    private Situation situation(String name) {
        return jobs.getOrDefault(name, Situation.STARTING);
    }

    /** Waits until its situation can begin. */
    void awaitPrepared(String name) {
        if (situation(name).needsJob()) {
            await(name + " is prepared")
                    .atMost(RUNNING)
                    .until(() -> {
                        tend();
                        return progress.canBegin(name, situation(name));
                    });
        }
        if (situation(name) == Situation.NOTICED) {
            nodes.letInElsewhere(name);
        }
    }

    /** What the situation begins with. */
    void begin(String name, boolean byHttp) {
        begun.add(name);
        switch (situation(name)) {
            case STARTING -> submit(name, byHttp);
            case RESTARTING, ENDING -> create(goFile(name));
            case FORCED -> asked.change(namespace, name, JobChangeKind.FORCE_DELETE, byHttp);
            case IN_PLACE -> create(situation(name).failure(goFile(name)));
            case CANCELLED -> asked.change(namespace, name, JobChangeKind.CANCEL, byHttp);
            case SUSPENDED, SAVING -> asked.change(namespace, name, JobChangeKind.SUSPEND, byHttp);
            case SHRINKING, ASKING -> asked.scaleIn(namespace, name, "worker-1", List.of(), byHttp);
            case HOOKED ->
                    asked.scaleIn(namespace, name, "worker-1", List.of("sleep", "1"), byHttp);
            case KEPT ->
                    asked.scaleIn(
                            namespace,
                            name,
                            "worker-1",
                            List.of("sh", "-c", "sleep 1; exit 1"),
                            byHttp);
            case GROWING, UNDONE -> asked.scaleOut(namespace, name, 1, byHttp);
            case BEST_EFFORT -> asked.scaleOutBestEffort(namespace, name, 2, byHttp);
            case WITHDRAWN, RECALLED, RELIEVED -> asked.withdraw(namespace, name, byHttp);
            case SWEPT -> leaveService(name);
            case NOTICED -> nodes.announceEnd(name);
            case GIVING ->
                    asked.submit(
                            namespace,
                            SituationJob.takerOf(name),
                            job(name).taker(namespace),
                            byHttp);
        }
    }

    private static void create(Path file) {
        try {
            Files.createFile(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A service of its own, as one is left whose deletion nobody asked for. */
    private void leaveService(String name) {
        var labels =
                Map.of(
                        "muster.dev/installation", "muster",
                        "muster.dev/job", name,
                        "muster.dev/uid", status(name).getEnvelope().getJobUid(),
                        "muster.dev/attempt", "1",
                        "muster.dev/plan", "1");
        var left =
                new ServiceBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .withLabels(labels)
                        .endMetadata()
                        .withNewSpec()
                        .withClusterIP("None")
                        .endSpec()
                        .build();
        try (var client = TheSystem.administrator()) {
            client.services().resource(left).create();
        }
    }

    /** Its situation never began: it is cancelled, and nothing is expected of it but an end. */
    void dismiss(String name) {
        if (situation(name).needsJob()) {
            asked.change(namespace, name, JobChangeKind.CANCEL, false);
            unused.add(name);
            nodes.bury(name);
        } else {
            jobs.remove(name);
        }
    }

    /** Does what users, operators and the jobs themselves do in their situations. */
    void tend() {
        statuses.news();
        jobs.forEach((name, situation) -> {
            answer(name, situation);
            if (!unused.contains(name) && progress.isAt(name, Phase.RUNNING)) {
                bringAbout(name, situation);
            }
            end(name, situation);
        });
    }

    /** Answers for who is asked to save, resumes who is suspended. */
    private void answer(String name, Situation situation) {
        if (situation.saves()) {
            progress.openAsk(name)
                    .filter(ask -> tended.add(name + " " + ask))
                    .ifPresent(ask -> asked.saved(namespace, name, ask));
        }
        if (situation.suspends() && progress.isAt(name, Phase.SUSPENDED) && tended.add(name)) {
            asked.change(namespace, name, JobChangeKind.RESUME, false);
        }
    }

    /** Begins what is to be taken back, and ends who is to be dead, when its situation begins. */
    private void bringAbout(String name, Situation situation) {
        if (situation.isTakenBack()
                && !tended.contains(name + " is scaled")
                && progress.hasItsWorkers(name, situation)) {
            tended.add(name + " is scaled");
            scale(name, situation);
        }
        if (situation == Situation.FORCED && tended.add(name + " has a dead node")) {
            nodes.letInElsewhere(name);
            nodes.kill(name);
        }
    }

    /** Lets end who was scaled, or is again as it was before. */
    private void end(String name, Situation situation) {
        if (situation == Situation.RELIEVED
                && progress.wasScaled(name, situation)
                && tended.add(name + " is relieved")) {
            create(situation.relief(goFile(name)));
        }
        if (situation == Situation.BEST_EFFORT
                && begun.contains(name)
                && !tended.contains(name + " has failed")
                && progress.hasListed(name, Set.of(0, 1))) {
            tended.add(name + " has failed");
            create(situation.failure(goFile(name)));
        }
        if (situation.endsWhenWhole()
                && begun.contains(name)
                && !tended.contains(name)
                && progress.isOver(name, situation)
                && progress.isWhole(name, situation)) {
            tended.add(name);
            create(goFile(name));
        }
        if (situation.hasNode()
                && progress.isAt(name, Jobs.ENDS)
                && tended.add(name + " has no node any more")) {
            nodes.giveBack(name);
        }
    }

    /** What is taken back when its situation begins. */
    private void scale(String name, Situation situation) {
        if (situation == Situation.WITHDRAWN) {
            asked.scaleOut(namespace, name, 1, false);
        } else {
            asked.drain(namespace, name, "worker-1", LONG);
        }
    }

    void awaitEnds() {
        await("ends")
                .atMost(ENDS)
                .untilAsserted(() -> {
                    tend();
                    assertThat(jobs.keySet())
                            .filteredOn(name -> !progress.isAt(name, Jobs.ENDS))
                            .extracting(this::phase)
                            .isEmpty();
                });
    }

    /** Waits until its command of scale has come to its end, and lets the job go on. */
    void awaitScaled(String name) {
        await(name + " is scaled")
                .atMost(RUNNING)
                .until(() -> {
                    statuses.news();
                    return progress.wasScaled(name, situation(name))
                            && progress.isWhole(name, situation(name));
                });
    }

    private String phase(String name) {
        return name + " is " + statuses.of(namespace, name).map(JobStatus::getPhase).orElse(null);
    }

    JobStatus status(String name) {
        return progress.status(name);
    }

    /** A sentence for each job that did not end as it does when nothing dies, or cost more. */
    List<String> ends() {
        return judge().ends();
    }

    boolean isAsIfNothingHadHappened(String name) {
        return judge().isAsIfNothingHadHappened(name);
    }

    /** What does not hold of the {@link Invariants}. */
    List<String> broken() {
        return judge().broken(asked.acknowledged());
    }

    private Judge judge() {
        return new Judge(namespace, jobs, unused, statuses);
    }

    /** The pods of each rank, {@code job/role/index}. */
    Map<String, List<PodLives.Life>> ranks() {
        return PodLives.byRank(TheSystem.audit(), namespace);
    }

    /** Waits until the cluster has nothing of the jobs any more. */
    void awaitNothingLeft() {
        try (var client = TheSystem.administrator()) {
            await().atMost(GONE).untilAsserted(() -> assertThat(left(client)).isEmpty());
        }
    }

    /** Also what only goes after its owner; a namespace has a config map of its own. */
    private List<String> left(KubernetesClient client) {
        return Stream.of(
                        client.pods().inNamespace(namespace).list(),
                        client.services().inNamespace(namespace).list(),
                        client.configMaps().inNamespace(namespace).withLabel(LabelNames.JOB).list(),
                        client.secrets().inNamespace(namespace).list(),
                        client.policy().v1().podDisruptionBudget().inNamespace(namespace).list())
                .flatMap(objects -> objects.getItems().stream())
                .map(object -> object.getKind() + " " + object.getMetadata().getName())
                .toList();
    }

    @Override
    public void close() {
        nodes.close();
        asked.close();
        statuses.close();
    }
}
