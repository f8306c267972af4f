package dev.muster.admission.core;

import dev.muster.schemas.contract.Limits;
import java.math.BigInteger;
import java.time.Duration;

/** Ranges of numbers and durations. */
final class Numbers {
    static final int MOST_PRIORITY = 1_000_000_000;

    private final Problems problems;

    Numbers(Problems problems) {
        this.problems = problems;
    }

    void within(String path, long given, long least, long most) {
        problems.unless(
                least <= given && given <= most,
                path,
                given,
                "must be %,d to %,d".formatted(least, most));
    }

    void priority(String path, int given) {
        within(path, given, -MOST_PRIORITY, MOST_PRIORITY);
    }

    void atLeastZero(String path, long given) {
        problems.unless(given >= 0, path, given, "must not be negative");
    }

    void notNegative(String path, Duration given) {
        problems.unless(
                !given.isNegative(), path, asWritten(given), "must not be a negative duration");
        notTooLong(path, given);
    }

    void positive(String path, Duration given) {
        problems.unless(
                given.isPositive(), path, asWritten(given), "must be a duration above zero");
        notTooLong(path, given);
    }

    /** What no form lets through a record may have all the same. */
    private void notTooLong(String path, Duration given) {
        problems.unless(
                given.compareTo(Limits.LONGEST_DURATION) <= 0,
                path,
                asWritten(given),
                Limits.TOO_LONG);
    }

    /** Of what others may wait for. */
    void oneSecondToOneHour(String path, Duration given) {
        problems.unless(
                given.compareTo(Limits.LEAST_TIMEOUT) >= 0
                        && given.compareTo(Limits.MOST_TIMEOUT) <= 0,
                path,
                asWritten(given),
                "must be 1s to 1h");
    }

    /** Of an amount, told in whole units: no bound has a rest. */
    static String atMost(String resource, long most) {
        return "must be at most %,d".formatted(resource.equals("cpu") ? most / 1000 : most);
    }

    /** As users write amounts: cpu may have a rest. */
    static String amount(String resource, long units) {
        if (!resource.equals("cpu")) {
            return String.valueOf(units);
        }
        return units % 1000 == 0 ? String.valueOf(units / 1000) : units + "m";
    }

    /** The same of a sum. */
    static String amount(String resource, BigInteger units) {
        if (units.bitLength() < Long.SIZE) {
            return amount(resource, units.longValueExact());
        }
        return resource.equals("cpu") ? units + "m" : units.toString();
    }

    /** As users write durations: in seconds, or in milliseconds where there is a rest. */
    static String asWritten(Duration duration) {
        var millis = duration.toMillis();
        return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    }
}
