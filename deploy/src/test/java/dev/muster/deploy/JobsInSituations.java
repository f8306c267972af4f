package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.cli.kafka.JobStatuses;
import dev.muster.v1.CheckpointStage;
import dev.muster.v1.JobChangeKind;
import dev.muster.v1.JobCheckpoint;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Phase;
import dev.muster.v1.ScaleStage;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private final JobStatuses statuses = JobStatuses.open(TheSystem.context());
    private final Map<String, Situation> jobs = new LinkedHashMap<>();
    private final Set<String> unused = new TreeSet<>();
    private final Set<String> tended = new TreeSet<>();

    JobsInSituations(String prefix) {
        this.namespace = TheSystem.namespace(prefix);
    }

    private JobsInSituations(Namespace namespace) {
        this.namespace = namespace.name();
    }

    private record Namespace(String name) {}

    /** In a namespace that of two watcher shards this one has. */
    static JobsInSituations ofShard(String prefix, int shard) {
        return new JobsInSituations(new Namespace(TheSystem.namespaceOfShard(prefix, shard)));
    }

    /** Announces a job; one that has to run before its situation begins is submitted. */
    void prepare(String name, Situation situation) {
        jobs.put(name, situation);
        if (situation.needsJob()) {
            submit(name, false);
        }
    }

    private void submit(String name, boolean byHttp) {
        var yaml = situation(name).job(namespace, name, goFile(name));
        asked.submit(namespace, name, yaml, byHttp);
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
                        return isAt(name, Set.of(situation(name).begins())) && canBegin(name);
                    });
        }
    }

    private boolean canBegin(String name) {
        if (situation(name) == Situation.SWEPT) {
            // What is left before that would go with the rest of its job.
            return new JobRecords(namespace).isGone(name);
        }
        return !situation(name).isTakenBack() || isUnderWay(name);
    }

    /** What the situation begins with. */
    void begin(String name, boolean byHttp) {
        switch (situation(name)) {
            case STARTING -> submit(name, byHttp);
            case RESTARTING, ENDING -> create(goFile(name));
            case CANCELLED -> asked.change(namespace, name, JobChangeKind.CANCEL, byHttp);
            case SUSPENDED, SAVING -> asked.change(namespace, name, JobChangeKind.SUSPEND, byHttp);
            case SHRINKING -> asked.scaleIn(namespace, name, "worker-1", List.of(), byHttp);
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
            case WITHDRAWN, RECALLED, RELIEVED -> asked.withdraw(namespace, name, byHttp);
            case SWEPT -> leaveService(name);
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
        } else {
            jobs.remove(name);
        }
    }

    /**
     * Answers for who is asked to save, resumes who is suspended, begins what is to be taken back,
     * lets end who was scaled, or is again as it was before.
     */
    void tend() {
        statuses.news();
        jobs.forEach((name, situation) -> {
            if (situation == Situation.SAVING) {
                openAsk(name)
                        .filter(ask -> tended.add(name + " " + ask))
                        .ifPresent(ask -> asked.saved(namespace, name, ask));
            }
            if (situation.suspends() && isAt(name, Set.of(Phase.SUSPENDED)) && tended.add(name)) {
                asked.change(namespace, name, JobChangeKind.RESUME, false);
            }
            if (situation.isTakenBack()
                    && isAt(name, Set.of(Phase.RUNNING))
                    && !unused.contains(name)
                    && tended.add(name + " is scaled")) {
                scale(name, situation);
            }
            if (situation == Situation.RELIEVED
                    && wasScaled(name)
                    && tended.add(name + " is relieved")) {
                create(situation.relief(goFile(name)));
            }
            if (situation.scales() && wasScaled(name) && isWhole(name) && tended.add(name)) {
                create(goFile(name));
            }
        });
    }

    /** What is taken back when its situation begins. */
    private void scale(String name, Situation situation) {
        if (situation == Situation.WITHDRAWN) {
            asked.scaleOut(namespace, name, 1, false);
        } else {
            asked.drain(namespace, name, "worker-1", LONG);
        }
    }

    private Optional<String> openAsk(String name) {
        return statuses.of(namespace, name)
                .map(JobStatus::getCheckpoint)
                .filter(checkpoint -> checkpoint.getStage() == CheckpointStage.ASKED)
                .map(JobCheckpoint::getId);
    }

    private boolean hasSaved(String name) {
        var checkpoint = status(name).getCheckpoint();
        return checkpoint != null && checkpoint.getStage() == CheckpointStage.SAVED;
    }

    private boolean hasRunItsHookOnce(String name, boolean well) {
        var hook = status(name).getScaling().getHook();
        return hook != null && hook.getTries() == 1 && hook.getSucceeded() == well;
    }

    private boolean wasScaled(String name) {
        return isScaling(name, situation(name).scaled());
    }

    private boolean isScaling(String name, ScaleStage stage) {
        return statuses.of(namespace, name)
                .map(JobStatus::getScaling)
                .filter(scaling -> scaling.getStage() == stage)
                .isPresent();
    }

    /** Who leaves drains; or who came runs, and is not ready. */
    private boolean isUnderWay(String name) {
        if (!isScaling(name, ScaleStage.SCALING)) {
            return false;
        }
        if (situation(name) != Situation.WITHDRAWN) {
            return true;
        }
        return new Workforce(namespace, name).isRunning(1);
    }

    /**
     * Where a command of scale came to nothing, the workers from before are there, or who came in
     * their place, and no other; where it grew, those and who came. Their launcher knows it.
     */
    private boolean isWhole(String name) {
        var workers = situation(name).workersAfter();
        if (workers.isEmpty() || tended.contains(name)) {
            return true;
        }
        boolean isWished =
                status(name).getRoles().stream()
                        .filter(role -> role.getName().equals("worker"))
                        .allMatch(role -> role.getDesired() == workers.size());
        return isWished && new Workforce(namespace, name).is(workers);
    }

    /** Of a job whose command came to nothing each rank has had one pod. */
    private List<String> madeAgain(Map<String, List<PodLives.Life>> ranks) {
        return ranks.entrySet().stream()
                .filter(rank -> situation(rank.getKey().split("/", 2)[0]).isUndone())
                .filter(rank -> rank.getValue().size() != 1)
                .map(rank -> rank.getKey() + " had " + rank.getValue().size() + " pods")
                .toList();
    }

    void awaitEnds() {
        await("ends")
                .atMost(ENDS)
                .untilAsserted(() -> {
                    tend();
                    assertThat(jobs.keySet())
                            .filteredOn(name -> !isAt(name, Jobs.ENDS))
                            .extracting(this::phase)
                            .isEmpty();
                });
    }

    private String phase(String name) {
        return name + " is " + statuses.of(namespace, name).map(JobStatus::getPhase).orElse(null);
    }

    private boolean isAt(String name, Set<Phase> phases) {
        return statuses.of(namespace, name)
                .map(JobStatus::getPhase)
                .filter(phases::contains)
                .isPresent();
    }

    JobStatus status(String name) {
        return statuses.of(namespace, name).orElseThrow();
    }

    /** A sentence for each job that did not end as it does when nothing dies, or cost more. */
    List<String> ends() {
        return jobs.entrySet().stream()
                .filter(job -> !unused.contains(job.getKey()))
                .filter(job -> !isAsIfNothingHadHappened(job.getKey()))
                .map(job -> {
                    var status = status(job.getKey());
                    return "%s (%s) is %s in attempt %d after restarts %s: %s"
                            .formatted(
                                    job.getKey(),
                                    job.getValue().word(),
                                    status.getPhase(),
                                    status.getAttempt(),
                                    status.getRestarts(),
                                    status.getMessage());
                })
                .toList();
    }

    boolean isAsIfNothingHadHappened(String name) {
        var status = status(name);
        var situation = situation(name);
        return status.getPhase() == situation.end()
                && (!situation.scales() || wasScaled(name))
                && (situation != Situation.HOOKED || hasRunItsHookOnce(name, true))
                && (situation != Situation.KEPT || hasRunItsHookOnce(name, false))
                && (situation != Situation.SAVING || hasSaved(name))
                && status.getAttempt() == situation.attempts()
                && status.getRestarts().getOwn() == situation.restarts()
                && status.getRestarts().getInfrastructure() == 0;
    }

    /** What does not hold of the {@link Invariants}. */
    List<String> broken() {
        var records = new JobRecords(namespace);
        var events = records.events();
        var ranks = ranks();
        return Stream.of(
                        Invariants.ofEvents(events),
                        Invariants.ofRanks(ranks),
                        Invariants.ofStalePods(ranks, events),
                        Invariants.ofScalings(records.scalings()),
                        madeAgain(ranks),
                        HostLists.wrong(hostLists()),
                        Invariants.ofAnswers(asked.acknowledged(), JobRecords.answers()))
                .flatMap(List::stream)
                .toList();
    }

    /** Of a job that is cancelled its hosts go beside its launcher. */
    private List<HostLists.Event> hostLists() {
        return HostListEvents.of(TheSystem.audit(), namespace).stream()
                .filter(event -> !unused.contains(event.job()))
                .toList();
    }

    /** The pods of each rank, {@code job/role/index}. */
    Map<String, List<PodLives.Life>> ranks() {
        return PodLives.byRank(TheSystem.audit(), namespace);
    }

    /** Waits until the cluster has nothing of the jobs any more. */
    void awaitNothingLeft() {
        try (var client = TheSystem.administrator()) {
            await().atMost(GONE)
                    .untilAsserted(() -> {
                        var pods = client.pods().inNamespace(namespace).list();
                        var services = client.services().inNamespace(namespace).list();
                        assertThat(pods.getItems())
                                .extracting(pod -> pod.getMetadata().getName())
                                .isEmpty();
                        assertThat(services.getItems())
                                .extracting(service -> service.getMetadata().getName())
                                .isEmpty();
                    });
        }
    }

    @Override
    public void close() {
        asked.close();
        statuses.close();
    }
}
