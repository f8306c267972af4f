package dev.muster.admission.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.admission.core.Outcome;
import dev.muster.admission.core.Problem;
import dev.muster.admission.core.SettingsRequest;
import dev.muster.admission.core.SettingsRequest.ChangeQueue.Named;
import dev.muster.admission.core.SettingsRules;
import dev.muster.admission.core.SettingsRules.Known;
import dev.muster.admission.core.SettingsRules.Sent;
import dev.muster.admission.core.SettingsVerdict;
import dev.muster.admission.core.Validation;
import dev.muster.admission.stream.Outgoing.Target;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.UnreadableRecordException;
import dev.muster.v1.QueueRequest;
import dev.muster.v1.QueueRequestKind;
import dev.muster.v1.QueueSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Takes what is asked of queues and pools to their rules. All pools are decided in one partition,
 * since no two may get one number.
 */
final class SettingsRequestHandler implements RecordHandler {
    private static final int PARTITION_OF_POOLS = 0;
    private static final String QUEUE = "queue/";
    private static final String POOL = "pool/";
    private static final String JOBS = "wholePool/";

    private final KeyValueStore<String, byte[]> rows;
    private final PublishedSettings shown;
    private final Codec codec;
    private final Results results;
    private final Duration poolWait;

    /**
     * @param poolWait how long a queue may wait for its pool to appear
     */
    SettingsRequestHandler(
            KeyValueStore<String, byte[]> rows,
            PublishedSettings shown,
            Codec codec,
            Duration poolWait) {
        this.rows = rows;
        this.shown = shown;
        this.codec = codec;
        this.results = new Results(codec);
        this.poolWait = poolWait;
    }

    /**
     * A pool waits for no queue, and a queue may wait for the pool of its own name, as may a change
     * of all jobs of a pool.
     */
    @Override
    public String line(Arrival arrival) {
        if (arrival.value() == null) {
            return arrival.key();
        }
        try {
            var request = codec.read(Topics.QUEUE_REQUESTS, arrival.value());
            var bulk = request.getBulk();
            boolean isOfJobs =
                    request.getKind() == QueueRequestKind.BULK
                            && bulk != null
                            && bulk.getWholePool();
            var kind = isOfPool(request.getKind()) ? POOL : isOfJobs ? JOBS : QUEUE;
            return kind + arrival.key();
        } catch (UnreadableRecordException parkedWhenItsTurnComes) {
            return arrival.key();
        }
    }

    @Override
    public Step handle(Arrival arrival, Instant now) {
        if (arrival.value() == null) {
            throw new UnreadableRecordException("has no value");
        }
        var request = codec.read(Topics.QUEUE_REQUESTS, arrival.value());
        var key = arrival.key();
        if (!key.equals(request.getName())) {
            throw new UnreadableRecordException(
                    "has the key '%s' and speaks of %s".formatted(key, request.getName()));
        }
        var right =
                isOfPool(request.getKind())
                        ? PARTITION_OF_POOLS
                        : Partitions.ofKey(Topics.QUEUE_REQUESTS, key);
        var tooLarge = Validation.sizeProblem(arrival.value().length);
        if (tooLarge != null) {
            // Refused wherever it lies: it might not fit when it is sent on.
            Envelopes.check(request.getEnvelope());
            return answered(arrival, request, refusal(tooLarge), now);
        }
        if (arrival.partition() != right) {
            return Misplaced.sendTo(right, arrival);
        }
        var wrong = Envelopes.problem(request.getEnvelope());
        if (wrong != null) {
            return answered(arrival, request, refusal(wrong), now);
        }
        var asked = toCore(request, arrival.received().plus(poolWait));
        return asked == null
                ? answered(arrival, request, incomplete(request), now)
                : decided(arrival, request, asked, now);
    }

    private static SettingsVerdict.Answer refusal(Problem problem) {
        return new SettingsVerdict.Answer(
                Outcome.REFUSED,
                List.of(problem),
                (problem.path() + " " + problem.message()).strip());
    }

    private static boolean isOfPool(QueueRequestKind kind) {
        return kind == QueueRequestKind.PUT_POOL || kind == QueueRequestKind.CHANGE_POOL;
    }

    private static Named named(List<String> fields) {
        if (fields.isEmpty()) {
            return Named.NOTHING;
        }
        return fields.contains("pool") ? Named.POOL : Named.OTHERS;
    }

    /** As the pool has it: one that is to be there is made anew, any other change what it names. */
    private static boolean reopens(QueueRequest request, QueueSpec queue) {
        var fields = request.getFields();
        return fields.isEmpty()
                ? request.getCreate()
                : fields.contains("draining") && !queue.getDraining();
    }

