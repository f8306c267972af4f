package dev.muster.podmanager.kafka;

import dev.muster.podmanager.core.Action.Apply;
import dev.muster.podmanager.core.Action.AskRestart;
import dev.muster.podmanager.core.Action.Create;
import dev.muster.podmanager.core.Action.CreatePod;
import dev.muster.podmanager.core.Action.Delete;
import dev.muster.podmanager.core.Action.Write;
import dev.muster.podmanager.core.ApiAnswer;
import dev.muster.podmanager.core.ApiAnswer.Changed;
import dev.muster.podmanager.core.ApiAnswer.Denied;
import dev.muster.podmanager.core.ApiAnswer.Done;
import dev.muster.podmanager.core.ApiAnswer.Edited;
import dev.muster.podmanager.core.ApiAnswer.Later;
import dev.muster.podmanager.core.ApiAnswer.Refused;
import dev.muster.podmanager.core.JobName;
import dev.muster.podmanager.core.Kind;
import dev.muster.podmanager.core.PodNotes;
import dev.muster.podmanager.core.Seen;
import dev.muster.podmanager.kubernetes.Cluster;
import dev.muster.schemas.crash.CrashPoint;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does the writes of one plan, many at once, each only while the partition is ours. */
final class Writer {
    private static final Logger log = LoggerFactory.getLogger(Writer.class);

    /** Deletions that are tried one by one before the others are left to the next try. */
    private static final int ALONE = 3;

    private final Cluster cluster;
    private final Tenure tenure;
    private final int atOnce;

    Writer(Cluster cluster, Tenure tenure, int atOnce) {
        this.cluster = cluster;
        this.tenure = tenure;
        this.atOnce = atOnce;
    }

    /**
     * What came of some writes.
     *
     * @param answer the gravest: a refusal, else a denial, else the longest later, else a change,
     *     else done
     * @param made what the answers showed
     * @param changed the writes that met something else than was expected
     * @param gone what was to be deleted and is not even ending
     * @param onward the next list shows something of what was done
     */
    record Result(
            ApiAnswer answer,
            List<Seen> made,
            List<Write> changed,
            List<Delete> gone,
            boolean onward) {}

    /** One write and its answer; null: not tried, since another one failed. */
    private record Tried(Write write, Cluster.@Nullable Written written) {}

    /**
     * Does all of them, deletions first. After a making that is not done no new one is begun. A
     * deletion that fails ends nothing else; where several fail one after the other, the rest of
     * their kind is for later. So is one without an answer, which may be done, and all once the
     * partition is not ours.
     *
     * @throws IOException when it is interrupted; some may be done
     */
    Result write(int partition, JobName job, List<Write> writes) throws IOException {
        var deletions = new EnumMap<Kind, List<Write>>(Kind.class);
        var makings = new ArrayList<Write>();
        for (var write : writes) {
            if (write instanceof Delete delete) {
                deletions.computeIfAbsent(delete.kind(), _ -> new ArrayList<>()).add(delete);
            } else {
                makings.add(write);
            }
        }
        var tried = new ArrayList<Tried>();
        for (var ofKind : deletions.values()) {
            tried.addAll(deleted(partition, job, ofKind));
        }
        tried.addAll(made(partition, job, makings));
        return result(tried);
    }

    /**
     * Some of one kind, one alone until one is done: a server that lets nothing go is not asked a
     * thousand times. One may be refused for what it is, though, and at every try: each try begins
     * elsewhere.
     */
    private List<Tried> deleted(int partition, JobName job, List<Write> deletions)
            throws IOException {
        var tried = new ArrayList<Tried>();
        var turn = new ArrayList<>(deletions);
        Collections.rotate(turn, ThreadLocalRandom.current().nextInt(turn.size()));
        do {
            tried.add(tried(partition, job, turn.removeFirst()));
        } while (!isDone(tried.getLast()) && tried.size() < ALONE && !turn.isEmpty());
        if (isDone(tried.getLast())) {
            tried.addAll(rest(partition, job, turn, Math.max(ALONE, atOnce)));
        }
        return tried;
    }

