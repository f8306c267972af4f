package dev.muster.podmanager.kafka;

import dev.muster.podmanager.core.Mark;
import dev.muster.podmanager.core.Plan;
import dev.muster.podmanager.core.Seen;
import dev.muster.schemas.Topics;
import dev.muster.schemas.contract.PlanHitch;
import dev.muster.v1.Backend;
import dev.muster.v1.Envelope;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobRef;
import dev.muster.v1.ListedPod;
import dev.muster.v1.PlanApplied;
import dev.muster.v1.PlanRefused;
import dev.muster.v1.PodIdentity;
import dev.muster.v1.PodManagerAlive;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells pools what became of their plans: each such report is acknowledged when its method returns,
 * unless it is said there that nobody waits.
 */
final class Inbox {
    private static final Logger log = LoggerFactory.getLogger(Inbox.class);

    private final Producer<String, InboxEvent> producer;
    private final PoolTable pools;
    private final Discovery discovery;
    private final Instance instance;

    Inbox(
            Producer<String, InboxEvent> producer,
            PoolTable pools,
            Discovery discovery,
            Instance instance) {
        this.discovery = discovery;
        this.producer = producer;
        this.pools = pools;
        this.instance = instance;
    }

    /**
     * The plan is carried out, and this is what is there.
     *
     * @throws KafkaException when the broker did not take it, or the pool is not known
     */
    void applied(Plan plan, List<Seen> pods) {
        var listed = new ArrayList<ListedPod>();
        for (var pod : pods) {
            var mark = pod.mark();
            if (mark != null && mark.making() != null) {
                listed.add(listed(pod, mark, mark.making()));
            }
        }
        send(
                about(plan, InboxKind.PLAN_APPLIED)
                        .setPlanApplied(
                                PlanApplied.newBuilder()
                                        .setVersion(plan.version())
                                        .setAttempt(plan.attempt())
                                        .setConfirm(plan.confirm())
                                        .setPods(listed)
                                        .build())
                        .build());
    }

    /**
     * The plan cannot be carried out.
     *
     * @throws KafkaException when the broker did not take it, or the pool is not known
     */
    void refused(Plan plan, String reason, String message) {
        refused(plan, plan.version(), reason, message);
    }

    /**
     * The plan is not carried out so far, and is tried again.
     *
     * @param reason one of {@link PlanHitch}
     * @throws KafkaException when the broker did not take it, or the pool is not known
     */
    void hindered(Plan plan, String reason, String message) {
        refused(plan, PlanHitch.NO_VERSION, reason, message);
    }

    /**
     * The same, which is not waited for.
     *
     * @param unheard hears, on any thread, if it does not arrive
     */
    void hindered(Plan plan, String reason, String message, Consumer<Exception> unheard) {
        say(refusal(plan, PlanHitch.NO_VERSION, reason, message), unheard);
    }

    private void refused(Plan plan, long version, String reason, String message) {
        send(refusal(plan, version, reason, message));
    }

    private InboxEvent refusal(Plan plan, long version, String reason, String message) {
        return about(plan, InboxKind.PLAN_REFUSED)
                .setPlanRefused(
                        PlanRefused.newBuilder()
                                .setVersion(version)
                                .setAttempt(plan.attempt())
                                .setReason(reason)
                                .setMessage(message)
                                .build())
                .build();
    }

    /**
     * Tells every pool that the plans of these partitions are being carried out, which backends the
     * cluster has, and whether it starts containers again in their pods. Says nothing to any pool
     * as long as the cluster never said that, and nothing to a pool with a backend as long as it
     * never said which it has: to say that it is missing would hold the pool's jobs up.
     *
     * <p>Waits for no pool: while the inbox of one is away, the others hear as often as ever. What
     * does not arrive is logged, and said anew the next time.
     */
    void alive(List<Integer> partitions) {
        pools.all()
                .forEach((pool, backend) ->
                        discovery
                                .last(backend)
                                .map(found -> alive(pool, partitions, found))
                                .ifPresent(
                                        event -> say(event, problem -> unheard(event, problem))));
    }

    private InboxEvent alive(String pool, List<Integer> partitions, Discovery.Found found) {
        var served = found.served().stream().map(each -> Backend.valueOf(each.name())).toList();
        return InboxEvent.newBuilder()
                .setEnvelope(envelope().build())
                .setKind(InboxKind.POD_MANAGER_ALIVE)
                .setPool(pool)
                .setPodManagerAlive(
                        PodManagerAlive.newBuilder()
                                .setInstance(instance.name())
                                .setPartitions(partitions)
                                .setBackends(served)
                                .setRecreates(found.restarting().requests())
                                .build())
                .build();
    }

    private static ListedPod listed(Seen pod, Mark mark, Mark.Making making) {
        return ListedPod.newBuilder()
                .setIdentity(
                        PodIdentity.newBuilder()
                                .setRole(making.rank().role())
                                .setIndex(making.rank().index())
                                .setAttempt(mark.attempt())
                                .setIncarnation(making.incarnation())
                                .setPlan(mark.plan())
                                .setPod(pod.name())
                                .setPodUid(pod.uid())
                                .build())
                .setJobUid(mark.jobUid())
                .setDeleting(pod.deleting())
                .build();
    }

    private InboxEvent.Builder about(Plan plan, InboxKind kind) {
        var job = plan.job();
        return InboxEvent.newBuilder()
                .setEnvelope(
                        envelope()
                                .setCause(plan.cause())
                                .setJobUid(job.uid())
                                .setAttempt(plan.attempt())
                                .build())
                .setKind(kind)
                .setPool(plan.pool())
                .setJob(
                        JobRef.newBuilder()
                                .setNamespace(job.job().namespace())
                                .setName(job.job().name())
                                .setUid(job.uid())
                                .build());
    }

    private Envelope.Builder envelope() {
        return Envelope.newBuilder()
                .setId(instance.nextId())
                .setAt(Instant.now().truncatedTo(ChronoUnit.MICROS))
                .setActor("pod-manager");
    }

    private void send(InboxEvent event) {
        try {
            producer.send(recordOf(event)).get();
        } catch (ExecutionException e) {
            throw new KafkaException("the inbox did not take a report", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted", e);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The callback hears of what becomes of it.
    private void say(InboxEvent event, Consumer<Exception> unheard) {
        try {
            producer.send(
                    recordOf(event),
                    (_, problem) -> {
                        if (problem != null) {
                            unheard.accept(problem);
                        }
                    });
        } catch (RuntimeException e) {
            unheard.accept(e);
        }
    }

    private static void unheard(InboxEvent event, Exception problem) {
        log.atWarn()
                .addKeyValue("pool", event.getPool())
                .addKeyValue("problem", problem.toString())
                .log("the inbox did not take a sign of life");
    }

    private ProducerRecord<String, InboxEvent> recordOf(InboxEvent event) {
        var pool = event.getPool();
        return new ProducerRecord<>(Topics.INBOX.name(), pools.number(pool), pool, event);
    }
}
