package dev.muster.cli.command;

import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** The reason of a change that the status of its jobs shows. */
final class MessageOption {
    @Option(
            names = {"-m", "--message"},
            paramLabel = "TEXT",
            description = "Reason to show in the job's status.")
    private String message = "";

    /** What else the change needs, and the message if there is one. */
    Map<String, Object> with(Map<String, ?> more) {
        var body = new TreeMap<String, Object>(more);
        if (!message.isEmpty()) {
            body.put("message", message);
        }
        return body;
    }
}
