package dev.muster.bench.command;

import dev.muster.bench.jobs.Heard;
import dev.muster.bench.jobs.Stage;
import dev.muster.bench.jobs.Stream;
import dev.muster.bench.system.Coordinators;
import dev.muster.cli.Trouble;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/** One kill of the coordinator that hosts a pool, while jobs come. */
record Kill(Stream stream, Heard heard, Coordinators coordinators, RandomGenerator random) {
    private static final long AT_LEAST = TimeUnit.SECONDS.toNanos(1);
    private static final long CHANCE = TimeUnit.MILLISECONDS.toNanos(500);
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    /**
     * Kills it once the group is at rest, and starts it again: at once where there is no other,
     * else after the next plan.
     *
     * @param prefix of the jobs' names, not used before
     * @return from the kill to the first plan of a job that was submitted after it
     */
    Duration untilTheNextPlan(String prefix, int pool) {
        coordinators.awaitReady();
        coordinators.awaitCalm();
        var sent = new ConcurrentHashMap<String, Long>();
        var wanted = new AtomicBoolean(true);
        var sender = Thread.ofPlatform().start(() -> stream.submit(prefix, sent, wanted::get));
        try {
            if (!heard.await(Stage.PLANNED, List.of(prefix + "-0"), LIMIT)) {
                throw Trouble.failed("no plan comes before the kill", null);
            }
            LockSupport.parkNanos(AT_LEAST + random.nextLong(CHANCE));
            return kill(sent, pool);
        } finally {
            wanted.set(false);
            join(sender);
        }
    }

    private Duration kill(Map<String, Long> sent, int pool) {
        var victim = coordinators.hosting(pool);
        var launch = Coordinators.launchOf(victim);
        boolean alone = coordinators.count() == 1;
        long killed = System.nanoTime();
        victim.kill();
        if (alone) {
            coordinators.again(victim, launch);
        }
        var gap = Duration.ofNanos(firstPlanAfter(killed, sent) - killed);
        if (!alone) {
            coordinators.again(victim, launch);
        }
        return gap;
    }

    private long firstPlanAfter(long killed, Map<String, Long> sent) {
        long end = killed + LIMIT.toNanos();
        while (System.nanoTime() < end) {
            var first =
                    sent.entrySet().stream()
                            .filter(job -> job.getValue() > killed)
                            .map(job -> heard.at(Stage.PLANNED, job.getKey()))
                            .flatMapToLong(OptionalLong::stream)
                            .min();
            if (first.isPresent()) {
                return first.getAsLong();
            }
            LockSupport.parkNanos(LOOK_AGAIN.toNanos());
        }
        throw Trouble.failed("no plan within " + LIMIT.toMinutes() + " minutes after a kill", null);
    }

    private static void join(Thread sender) {
        try {
            sender.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
