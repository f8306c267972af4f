package dev.muster.bench.jobs;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * Jobs at a rate, whatever becomes of them: each is submitted at a moment of its own within its
 * share of the time, so that they do not fall into step with the commits of the services.
 */
public record Stream(Submitter submitter, int perSecond, RandomGenerator random) {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /**
     * What was submitted.
     *
     * @param moments of each job, in their order
     * @param latest how late the latest submission was: the fault of this process
     */
    public record Sent(Map<String, Long> moments, Duration latest) {}

    /**
     * Submits for that long.
     *
     * @param prefix of the jobs' names, not used before
     */
    public Sent during(String prefix, Duration time) {
        long jobs = time.toNanos() * perSecond / SECOND;
        var sent = new LinkedHashMap<String, Long>();
        return submit(prefix, sent, () -> sent.size() < jobs);
    }

    /**
     * Submits as long as it is wanted.
     *
     * @param sent takes the moment of each job as it is submitted
     */
    public Sent submit(String prefix, Map<String, Long> sent, BooleanSupplier wanted) {
        long share = SECOND / perSecond;
        long next = System.nanoTime();
        long latest = 0;
        for (int i = 0; wanted.getAsBoolean(); i++, next += share) {
            long planned = next + random.nextLong(share);
            Moments.await(planned);
            var name = prefix + "-" + i;
            long moment = submitter.submit(name);
            sent.put(name, moment);
            latest = Math.max(latest, moment - planned);
        }
        return new Sent(sent, Duration.ofNanos(latest));
    }
}
