package dev.muster.podmanager.core;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** What an answer of the API server to a write means for the plan that wanted it. */
public sealed interface ApiAnswer {
    /** How authorization says no, whoever decides it; admission says it otherwise. */
    Pattern ROLES = Pattern.compile("forbidden: User \".*\" cannot [a-z]+ (resource|path) ");

    /** How the API server tells what a webhook says of one object. */
    String BY_WEBHOOK = "denied the request";

    /** It is so now. */
    record Done() implements ApiAnswer {}

    /** Something of that name is there, or not the object that was meant: look again. */
    record Changed() implements ApiAnswer {}

    /** Somebody else has edited fields of ours: nothing was written. */
    record Edited(String message) implements ApiAnswer {}

    /** It cannot be had; repeating cannot help. */
    record Refused(String reason, String message) implements ApiAnswer {}

    /**
     * The cluster's roles do not let us, so they say now: they may be about to be mended, and an
     * API server that has just started answers so before it knows them.
     *
     * @param atLeast how long the server asked us to wait, with this or with another write of the
     *     same plan; zero where it did not say
     */
    record Denied(String message, Duration atLeast) implements ApiAnswer {}

    /**
     * Not now.
     *
     * @param atLeast how long the server asked us to wait; zero where it did not say
     */
    record Later(String why, Duration atLeast) implements ApiAnswer {}

    /**
     * Reads a Status of the API server.
     *
     * <p>Refusals are what the server will say again: an invalid object, one that a policy forbids,
     * a missing namespace. A quota that is used up frees itself, a webhook that broke comes back,
     * and what Volcano's webhook turns away it takes later: all three are waited for.
     *
     * @param code of HTTP
     * @param reason of the Status, as in AlreadyExists; empty where there was none
     * @param causes the reasons that stand in the Status' details; none where it has none
     * @param retryAfter what the server asked for; zero where it did not say
     */
    static ApiAnswer of(
            int code, String reason, String message, List<String> causes, Duration retryAfter) {
        if (code >= 200 && code < 300) {
            return new Done();
        }
        return switch (code) {
            // A quota that another write changed at the same time answers Conflict as well.
            case 409 ->
                    causes.contains("FieldManagerConflict") ? new Edited(message) : new Changed();
            case 403 -> forbidden(reason, message, retryAfter);
            case 400, 404, 405, 410, 413, 415, 422 -> {
                if (isAnother(message)) {
                    yield new Changed();
                }
                yield isVolcanosForNow(message)
                        ? new Later(message, retryAfter)
                        : new Refused(reason.isEmpty() ? "HTTP " + code : reason, message);
            }
            default -> new Later("HTTP " + code + " " + message, retryAfter);
        };
    }

    /** Where edits are kept: they may have left what our fields do not go with. */
    default ApiAnswer besideEdits() {
        return this instanceof Refused(_, var message) ? new Edited(message) : this;
    }

    /** What is applied with the uid of one object meets another of its name. */
    private static boolean isAnother(String message) {
        return message.contains("metadata.uid: Invalid value");
    }

    /**
     * How Volcano's webhook turns away pods of a queue that is closed, closes, or is not made yet,
     * and all pods whose group it cannot look up now (release 1.10, {@code pods/validate}). It
     * gives no code, which the API server takes for 400.
     */
    private static boolean isVolcanosForNow(String message) {
        return message.contains(BY_WEBHOOK)
                && (message.contains("to queue with state `Open`")
                        || message.contains("unable to find job queue")
                        || message.contains("failed to get PodGroup for pod"));
    }

    /**
     * Whether the server asks everybody for quiet with how long it says to wait: as it does where
     * there is too much for it, and not where a webhook puts off one object.
     */
    static boolean isForAll(int code, String message) {
        return (code == 429 || code >= 500) && !message.contains(BY_WEBHOOK);
    }

    /** Whether authorization says no. */
    static boolean isDenial(String message) {
        return ROLES.matcher(message).find();
    }

    private static ApiAnswer forbidden(String reason, String message, Duration retryAfter) {
        if (isDenial(message)) {
            return new Denied(message, retryAfter);
        }
        return passes(message)
                ? new Later(message, retryAfter)
                : new Refused(reason.isEmpty() ? "Forbidden" : reason, message);
    }

    /**
     * Reads a 409 to who made what nobody changes afterwards: that it is there already is as good.
     * Any other conflict, as that of a quota which another write changed at the same time, made
     * nothing.
     */
    static ApiAnswer ofTaken(String reason, String message, Duration retryAfter) {
        return reason.equals("AlreadyExists")
                ? new Done()
                : new Later("HTTP 409 " + message, retryAfter);
    }

    /**
     * A quota that is full or not yet counted, and the default service account of a namespace that
     * was made a moment ago. A quota that asks for what the pod does not say ("must specify") will
     * ask again.
     */
    private static boolean passes(String message) {
        return message.contains("exceeded quota")
                || message.contains("status unknown for quota")
                || message.contains("serviceaccount \"default\" not found");
    }
}
