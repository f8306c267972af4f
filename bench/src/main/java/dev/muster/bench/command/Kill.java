package dev.muster.bench.command;

import dev.muster.bench.jobs.Heard;
import dev.muster.bench.jobs.Stage;
import dev.muster.bench.jobs.Stream;
import dev.muster.bench.system.Replicas;
import dev.muster.cli.CommandFailedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/**
 * One kill of a process that acts for a pool, while jobs come.
 *
 * @param effect what the killed service has a part in
 * @param limit within which it comes
 */
record Kill(
        Stream stream,
        Heard heard,
        Replicas replicas,
        Stage effect,
        RandomGenerator random,
        Duration limit) {
    private static final long AT_LEAST = TimeUnit.SECONDS.toNanos(1);
    private static final long CHANCE = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long AFTERWARDS = TimeUnit.SECONDS.toNanos(1);

    /**
     * Kills it once the processes are at rest, and starts it again: at once where there is no
     * other, else after the effect.
     *
     * @param prefix of the jobs' names, not used before
     * @return from the kill until all jobs that were submitted within the second after it have come
     *     as far as the effect
     */
    Duration untilTheEffect(String prefix, int pool) {
        replicas.awaitCalm();
        var sent = new ConcurrentHashMap<String, Long>();
        var wanted = new AtomicBoolean(true);
        var sender = Thread.ofPlatform().start(() -> stream.submit(prefix, sent, wanted::get));
        try {
            if (!heard.await(effect, List.of(prefix + "-0"), limit)) {
                throw CommandFailedException.failed("no job comes so far before the kill", null);
            }
            LockSupport.parkNanos(AT_LEAST + random.nextLong(CHANCE));
            return kill(sent, pool);
        } finally {
            wanted.set(false);
            join(sender);
        }
    }

    private Duration kill(Map<String, Long> sent, int pool) {
        var victim = replicas.acting(pool);
        var launch = Replicas.launchOf(victim);
        boolean alone = replicas.count() == 1;
        long killed = System.nanoTime();
        victim.kill();
        if (alone) {
            replicas.again(victim, launch);
        }
        LockSupport.parkNanos(killed + 2 * AFTERWARDS - System.nanoTime());
        var gap = Duration.ofNanos(lastEffect(killed, sent) - killed);
        if (!alone) {
            replicas.again(victim, launch);
        }
        return gap;
    }

    private long lastEffect(long killed, Map<String, Long> sent) {
        var jobs =
                sent.entrySet().stream()
                        .filter(job -> job.getValue() > killed)
                        .filter(job -> job.getValue() < killed + AFTERWARDS)
                        .map(Map.Entry::getKey)
                        .toList();
        if (!heard.await(effect, jobs, limit)) {
            throw CommandFailedException.failed(
                    "not all jobs came so far within " + limit.toMinutes() + " min of a kill",
                    null);
        }
        return jobs.stream()
                .mapToLong(job -> heard.at(effect, job).orElseThrow())
                .max()
                .orElseThrow();
    }

    private static void join(Thread sender) {
        try {
            sender.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
