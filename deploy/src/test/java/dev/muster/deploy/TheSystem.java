package dev.muster.deploy;

import dev.muster.cli.kafka.QueueFile;
import dev.muster.cli.system.MusterSystem;
import dev.muster.cli.system.NodeSize;
import dev.muster.cli.system.ServiceJars;
import dev.muster.cli.system.Wanted;
import dev.muster.sandbox.process.Progress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The whole system, started once for the tests of this module, ended with their JVM. */
final class TheSystem {
    static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

    private TheSystem() {}

    static MusterSystem get() {
        return Once.SYSTEM;
    }

    private static final class Once {
        static final MusterSystem SYSTEM = up();

        private static MusterSystem up() {
            try {
                var folder = Files.createDirectories(Path.of("target", "system").toAbsolutePath());
                var wanted =
                        new Wanted(
                                Wanted.forThisJvm(Files.createTempDirectory(folder, "run-")),
                                new ServiceJars(REPOSITORY),
                                new NodeSize(4, "8Gi"),
                                new QueueFile(List.of()));
                return MusterSystem.up(wanted, Progress.silent());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
