package dev.muster.sandbox.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The classes that a JVM has loaded and linked, for the next one that runs the same program, which
 * then starts with half the work.
 *
 * <p>The JVM writes them itself when it ends in good order, so no start waits for them. One that is
 * killed leaves none; one that finds an archive of other jars, of another JDK, or half of one, does
 * without and writes it anew.
 */
public final class ClassArchive {
    /** Else a JVM tells of every class that it leaves out. */
    private static final String QUIET = "-Xlog:cds*=off";

    private ClassArchive() {}

    /**
     * The JVM's flags, which are the same whether the archive is there or not; none where the class
     * path has folders, of which no archive can be made.
     *
     * @param file the archive's, of this program alone
     */
    public static List<String> flags(Path file, String classPath) {
        var files = Stream.of(classPath.split(File.pathSeparator, -1)).map(Path::of);
        if (!files.allMatch(Files::isRegularFile)) {
            return List.of();
        }
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
        } catch (IOException e) {
            throw new PartFailedException(
                    "cannot make the folder of " + file + ": " + e.getMessage(), e);
        }
        return List.of("-XX:+AutoCreateSharedArchive", "-XX:SharedArchiveFile=" + file, QUIET);
    }
}
