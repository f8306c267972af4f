package dev.muster.cli.text;

import dev.muster.sandbox.process.Progress;
import java.io.PrintWriter;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Shows what takes longer than two seconds: on a terminal in one line that is written over, else in
 * lines that grow rare.
 */
public final class ProgressLines implements Progress {
    private static final String TO_THE_START = "\r\u001b[K";

    private final PrintWriter to;
    private final boolean interactive;
    private final Map<String, Long> running = new TreeMap<>();

    public ProgressLines(PrintWriter to, boolean interactive) {
        this.to = to;
        this.interactive = interactive;
    }

    @Override
    public synchronized void running(String step, long seconds) {
        running.put(step, seconds);
        if (interactive) {
            draw();
        } else if (seconds < 4 || seconds % 10 < 2) {
            to.println("  " + step + " … " + seconds + " s");
            to.flush();
        }
    }

    @Override
    public synchronized void ended(String step, long seconds) {
        running.remove(step);
        if (interactive) {
            draw();
        } else {
            to.println("  " + step + " took " + seconds + " s");
            to.flush();
        }
    }

    @Override
    public synchronized void say(String line) {
        to.println(interactive ? TO_THE_START + line : line);
        if (interactive) {
            draw();
        }
        to.flush();
    }

    private void draw() {
        var steps =
                running.entrySet().stream()
                        .map(step -> step.getKey() + " " + step.getValue() + " s")
                        .collect(Collectors.joining(" · "));
        // A line that wraps cannot be written over.
        var cut = steps.length() > 76 ? steps.substring(0, 75) + "…" : steps;
        to.print(TO_THE_START + cut);
        to.flush();
    }
}
