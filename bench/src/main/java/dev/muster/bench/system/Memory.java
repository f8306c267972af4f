package dev.muster.bench.system;

import dev.muster.cli.CommandFailedException;
import dev.muster.sandbox.process.PartProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a process has of the machine's memory, as Linux counts it.
 *
 * @param own in MiB; of pages that it shares with other processes its part
 * @param resident in MiB, shared pages counted whole
 * @param peak in MiB: the most that was ever resident
 */
public record Memory(long own, long resident, long peak) {

    public static Memory of(PartProcess process) {
        var folder = Path.of("/proc", Long.toString(process.pid()));
        return new Memory(
                mebibytes(folder.resolve("smaps_rollup"), "Pss:"),
                mebibytes(folder.resolve("status"), "VmRSS:"),
                mebibytes(folder.resolve("status"), "VmHWM:"));
    }

    private static long mebibytes(Path file, String field) {
        try (var lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(field))
                    .map(line -> line.replaceAll("\\D", ""))
                    .mapToLong(Long::parseLong)
                    .map(kibibytes -> Math.ceilDiv(kibibytes, 1024L))
                    .findFirst()
                    .orElseThrow(() ->
                            CommandFailedException.failed(file + " does not say " + field, null));
        } catch (IOException e) {
            throw CommandFailedException.failed("cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
