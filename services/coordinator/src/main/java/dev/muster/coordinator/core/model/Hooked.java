package dev.muster.coordinator.core.model;

import dev.muster.schemas.contract.Limits;
import org.jspecify.annotations.Nullable;

/**
 * How far the hook of a command has come. What the last try left is kept while the next one is made
 * and runs.
 *
 * @param tries how many were ordered; those of attempts that ended do not count
 * @param done the last one ended well
 * @param exitCode of the last one that ended; null: none was seen
 * @param reason a code, of the last one that ended, where that failed; empty: it did not
 * @param output what the last one that ended left to be read; empty: nothing
 * @param waiting the pod of the newest one is not there yet, since its namespace may have no more
 */
public record Hooked(
        int tries,
        boolean done,
        @Nullable Integer exitCode,
        String reason,
        String output,
        boolean waiting) {
    public static final Hooked BEGUN = new Hooked(0, false, null, "", "");

    public Hooked {
        // Its end says more.
        output = output.substring(Math.max(0, output.length() - Limits.HOOK_OUTPUT));
    }

    /** Of one that does not wait. */
    public Hooked(
            int tries, boolean done, @Nullable Integer exitCode, String reason, String output) {
        this(tries, done, exitCode, reason, output, false);
    }

    public Hooked tried() {
        return new Hooked(tries + 1, false, exitCode, reason, output);
    }

    /** Its pod is not there yet, since the namespace may have no more. */
    public Hooked waits() {
        return new Hooked(tries, false, exitCode, reason, output, true);
    }

    /** Its pod is there, or a slot for it. */
    public Hooked running() {
        return new Hooked(tries, false, exitCode, reason, output);
    }

    public Hooked succeeded(String output) {
        return new Hooked(tries, true, 0, "", output);
    }

    public Hooked failed(@Nullable Integer exitCode, String reason, String output) {
        return new Hooked(tries, false, exitCode, reason, output);
    }

    /** For people: what it had not done when the time of its command was over. */
    public String lateness() {
        return "its hook did not end in time"
                + (waiting ? ": it waited for a pod of its namespace's quota" : "");
    }

    /** For people: how it stands, as in "runs". */
    public String words() {
        if (done) {
            return tries == 1 ? "ended well" : "ended well in try " + tries;
        }
        if (waiting) {
            return "waits for a pod of its namespace's quota, all of which are used";
        }
        if (reason.isEmpty()) {
            return "runs";
        }
        var how = reason.equals("Error") ? "exit code " + exitCode : reason;
        return "failed with %s in try %d".formatted(how, tries);
    }
}