    /** Null: the request lacks what its kind needs. */
    private static @Nullable SettingsRequest toCore(QueueRequest request, Instant waitsUntil) {
        var name = request.getName();
        var queue = request.getQueue();
        var pool = request.getPool();
        var bulk = request.getBulk();
        return switch (request.getKind()) {
            case PUT_QUEUE ->
                    queue == null
                            ? null
                            : new SettingsRequest.PutQueue(
                                    name,
                                    SettingsMapping.toCore(queue),
                                    !queue.getDraining(),
                                    waitsUntil);
            case CHANGE_QUEUE ->
                    queue == null
                            ? null
                            : new SettingsRequest.ChangeQueue(
                                    name,
                                    SettingsMapping.toCore(queue),
                                    named(request.getFields()),
                                    request.getCreate(),
                                    reopens(request, queue),
                                    waitsUntil);
            case DELETE_QUEUE ->
                    new SettingsRequest.DeleteQueue(name, request.getDrain(), waitsUntil);
            case PUT_POOL ->
                    pool == null
                            ? null
                            : new SettingsRequest.PutPool(name, SettingsMapping.toCore(pool));
            case CHANGE_POOL ->
                    pool == null
                            ? null
                            : new SettingsRequest.ChangePool(
                                    name,
                                    SettingsMapping.toCore(pool),
                                    request.getFields().contains("number"),
                                    request.getCreate());
            case BULK ->
                    bulk == null
                            ? null
                            : new SettingsRequest.Bulk(
                                    name,
                                    bulk.getWholePool(),
                                    bulk.getLabels(),
                                    bulk.getNamespace(),
                                    ChangeMapping.toCore(bulk.getChange()),
                                    waitsUntil);
            case UNKNOWN ->
                    throw new UnreadableRecordException("asks for what this release does not know");
        };
    }

    private static SettingsVerdict.Answer incomplete(QueueRequest request) {
        return new SettingsVerdict.Answer(
                Outcome.REFUSED,
                List.of(
                        new Problem(
                                part(request.getKind()),
                                "",
                                "must be set in a request of kind " + request.getKind())),
                "nothing to set");
    }

    private static String part(QueueRequestKind kind) {
        return switch (kind) {
            case PUT_POOL, CHANGE_POOL -> "pool";
            case BULK -> "bulk";
            case PUT_QUEUE, CHANGE_QUEUE, DELETE_QUEUE, UNKNOWN -> "queue";
        };
    }

    private Step decided(
            Arrival arrival, QueueRequest request, SettingsRequest asked, Instant now) {
        var known = known(request);
        return switch (SettingsRules.decide(known, asked, now)) {
            case SettingsVerdict.Wait(var message) -> new Step.Later(message);
            case SettingsVerdict.Answer answer -> answered(arrival, request, answer, now);
            case SettingsVerdict.Forward(var pool, var number) ->
                    new Step.Done(
                            List.of(
                                    new Outgoing(
                                            new Target(
                                                    Topics.INBOX.name(),
                                                    number,
                                                    pool.getBytes(UTF_8)),
                                            codec.write(
                                                    Topics.INBOX,
                                                    InboxEvents.of(
                                                            arrival, request, pool, number, now)))),
                            isOfPool(request.getKind())
                                    ? new Step.Row(
                                            POOL + pool, String.valueOf(number).getBytes(UTF_8))
                                    : sent(request, SettingsRules.remembered(known, asked, pool)),
                            "forwarded to " + pool);
        };
    }

    private Known known(QueueRequest request) {
        var pools = shown.numbers();
        if (isOfPool(request.getKind())) {
            try (var sent = rows.range(POOL, POOL + Character.MAX_VALUE)) {
                sent.forEachRemaining(row ->
                        pools.put(
                                row.key.substring(POOL.length()),
                                Integer.valueOf(new String(row.value, UTF_8))));
            }
            return new Known(null, null, false, pools, null);
        }
        var queue = shown.queue(request.getName());
        return new Known(
                Rows.sent(rows.get(QUEUE + request.getName())),
                queue == null ? null : queue.getSpec().getPool(),
                queue != null && queue.getLeaving(),
                pools,
                destination(request));
    }

    private @Nullable String destination(QueueRequest request) {
        var bulk = request.getBulk();
        @Nullable String queue = bulk == null ? null : bulk.getChange().getQueue();
        return queue == null ? null : shown.poolOf(queue);
    }

    private static Step.@Nullable Row sent(QueueRequest request, @Nullable Sent sent) {
        return sent == null ? null : new Step.Row(QUEUE + request.getName(), Rows.sent(sent));
    }

    private Step answered(
            Arrival arrival, QueueRequest request, SettingsVerdict.Answer answer, Instant now) {
        return new Step.Done(
                List.of(results.of(arrival, request.getEnvelope(), answer, now)),
                null,
                answer.outcome().name());
    }
}
