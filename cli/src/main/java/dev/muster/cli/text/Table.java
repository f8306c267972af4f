package dev.muster.cli.text;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Columns under headings, as wide as they need to be. Rows that come later keep the widths. */
public final class Table {
    private static final String GAP = "   ";

    private final List<Integer> widths = new ArrayList<>();

    /** A table with these headings whose first rows are these; later rows may be wider. */
    public Table(List<String> headings, List<List<String>> first) {
        headings.forEach(heading -> widths.add(heading.length()));
        first.forEach(this::widen);
    }

    /** One line; nothing is after its last text. */
    public String line(List<String> cells) {
        widen(cells);
        var line = new StringBuilder();
        for (var i = 0; i < cells.size(); i++) {
            var cell = cells.get(i);
            line.append(cell)
                    .repeat(' ', widths.get(i) - cell.length())
                    .append(i == cells.size() - 1 ? "" : GAP);
        }
        return line.toString().stripTrailing();
    }

    /** Whether a row is wider than all before it, so that it would not stand under its headings. */
    public boolean isWidenedBy(List<String> cells) {
        return IntStream.range(0, cells.size() - 1)
                .anyMatch(i -> cells.get(i).length() > widths.get(i));
    }

    /** Makes room for a row. */
    void widen(List<String> cells) {
        for (var i = 0; i < cells.size(); i++) {
            widths.set(i, Math.max(widths.get(i), cells.get(i).length()));
        }
    }
}
