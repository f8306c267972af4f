package dev.muster.sandbox.node.core;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.regex.Pattern;

/**
 * The ports at which the ranks of a job meet. A framework binds them on every address of the
 * machine, so two jobs on one machine need two: the ports that a job's pods state in {@code
 * MASTER_PORT} and {@code PET_RDZV_ENDPOINT} are replaced, in all its pods alike.
 */
final class Rendezvous {
    private static final Pattern NUMBER = Pattern.compile("(?<before>)(?<port>[0-9]{1,5})");
    private static final Pattern ENDPOINT = Pattern.compile("(?<before>.*:)(?<port>[0-9]{1,5})");

    private final IntUnaryOperator port;
    private final Map<String, String> replaced = new LinkedHashMap<>();

    /**
     * @param port the job's port for one that its pods state
     */
    Rendezvous(IntUnaryOperator port) {
        this.port = port;
    }

    /** The value that the variable gets. */
    String of(String variable, String value) {
        return switch (variable) {
            case "MASTER_PORT" -> replace(NUMBER, value);
            case "PET_RDZV_ENDPOINT" -> replace(ENDPOINT, value);
            default -> value;
        };
    }

    /** Every port that was replaced so far, with its new one. */
    Map<String, String> replaced() {
        return replaced;
    }

    private String replace(Pattern form, String value) {
        var found = form.matcher(value);
        // An endpoint made of $(MASTER_PORT) has the new port already.
        if (!found.matches() || replaced.containsValue(found.group("port"))) {
            return value;
        }
        var other = replaced.computeIfAbsent(found.group("port"), this::other);
        return found.group("before") + other;
    }

    private String other(String stated) {
        return Integer.toString(port.applyAsInt(Integer.parseInt(stated)));
    }
}
