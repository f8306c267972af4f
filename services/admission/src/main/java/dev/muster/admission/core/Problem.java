package dev.muster.admission.core;

import java.util.List;

/**
 * What is wrong with one field of a request; each part is cut to a readable length.
 *
 * @param path where, as in {@code spec.roles[1].replicas}
 * @param given what was given; empty where nothing was
 * @param message what is wrong and what is allowed, one sentence
 */
public record Problem(String path, String given, String message) {
    /** Of one request so many are told. */
    public static final int MOST = 100;

    private static final int LONGEST_PATH = 300;
    private static final int LONGEST_GIVEN = 80;
    private static final int LONGEST_MESSAGE = 1_000;

    public Problem {
        path = cut(path, LONGEST_PATH);
        given = cut(given, LONGEST_GIVEN);
        message = cut(message, LONGEST_MESSAGE);
    }

    /** The first of them, and how many more there are. */
    public static List<Problem> first(List<Problem> all) {
        var first = new Problems();
        all.forEach(first::add);
        return first.all();
    }

    private static String cut(String text, int longest) {
        return text.length() > longest ? text.substring(0, longest - 1) + "…" : text;
    }
}
