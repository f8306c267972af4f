package dev.muster.admission.core;

import java.util.List;
import java.util.Locale;

/**
 * What is wrong with one field of a request; each part is cut to a readable length.
 *
 * @param path where, as in {@code spec.roles[1].replicas}
 * @param given what was given; empty where nothing was
 * @param message what is wrong and what is allowed, one sentence
 * @param others for how many it stands that are not told; 0: for itself
 */
public record Problem(String path, String given, String message, int others) {
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

    public Problem(String path, String given, String message) {
        this(path, given, message, 0);
    }

    /** Of a great many the first are told, and of the others how many there are. */
    static Problem more(int others) {
        return new Problem("", "", String.format(Locale.ROOT, "and %,d more", others), others);
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
