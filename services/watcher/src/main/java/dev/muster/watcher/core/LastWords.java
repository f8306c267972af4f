package dev.muster.watcher.core;

import org.jspecify.annotations.Nullable;

/** What a container that has ended left to be read: why it ended stands last. */
final class LastWords {
    private LastWords() {}

    /**
     * The end of what it left, behind {@code …} where that is not all.
     *
     * @param message null: it left nothing
     * @param longest so many characters of it at most
     */
    static String of(@Nullable String message, int longest) {
        if (message == null) {
            return "";
        }
        int from = message.length() - longest;
        if (from <= 0) {
            return message;
        }
        // Half of a letter could not be written down.
        return "…"
                + message.substring(
                        Character.isLowSurrogate(message.charAt(from)) ? from + 1 : from);
    }
}
