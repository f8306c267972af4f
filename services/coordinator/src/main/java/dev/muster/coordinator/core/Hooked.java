package dev.muster.coordinator.core;

import org.jspecify.annotations.Nullable;

/**
 * How far the hook of a command has come.
 *
 * @param tries how many there were; those of attempts that ended do not count
 * @param done the last one ended well
 * @param exitCode of the last one that ended; null: none was seen
 * @param reason a code, of the last one that failed; empty: none did
 * @param output what the last one that ended left to be read; empty: nothing
 */
public record Hooked(
        int tries, boolean done, @Nullable Integer exitCode, String reason, String output) {
    /** Longer output is cut: its end says more. */
    static final int LONGEST_OUTPUT = 4096;

    /** The reason of one whose pod is not there yet: it waits for a slot in a quota. */
    static final String NO_QUOTA = "QuotaExceeded";

    static final Hooked BEGUN = new Hooked(0, false, null, "", "");

    public Hooked {
        output = output.substring(Math.max(0, output.length() - LONGEST_OUTPUT));
    }

    Hooked tried() {
        return new Hooked(tries + 1, false, exitCode, reason, output);
    }

    /** Its pod is not there yet, since the namespace may have no more. */
    Hooked waiting() {
        return new Hooked(tries, false, null, NO_QUOTA, "");
    }

    boolean isWaiting() {
        return !done && reason.equals(NO_QUOTA);
    }

    /** Its pod is there. */
    Hooked running() {
        return new Hooked(tries, false, null, "", "");
    }

    Hooked succeeded(String output) {
        return new Hooked(tries, true, 0, "", output);
    }

    Hooked failed(@Nullable Integer exitCode, String reason, String output) {
        return new Hooked(tries, false, exitCode, reason, output);
    }

    /** For people: what it had not done when the time of its command was over. */
    String lateness() {
        return "its hook did not end in time"
                + (isWaiting() ? ": it waited for a pod of its namespace's quota" : "");
    }

    /** For people: how it stands, as in "runs". */
    public String words() {
        if (done) {
            return tries == 1 ? "ended well" : "ended well in try " + tries;
        }
        if (reason.isEmpty()) {
            return "runs";
        }
        if (isWaiting()) {
            return "waits for a pod of its namespace's quota, all of which are used";
        }
        var how = reason.equals("Error") ? "exit code " + exitCode : reason;
        return "failed with %s in try %d".formatted(how, tries);
    }
}
