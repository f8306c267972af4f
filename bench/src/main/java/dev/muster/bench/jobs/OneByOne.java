package dev.muster.bench.jobs;

import dev.muster.cli.CommandFailedException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** One job at a time: the next is submitted some moments after the last has succeeded. */
public record OneByOne(Submitter submitter, Heard heard, RandomGenerator random) {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * Runs so many jobs to their end.
     *
     * @param prefix of their names, not used before
     * @return the moment at which each was submitted
     * @throws CommandFailedException when one does not succeed within a minute
     */
    public Map<String, Long> run(String prefix, int jobs) {
        var moments = new LinkedHashMap<String, Long>();
        for (int i = 0; i < jobs; i++) {
            Moments.await(System.nanoTime() + random.nextLong(LONGEST_PAUSE));
            var name = prefix + "-" + i;
            moments.put(name, submitter.submit(name));
            if (!heard.await(Stage.SUCCEEDED, List.of(name), LIMIT)) {
                throw CommandFailedException.failed(
                        "job " + name + " did not succeed within " + LIMIT.toSeconds() + " s",
                        null);
            }
        }
        return moments;
    }
}
