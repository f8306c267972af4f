package dev.muster.admission.core;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many signals of one job are handed on: as many as a large gang needs that drains at once, and
 * then so many a second. What is more is not heard, so that no job can fill its pool's inbox.
 *
 * <p>It remembers in memory alone: whoever takes over begins anew.
 */
public final class SignalLimit {
    public static final int BURST = 1_000;
    public static final int PER_SECOND = 10;

    private static final Duration EACH = Duration.ofSeconds(1).dividedBy(PER_SECOND);

    /** Who was heard last; the others have all of their burst again, mostly. */
    private static final int JOBS = 10_000;

    /** When all of a job's burst is there again. */
    private final Map<String, Instant> full =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Instant> eldest) {
                    return size() > JOBS;
                }
            };

    /** Whether one more of this job is handed on now; if so, it is counted. */
    public boolean takes(String job, Instant now) {
        var known = full.getOrDefault(job, now);
        var next = (known.isBefore(now) ? now : known).plus(EACH);
        boolean takes = !next.isAfter(now.plus(EACH.multipliedBy(BURST)));
        if (takes) {
            full.put(job, next);
        }
        return takes;
    }
}
