package dev.muster.bench.shape;

import dev.muster.bench.system.Pools;
import dev.muster.cli.CommandFailedException;
import dev.muster.cli.Context;
import dev.muster.cli.kafka.Kafka;
import dev.muster.schemas.Topics;
import dev.muster.v1.ContainerSeen;
import dev.muster.v1.ContainerState;
import dev.muster.v1.Envelope;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobPlan;
import dev.muster.v1.JobRef;
import dev.muster.v1.KeepPods;
import dev.muster.v1.ListedPod;
import dev.muster.v1.NodeSeen;
import dev.muster.v1.PlanApplied;
import dev.muster.v1.PlannedPod;
import dev.muster.v1.PodGone;
import dev.muster.v1.PodIdentity;
import dev.muster.v1.PodManagerAlive;
import dev.muster.v1.PodPhase;
import dev.muster.v1.PodSeen;
import dev.muster.v1.SnapshotBegin;
import dev.muster.v1.SnapshotEnd;
import dev.muster.v1.Witness;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Answers plans with the news that pod-manager and a watcher would send, as Kueue's own runner
 * plays the execution of its jobs: a pod runs at once, for the time of its job's size, and
 * succeeds.
 */
public final class PlayedCluster implements AutoCloseable {
    private static final String POOL = "default";
    private static final Witness WATCHER = new Witness(0, 1, 1L, null);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final long ALIVE_SECONDS = 2;
    private static final long MILLI = 1000;
    private static final long PODS_PER_NODE = 10_000;

    private final int partition;
    private final Producer<String, InboxEvent> producer;
    private final ScheduledExecutorService ends = Executors.newSingleThreadScheduledExecutor();
    private final Map<String, Map<PodIdentity, Boolean>> pods = new ConcurrentHashMap<>();
    private final AtomicLong versions = new AtomicLong();
    private final Thread reader;
    private volatile boolean over;
    private volatile @Nullable RuntimeException failure;

    private PlayedCluster(Context context) {
        partition = Pools.numberOf(context, POOL);
        producer = Kafka.producer(context);
        Consumer<String, JobPlan> plans = Kafka.consumer(context);
        plans.seekToBeginning(Kafka.assign(plans, Topics.JOB_PLANS));
        reader = Thread.ofPlatform().daemon().name("plays").unstarted(() -> play(plans));
    }

    /**
     * Begins to play.
     *
     * @param nodes how many, each with so many cpus
     */
    public static PlayedCluster open(Context context, int nodes, int cpus) {
        var cluster = new PlayedCluster(context);
        cluster.sayNodes(nodes, cpus);
        cluster.ends.scheduleAtFixedRate(cluster::sayAlive, 0, ALIVE_SECONDS, TimeUnit.SECONDS);
        cluster.reader.start();
        return cluster;
    }

    private void sayNodes(int nodes, int cpus) {
        send(event(InboxKind.SNAPSHOT_BEGIN).setSnapshotBegin(new SnapshotBegin("played")));
        IntStream.range(0, nodes)
                .mapToObj(i -> node("node-" + i, cpus))
                .forEach(node -> send(event(InboxKind.NODE_SEEN).setNodeSeen(node)));
        send(event(InboxKind.SNAPSHOT_END).setSnapshotEnd(new SnapshotEnd("played")));
    }

    private static NodeSeen node(String name, int cpus) {
        return NodeSeen.newBuilder()
                .setName(name)
                .setUid("uid-" + name)
                .setResourceVersion(1)
                .setLabels(Map.of("kubernetes.io/hostname", name))
                .setReady(true)
                .setAllocatable(Map.of("cpu", cpus * MILLI, "pods", PODS_PER_NODE))
                .build();
    }

    private void sayAlive() {
        send(event(InboxKind.WATCHER_ALIVE));
        var all = IntStream.range(0, Topics.JOB_PLANS.partitions()).boxed().toList();
        send(
                event(InboxKind.POD_MANAGER_ALIVE)
                        .setPodManagerAlive(new PodManagerAlive("played", all, List.of(), false)));
    }

