package dev.muster.bench.report;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.text.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** One measurement as it is kept: what, where, when, of which commit, how, and a table. */
public final class Report {
    private final Path repository;
    private final String name;
    private final Machine machine = Machine.here();
    private final Checkout checkout;
    private final Instant began = Instant.now();
    private final List<String> how = new ArrayList<>();
    private final List<List<String>> rows = new ArrayList<>();
    private final List<String> headings;

    /**
     * Begins a report: what is said of the machine is said of this moment.
     *
     * @param name of the measurement
     */
    public Report(Path repository, String name, List<String> headings) {
        this.repository = repository;
        this.name = name;
        this.headings = List.copyOf(headings);
        this.checkout = Checkout.of(repository);
    }

    /** Says how it was measured; an empty line says nothing. */
    public Report how(String line) {
        if (!line.isBlank()) {
            how.add(line);
        }
        return this;
    }

    public Report row(List<String> cells) {
        rows.add(List.copyOf(cells));
        return this;
    }

    /** Returns what it printed. */
    public String print(PrintWriter out) {
        var text = text();
        out.println(text);
        out.flush();
        return text;
    }

    /**
     * Prints it, and keeps it in {@code bench/results}: the measurements of a day and name in one
     * file.
     */
    public void write(PrintWriter out) {
        var text = print(out);
        var day = LocalDate.ofInstant(began, ZoneOffset.UTC);
        var file =
                repository.resolve("bench").resolve("results").resolve(day + "-" + name + ".txt");
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(
                    file,
                    Files.exists(file) ? "\n" + text : text,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw CommandFailedException.failed("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    private String text() {
        var lines = new ArrayList<String>();
        lines.add(name);
        lines.add("machine: " + machine);
        lines.add("date:    " + began.truncatedTo(ChronoUnit.SECONDS) + ", commit " + checkout);
        how.forEach(line -> lines.add("how:     " + line));
        lines.add("");
        var table = new Table(headings, rows);
        lines.add(table.line(headings));
        rows.forEach(row -> lines.add(table.line(row)));
        return String.join("\n", lines) + "\n";
    }
}
