package dev.muster.cli.text;

import java.time.Duration;
import java.util.Locale;

/** Values as people read them. */
public final class Words {
    private Words() {}

    /**
     * {@code 45s}, {@code 12m}, {@code 3h}, {@code 9d}: the largest unit of which there are two.
     */
    public static String age(Duration age) {
        var seconds = Math.max(0, age.toSeconds());
        if (seconds < 120) {
            return seconds + "s";
        }
        if (seconds < 2 * 3600) {
            return seconds / 60 + "m";
        }
        return seconds < 2 * 86_400 ? seconds / 3600 + "h" : seconds / 86_400 + "d";
    }

    /** {@code ROLE_SUCCEEDED} as {@code RoleSucceeded}. */
    public static String constant(Enum<?> value) {
        var words = new StringBuilder();
        for (var word : value.name().split("_", -1)) {
            words.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return words.toString();
    }

    /**
     * In one line what may be the end of a log: it begins with who says it, and the cause stands in
     * the last line that has a word.
     */
    public static String sentence(String text) {
        var lines = text.lines().map(String::strip).filter(Words::hasWord).toList();
        return switch (lines.size()) {
            case 0 -> text.strip().replaceAll("\\s+", " ");
            case 1 -> lines.getFirst();
            default -> lines.getFirst() + " … " + lines.getLast();
        };
    }

    /** Not so a rule between paragraphs. */
    private static boolean hasWord(String line) {
        return line.codePoints().anyMatch(Character::isLetterOrDigit);
    }

    /** At most so many letters. */
    public static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most - 1) + "…";
    }
}
