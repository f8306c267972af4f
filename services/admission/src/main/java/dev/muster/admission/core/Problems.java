package dev.muster.admission.core;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Collects what is wrong with one request, so that all of it can be told at once, once. Of a great
 * many the first are told, and how many more there are: an answer is one record.
 */
final class Problems {
    private static final int MOST = Problem.MOST;
    private static final String MORE = "and %,d more";
    private static final Pattern OF_MORE = Pattern.compile("and ([0-9,]+) more");

    private final Set<Problem> found = new LinkedHashSet<>();
    private int more;

    void add(String path, Object given, String message) {
        add(new Problem(path, String.valueOf(given), message));
    }

    /** One that says how many more there were counts as so many. */
    void add(Problem problem) {
        var others = OF_MORE.matcher(problem.message());
        if (problem.path().isEmpty() && others.matches()) {
            more += Integer.parseInt(others.group(1).replace(",", ""));
        } else if (found.size() < MOST) {
            found.add(problem);
        } else if (!found.contains(problem)) {
            more++;
        }
    }

    /** Adds the problem unless {@code fine}. */
    void unless(boolean fine, String path, Object given, String message) {
        if (!fine) {
            add(path, given, message);
        }
    }

    /** As users write those of one word: HOROVOD is horovod. */
    static String asWritten(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    List<Problem> all() {
        var all = new ArrayList<>(found);
        if (more > 0) {
            all.add(new Problem("", "", String.format(Locale.ROOT, MORE, more)));
        }
        return List.copyOf(all);
    }

    /** Of those after the first ones it is not known which they were: some are told alone then. */
    static List<Problem> joined(List<Problem> some, List<Problem> others) {
        if (some.size() > MOST) {
            return some;
        }
        var all = new Problems();
        some.forEach(all::add);
        others.forEach(all::add);
        return all.all();
    }

    static String number(List<Problem> problems) {
        return problems.size() > MOST
                ? "more than %d problems".formatted(MOST)
                : problems.size() + " problems";
    }
}
