package dev.muster.deploy;

import dev.muster.schemas.crash.CrashPoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    private CrashTable() {}

    /** The table with these outcomes, by cell. */
    static String text(Map<String, String> outcomes) {
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

    /** Puts what came of a run into the guide; what it left out stays as it was. */
    static void write(CrashRun run) {
        var outcomes = outcomesInGuide();
        var broken = run.jobs().broken();
        run.cells()
                .forEach((name, cell) -> outcomes.put(cell.toString(), outcome(run, name, broken)));
        try {
            Files.writeString(GUIDE, read().replace(inGuide(), text(outcomes)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
