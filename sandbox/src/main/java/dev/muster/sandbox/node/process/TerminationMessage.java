package dev.muster.sandbox.node.process;

import dev.muster.sandbox.node.core.Launch;
import io.fabric8.kubernetes.api.model.Container;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a container leaves to be read of its end: its termination message or, where it failed
 * without one and says so, the end of its log. As a kubelet takes it, with the same bounds.
 */
public final class TerminationMessage {
    private static final int LONGEST = 4096;
    private static final int LONGEST_OF_LOG = 2048;
    private static final int LINES_OF_LOG = 80;
    private static final String FALLBACK = "FallbackToLogsOnError";

    private TerminationMessage() {}

    /**
     * Makes the empty file that the container writes to.
     *
     * @param root the folder that stands for its {@code /}
     */
    static void prepare(Container container, Path root) throws IOException {
        var said = container.getTerminationMessagePath();
        if (said != null) {
            var file = Path.of(Launch.mounts(container, root.toString()).place(said));
            if (!Files.isDirectory(file)) {
                Files.createDirectories(file.getParent());
                Files.writeString(file, "");
            }
        }
    }

    /**
     * The message of one that has ended; empty where it left none.
     *
     * @param root the folder that stands for its {@code /}
     */
    public static String of(Container container, Path root, Path log, int exitCode) {
        var said = container.getTerminationMessagePath();
        try {
            var message =
                    said == null
                            ? ""
                            : end(
                                    Path.of(Launch.mounts(container, root.toString()).place(said)),
                                    LONGEST);
            boolean isFallback = FALLBACK.equals(container.getTerminationMessagePolicy());
            return message.isEmpty() && isFallback && exitCode != 0
                    ? lastLines(end(log, LONGEST_OF_LOG))
                    : message;
        } catch (IOException e) {
            return "Error on reading termination log: " + e.getMessage();
        }
    }

    private static String end(Path file, int length) throws IOException {
        if (!Files.isRegularFile(file)) {
            return "";
        }
        try (var channel = Files.newByteChannel(file)) {
            channel.position(Math.max(0, channel.size() - length));
            var bytes = ByteBuffer.allocate(length);
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                continue;
            }
            return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
        }
    }

    private static String lastLines(String text) {
        var lines = text.lines().toList();
        return lines.size() <= LINES_OF_LOG
                ? text
                : String.join("\n", lines.subList(lines.size() - LINES_OF_LOG, lines.size()))
                        + "\n";
    }
}
