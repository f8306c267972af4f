package dev.muster.coordinator.core.model;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A program that a command of scale has run once its change is made, and on which its end rests.
 *
 * @param command the program and its arguments, which nobody quotes, joins or expands
 * @param env variables besides those of the rank that it is like
 * @param timeout of one try
 * @param retries how many tries may follow the first
 */
public record Hook(
        List<String> command, SortedMap<String, String> env, Duration timeout, int retries) {
    /** The role of its pods, which no job may have. */
    public static final String ROLE = "hook";

    public static final RankId RANK = new RankId(ROLE, 0);

    private static final Duration FIRST_DELAY = Duration.ofSeconds(5);
    private static final Duration LONGEST_DELAY = Duration.ofMinutes(1);

    /** Enough doublings to come to the longest. */
    private static final int MOST_DOUBLINGS = 4;

    public Hook {
        command = List.copyOf(command);
        env = Collections.unmodifiableSortedMap(new TreeMap<>(env));
    }

    /** Before the try that follows so many. */
    public Duration delayAfter(int tries) {
        var delay = FIRST_DELAY.multipliedBy(1L << Math.min(MOST_DOUBLINGS, tries - 1));
        return delay.compareTo(LONGEST_DELAY) < 0 ? delay : LONGEST_DELAY;
    }
}
