package dev.muster.bench.command;

import dev.muster.bench.report.Report;
import dev.muster.cli.system.ServiceJars;
import dev.muster.cli.text.ProgressLines;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import picocli.CommandLine.Option;

/** What can be said to every measurement. */
final class Manner {
    @Option(
            names = "--note",
            paramLabel = "TEXT",
            description = "Stands in the report, for example: shared machine.")
    private String note = "";

    @Option(
            names = "--seed",
            defaultValue = "7",
            description = "Of all chance (default: ${DEFAULT-VALUE}).")
    private long seed;

    private final PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    private final PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);

    RandomGenerator random() {
        return new SplittableRandom(seed);
    }

    /** What happens meanwhile; it is no part of the report. */
    ProgressLines progress() {
        return new ProgressLines(err, false);
    }

    Report report(String name, List<String> headings) {
        return new Report(ServiceJars.home(), name, headings).how(note).how("seed " + seed);
    }

    void write(Report report) {
        report.write(out);
    }

    /** It is not kept. */
    void print(Report report) {
        report.print(out);
    }
}