    private void play(Consumer<String, JobPlan> plans) {
        try (plans) {
            while (!over) {
                for (var record : plans.poll(POLL)) {
                    if (record.value() != null) {
                        carryOut(record.value());
                    }
                }
            }
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    private void carryOut(JobPlan plan) {
        var job = plan.getJob();
        switch (plan.getKind()) {
            case RUN -> {
                for (var planned : plan.getRun().getPods()) {
                    var pod = identity(plan, planned);
                    if (known(job).putIfAbsent(pod, false) == null) {
                        run(job, pod, planned.getNode() == null ? "" : planned.getNode());
                    }
                }
                sayApplied(plan);
            }
            case STOP -> {
                known(job)
                        .forEach((pod, ended) -> {
                            if (plan.getStop().getKeep() == KeepPods.NONE) {
                                gone(job, pod);
                            }
                        });
                sayApplied(plan);
            }
            case GONE -> pods.remove(job.getUid());
            case UNKNOWN ->
                    throw CommandFailedException.failed("a plan of an unknown kind: " + plan, null);
        }
    }

    private Map<PodIdentity, Boolean> known(JobRef job) {
        return pods.computeIfAbsent(job.getUid(), _ -> new ConcurrentHashMap<>());
    }

    private static PodIdentity identity(JobPlan plan, PlannedPod pod) {
        var name = plan.getJob().getName() + "-" + pod.getRole() + "-" + pod.getIndex();
        return new PodIdentity(
                pod.getRole(),
                pod.getIndex(),
                plan.getAttempt(),
                pod.getIncarnation(),
                plan.getVersion(),
                name,
                name + "-" + pod.getIncarnation());
    }

    private void run(JobRef job, PodIdentity pod, String node) {
        send(seen(job, pod, node, PodPhase.RUNNING, running()));
        ends.schedule(
                () -> end(job, pod, node),
                Size.of(job.getName()).run().toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private void end(JobRef job, PodIdentity pod, String node) {
        if (known(job).replace(pod, false, true)) {
            send(seen(job, pod, node, PodPhase.SUCCEEDED, succeeded()));
        }
    }

    private void gone(JobRef job, PodIdentity pod) {
        if (known(job).remove(pod) != null) {
            send(event(InboxKind.POD_GONE).setJob(job).setPodGone(new PodGone(pod)));
        }
    }

    private void sayApplied(JobPlan plan) {
        var job = plan.getJob();
        var listed =
                known(job).keySet().stream()
                        .map(pod -> new ListedPod(pod, job.getUid(), false))
                        .toList();
        var applied =
                new PlanApplied(plan.getVersion(), plan.getAttempt(), plan.getConfirm(), listed);
        send(event(InboxKind.PLAN_APPLIED).setJob(job).setPlanApplied(applied));
    }

    private InboxEvent.Builder seen(
            JobRef job, PodIdentity pod, String node, PodPhase phase, ContainerSeen container) {
        return event(InboxKind.POD_SEEN)
                .setJob(job)
                .setPodSeen(
                        PodSeen.newBuilder()
                                .setIdentity(pod)
                                .setResourceVersion(versions.incrementAndGet())
                                .setPhase(phase)
                                .setNode(node)
                                .setReady(phase == PodPhase.RUNNING)
                                .setContainers(List.of(container))
                                .build());
    }

    private static ContainerSeen running() {
        return ContainerSeen.newBuilder()
                .setName("main")
                .setState(ContainerState.RUNNING)
                .setReady(true)
                .build();
    }

    private static ContainerSeen succeeded() {
        return ContainerSeen.newBuilder()
                .setName("main")
                .setState(ContainerState.TERMINATED)
                .setExitCode(0)
                .setReason("Completed")
                .build();
    }

    private static InboxEvent.Builder event(InboxKind kind) {
        return InboxEvent.newBuilder()
                .setEnvelope(
                        Envelope.newBuilder()
                                .setId("played")
                                .setAt(Instant.now())
                                .setActor("bench")
                                .build())
                .setKind(kind)
                .setPool(POOL)
                .setWitness(WATCHER);
    }

    /** The producer keeps what was sent first before what was sent next. */
    private void send(InboxEvent.Builder event) {
        var record = new ProducerRecord<>(Topics.INBOX.name(), partition, POOL, event.build());
        var _ =
                producer.send(
                        record,
                        (_, e) -> {
                            if (e != null) {
                                failure =
                                        CommandFailedException.failed(
                                                "news was lost: " + e.getMessage(), e);
                            }
                        });
    }

    /**
     * Throws what went wrong, if anything did.
     *
     * @throws RuntimeException when a plan was not answered
     */
    public void check() {
        var failed = failure;
        if (failed != null) {
            throw failed;
        }
    }

    @Override
    public void close() {
        over = true;
        try {
            reader.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ends.shutdownNow();
        producer.close();
    }
}