    /** The first alone: what is wrong with one pod is mostly wrong with all. */
    private List<Tried> made(int partition, JobName job, List<Write> writes) throws IOException {
        var tried = new ArrayList<Tried>();
        if (writes.isEmpty()) {
            return tried;
        }
        var first = tried(partition, job, writes.getFirst());
        tried.add(first);
        var others = writes.subList(1, writes.size());
        if (isUntold(first)) {
            // A policy says of the others of its role what it says of this one.
            Predicate<Write> alike = write -> isNote(write) && isOfOneRole(write, first.write());
            others.stream()
                    .filter(alike)
                    .map(note -> new Tried(note, untold(note)))
                    .forEach(tried::add);
            others = others.stream().filter(alike.negate()).toList();
        }
        if (isDone(first)) {
            tried.addAll(rest(partition, job, others, 1));
        }
        return tried;
    }

    /**
     * @param most after so many one after the other that are not done no new one is begun
     */
    private List<Tried> rest(int partition, JobName job, List<Write> writes, int most)
            throws IOException {
        var failed = new AtomicInteger();
        var places = new Semaphore(atOnce);
        var tries = new ArrayList<Future<Tried>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var write : writes) {
                places.acquireUninterruptibly();
                tries.add(
                        threads.submit(() -> {
                            try {
                                var tried =
                                        failed.get() >= most
                                                ? new Tried(write, null)
                                                : tried(partition, job, write);
                                failed.updateAndGet(n -> isDone(tried) && n < most ? 0 : n + 1);
                                return tried;
                            } finally {
                                places.release();
                            }
                        }));
            }
        }
        return all(tries);
    }

    private static List<Tried> all(List<Future<Tried>> tries) throws IOException {
        var all = new ArrayList<Tried>();
        try {
            for (var each : tries) {
                all.add(each.get());
            }
            return all;
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private Tried tried(int partition, JobName job, Write write) {
        try {
            return new Tried(write, one(partition, job, write));
        } catch (IOException e) {
            var later = new Later(String.valueOf(e.getMessage()), Duration.ZERO);
            return new Tried(write, new Cluster.Written(later, null));
        }
    }

    private Cluster.Written one(int partition, JobName job, Write write) throws IOException {
        // Once before it waits for its turn, which may take long, and once after it.
        tenure.check(partition);
        var written =
                cluster.write(
                        job,
                        write,
                        sending ->
                                tenure.write(
                                        partition,
                                        () -> {
                                            CrashPoint.POD_MANAGER_WRITING.pass(write);
                                            return sending.send();
                                        }));
        (switch (write) {
                    case Apply _ -> CrashPoint.POD_MANAGER_APPLIED;
                    case CreatePod _, Create _, AskRestart _ -> CrashPoint.POD_MANAGER_CREATED;
                    case Delete _ -> CrashPoint.POD_MANAGER_DELETED;
                })
                .pass(job);
        if (write instanceof AskRestart(var request)) {
            return asked(request, written);
        }
        if (written.answer() instanceof Edited(var message) && written.made() != null) {
            return kept(job, written.made(), message);
        }
        if (isNote(write) && written.answer() instanceof Refused(_, var message)) {
            log.atWarn()
                    .addKeyValue("jobId", job)
                    .addKeyValue("why", message)
                    .log("a pod is not told what it should be");
            return untold(write);
        }
        // What must go must go, whatever the server says today.
        return write instanceof Delete && written.answer() instanceof Refused(_, var message)
                ? new Cluster.Written(new Later(message, Duration.ZERO), null)
                : written;
    }

    /** It stands as somebody else wants it, and so nothing more is to be done. */
    private static Cluster.Written kept(JobName job, Seen there, String message) {
        log.atWarn()
                .addKeyValue("jobId", job)
                .addKeyValue("object", there.kind() + "/" + there.name())
                .addKeyValue("why", message)
                .log("left as somebody has edited it");
        return new Cluster.Written(new Done(), there);
    }

    /** A pod that is there is told something. */
    private static boolean isNote(Write write) {
        return write instanceof Apply apply && apply.kind() == Kind.POD && apply.there() != null;
    }

    /** A pod that runs and cannot be told something goes on; it shows as told, so that it ends. */
    private static Cluster.Written untold(Write write) {
        if (!(write instanceof Apply apply) || apply.there() == null) {
            throw new IllegalArgumentException("no note: " + write);
        }
        var notes = PodNotes.read(apply.object().getMetadata().getAnnotations());
        return new Cluster.Written(new Done(), apply.there().with(notes));
    }

    private static boolean isOfOneRole(Write some, Write other) {
        return some instanceof Apply(_, _, _, var one)
                && other instanceof Apply(_, _, _, var another)
                && one != null
                && another != null
                && Objects.equals(role(one), role(another));
    }

    private static @Nullable String role(Seen pod) {
        var making = pod.mark() == null ? null : pod.mark().making();
        return making == null ? null : making.rank().role();
    }

    private static boolean isUntold(Tried tried) {
        return isNote(tried.write()) && isDone(tried) && !isSeen(tried);
    }

    /** What is refused is not asked for again: the pool sees no restart, and does without. */
    private static Cluster.Written asked(HasMetadata request, Cluster.Written written) {
        if (!(written.answer() instanceof Refused(_, var message))) {
            return written;
        }
        var name = request.getMetadata().getName();
        log.atWarn()
                .addKeyValue("request", name)
                .addKeyValue("why", message)
                .log("no container starts again in its pod");
        return new Cluster.Written(new Done(), Seen.of(Kind.RESTART_REQUEST, name, "", null));
    }

    private static boolean isDone(Tried tried) {
        return tried.written() != null && tried.written().answer() instanceof Done;
    }

    private static Result result(List<Tried> tried) {
        ApiAnswer gravest = new Done();
        var made = new ArrayList<Seen>();
        var changed = new ArrayList<Write>();
        var gone = new ArrayList<Delete>();
        for (var each : tried) {
            var written = each.written();
            if (written == null) {
                continue;
            }
            gravest = graver(gravest, written.answer());
            if (written.answer() instanceof Changed || written.answer() instanceof Edited) {
                changed.add(each.write());
            }
            if (written.made() != null) {
                made.add(written.made());
            }
            if (each.write() instanceof Delete delete && written.gone()) {
                gone.add(delete);
            }
        }
        return new Result(gravest, made, changed, gone, tried.stream().anyMatch(Writer::isSeen));
    }

    /**
     * What was there already, or stands for something that is refused, has no uid, or the version
     * that it had.
     */
    private static boolean isSeen(Tried tried) {
        var written = tried.written();
        if (written == null || !(written.answer() instanceof Done)) {
            return false;
        }
        var made = written.made();
        if (tried.write() instanceof Apply(var kind, _, _, var there)
                && kind == Kind.POD
                && made != null
                && there != null
                && Objects.equals(made.version(), there.version())) {
            return false;
        }
        return tried.write() instanceof Delete || made != null && !made.uid().isEmpty();
    }

    /**
     * Of two waits it is the longer one: a server that asks for time is given it. A right that is
     * missing is told in any case, since it will be missing afterwards, too.
     */
    private static ApiAnswer graver(ApiAnswer one, ApiAnswer other) {
        if (one instanceof Later && other instanceof Later) {
            return asked(other).compareTo(asked(one)) > 0 ? other : one;
        }
        var graver = weight(other) > weight(one) ? other : one;
        return graver instanceof Denied(var message, _)
                ? new Denied(message, Collections.max(List.of(asked(one), asked(other))))
                : graver;
    }

    private static Duration asked(ApiAnswer answer) {
        return switch (answer) {
            case Denied(_, var atLeast) -> atLeast;
            case Later(_, var atLeast) -> atLeast;
            case Done _, Changed _, Edited _, Refused _ -> Duration.ZERO;
        };
    }

    private static int weight(ApiAnswer answer) {
        return switch (answer) {
            case Done _ -> 0;
            case Changed _, Edited _ -> 1;
            case Later _ -> 2;
            case Denied _ -> 3;
            case Refused _ -> 4;
        };
    }
}
