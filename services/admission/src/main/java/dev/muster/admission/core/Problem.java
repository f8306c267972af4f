package dev.muster.admission.core;

/**
 * What is wrong with one field of a request.
 *
 * @param path where, as in {@code spec.roles[1].replicas}
 * @param given what was given, cut to a readable length; empty where nothing was
 * @param message what is wrong and what is allowed, one sentence
 */
public record Problem(String path, String given, String message) {
    private static final int LONGEST_GIVEN = 80;

    public Problem {
        if (given.length() > LONGEST_GIVEN) {
            given = given.substring(0, LONGEST_GIVEN - 1) + "…";
        }
    }
}
