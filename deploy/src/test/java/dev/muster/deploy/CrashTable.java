package dev.muster.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.schemas.crash.CrashPoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The matrix of points and situations in the guide, with what came of each the last time. */
final class CrashTable {
    static final Path GUIDE = TheSystem.REPOSITORY.resolve("docs/guide/reliability.md");

    private static final String BEGIN = "<!-- crash points -->\n";
    private static final String END = "<!-- /crash points -->\n";
    private static final String NOT_RUN = "not run";
    private static final int FIRST_SITUATION = 3;

    /** How a line about a run begins. */
    private static final String RUN = "- ";

    /** What parts of the matrix leave is kept of so many of them. */
    private static final int PARTS = 8;

    private CrashTable() {}

    /**
     * The table with these outcomes, by cell.
     *
     * @param runs of which they are, a line each
     */
    static String text(Map<String, String> outcomes, List<String> runs) {
        var lines = new ArrayList<String>();
        lines.add("| the service dies at | when … | and not yet … | " + situations("%s") + " |");
        lines.add("|---|---|---|" + "---|".repeat(Situation.values().length));
        for (var point : CrashPoint.values()) {
            var row =
                    new ArrayList<>(List.of("`" + point.id() + "`", point.after(), point.before()));
            for (var situation : Situation.values()) {
                row.add(
                        Cell.situations(point).contains(situation)
                                ? outcomes.getOrDefault(
                                        new Cell(point, situation).toString(), NOT_RUN)
                                : "·");
            }
            lines.add("| " + String.join(" | ", row) + " |");
        }
        if (!runs.isEmpty()) {
            lines.add("");
            lines.addAll(runs);
        }
        return BEGIN + String.join("\n", lines) + "\n" + END;
    }

    private static String situations(String form) {
        return String.join(
                " | ", Stream.of(Situation.values()).map(s -> form.formatted(s.word())).toList());
    }

    /** What stands in the guide. */
    static String inGuide() {
        var guide = read();
        return guide.substring(guide.indexOf(BEGIN), guide.indexOf(END) + END.length());
    }

    /** The outcomes that stand in the guide, by cell. */
    static Map<String, String> outcomesInGuide() {
        var outcomes = new TreeMap<String, String>();
        for (var line : inGuide().lines().filter(line -> line.startsWith("| `")).toList()) {
            var fields = Stream.of(line.split("\\|", -1)).map(String::strip).skip(1).toList();
            var point = fields.getFirst().replace("`", "");
            for (var situation : Situation.values()) {
                outcomes.put(
                        point + "/" + situation.word(),
                        fields.get(FIRST_SITUATION + situation.ordinal()));
            }
        }
        return outcomes;
    }

    /** Of which runs the outcomes in the guide are: when, of which commit, and how many cells. */
    static List<String> runsInGuide() {
        return inGuide().lines().filter(line -> line.startsWith(RUN)).toList();
    }

    /** Puts what came of a run into the guide; what it left out stays as it was. */
    static void write(CrashRun run) {
        var outcomes = outcomesInGuide();
        var broken = run.jobs().broken();
        run.cells()
                .forEach((name, cell) -> outcomes.put(cell.toString(), outcome(run, name, broken)));
        try {
            var runs = runs(runsInGuide(), run.cells().size());
            Files.writeString(GUIDE, read().replace(inGuide(), text(outcomes, runs)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of a run of all cells nothing older stands in the table. */
    private static List<String> runs(List<String> before, int cells) throws IOException {
        int all = Cell.all().size();
        var runs = new ArrayList<>(cells == all ? List.<String>of() : before);
        runs.add(
                "%s%s, commit %s: %d of %d cells"
                        .formatted(RUN, LocalDate.now(ZoneOffset.UTC), commit(), cells, all));
        return runs.subList(Math.max(0, runs.size() - PARTS), runs.size());
    }

    private static String commit() throws IOException {
        var git =
                new ProcessBuilder("git", "rev-parse", "--short", "HEAD")
                        .directory(TheSystem.REPOSITORY.toFile())
                        .start();
        return new String(git.getInputStream().readAllBytes(), UTF_8).strip();
    }

    private static String outcome(CrashRun run, String name, List<String> broken) {
        if (!run.deaths().contains(name)) {
            return "not reached";
        }
        var status = run.jobs().status(name);
        if (!run.jobs().isAsIfNothingHadHappened(name)) {
            return "**" + status.getPhase() + " in attempt " + status.getAttempt() + "**";
        }
        return broken.stream().anyMatch(sentence -> sentence.contains(name))
                ? "**promise broken**"
                : "✓";
    }

    private static String read() {
        try {
            return Files.readString(GUIDE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
