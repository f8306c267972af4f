package dev.muster.sandbox.service;

import dev.muster.sandbox.process.MadeOnce;
import dev.muster.sandbox.process.PartFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What earlier builds of a service left in the cache, a hundred megabytes each: all go but the few
 * that were used last, those used within the hour, and those that a process still runs from.
 *
 * @param cache folder of all services
 * @param name of the jar, without the digest of the build
 */
record EarlierBuilds(Path cache, String name) {
    private static final int KEPT = 3;

    /** So long a build may be between its unpacking and the start of its process. */
    private static final Duration STARTING = Duration.ofHours(1);

    /**
     * @param used when it was started last
     */
    private record Build(Path folder, Instant used) {}

    /**
     * @param now of this machine's clock, as are the times of the folders
     */
    void forget(Instant now) {
        try {
            Files.createDirectories(cache);
            var unused =
                    newestFirst().stream()
                            .skip(KEPT)
                            .filter(build -> build.used().isBefore(now.minus(STARTING)))
                            .toList();
            var commands = unused.isEmpty() ? List.<String>of() : commandsThatRun();
            for (var build : unused) {
                if (commands.stream().noneMatch(line -> line.contains(build.folder().toString()))) {
                    MadeOnce.remove(build.folder());
                }
            }
        } catch (IOException e) {
            throw new PartFailedException("cannot tidy " + cache + ": " + e.getMessage(), e);
        }
    }

    private List<Build> newestFirst() throws IOException {
        var builds = new ArrayList<Build>();
        try (var folders = Files.newDirectoryStream(cache, name + "-*")) {
            for (var folder : folders) {
                builds.add(new Build(folder, Files.getLastModifiedTime(folder).toInstant()));
            }
        }
        builds.sort(Comparator.comparing(Build::used).reversed());
        return builds;
    }

    /** The arguments alone: the line as a whole is cut off where it is long. */
    private static List<String> commandsThatRun() {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::info)
                .map(ProcessHandle.Info::arguments)
                .flatMap(Optional::stream)
                .flatMap(Stream::of)
                .toList();
    }
}
