package dev.muster.schemas.trainjob;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The known word that a misspelt one was probably meant to be. */
final class Nearest {
    /** No word of ours is longer, and comparing costs as much as a name is long. */
    private static final int LONGEST = 63;

    private Nearest() {}

    /** The known word with the fewest edits, if those are few enough for the word's length. */
    static Optional<String> of(String given, Collection<String> known) {
        if (given.length() > LONGEST) {
            return Optional.empty();
        }
        var most = given.length() <= 3 ? 1 : Math.min(3, given.length() / 2);
        return known.stream()
                .min(Comparator.comparingInt(word -> distance(given, word)))
                .filter(word -> distance(given, word) <= most);
    }

    /** Insertions, deletions, replacements and swaps of neighbours, capitals ignored. */
    static int distance(String a, String b) {
        var from = a.toLowerCase(Locale.ROOT);
        var to = b.toLowerCase(Locale.ROOT);
        var edits = new int[from.length() + 1][to.length() + 1];
        for (var i = 0; i <= from.length(); i++) {
            for (var j = 0; j <= to.length(); j++) {
                edits[i][j] = i == 0 ? j : j == 0 ? i : cheapest(edits, from, to, i, j);
            }
        }
        return edits[from.length()][to.length()];
    }

    private static int cheapest(int[][] edits, String from, String to, int i, int j) {
        var same = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
        var cost =
                Math.min(
                        edits[i - 1][j - 1] + same, Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
        var swapped =
                i > 1
                        && j > 1
                        && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1);
        return swapped ? Math.min(cost, edits[i - 2][j - 2] + 1) : cost;
    }
}
