package dev.muster.cli.text;

import dev.muster.v1.Problem;
import java.util.ArrayList;
import java.util.List;

/** What is wrong with a request, a line for each problem. */
public final class ProblemLines {
    private ProblemLines() {}

    /** The headline, and below it the problems. */
    public static List<String> of(String headline, List<Problem> problems) {
        var lines = new ArrayList<String>();
        lines.add(headline);
        for (var problem : problems) {
            lines.add("  " + line(problem.getPath(), problem.getGiven(), problem.getMessage()));
        }
        return lines;
    }

    /** One problem: where, what is wrong, what was given. */
    public static String line(String path, String given, String message) {
        return path
                + (path.isEmpty() ? "" : " ")
                + message
                + (given.isEmpty() ? "" : " (given: " + given + ")");
    }
}
