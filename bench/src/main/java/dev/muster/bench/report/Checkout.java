package dev.muster.bench.report;

import dev.muster.cli.CommandFailedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What was measured.
 *
 * @param changed whether files other than results differ from the commit
 */
record Checkout(String commit, boolean changed) {

    static Checkout of(Path repository) {
        var commit = git(repository, "rev-parse", "--short", "HEAD");
        var changes = git(repository, "status", "--porcelain", "--", ".", ":!bench/results");
        return new Checkout(commit.isEmpty() ? "unknown" : commit, !changes.isEmpty());
    }

    /** What git prints; nothing where there is no git. */
    private static String git(Path repository, String... arguments) {
        var command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        try {
            var process =
                    new ProcessBuilder(command)
                            .directory(repository.toFile())
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            var text = process.getInputStream().readAllBytes();
            return process.waitFor() == 0 ? new String(text, StandardCharsets.UTF_8).strip() : "";
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandFailedException.failed("interrupted", e);
        }
    }

    @Override
    public String toString() {
        return commit + (changed ? ", with changes" : "");
    }
}
