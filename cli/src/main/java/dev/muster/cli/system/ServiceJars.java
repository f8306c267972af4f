package dev.muster.cli.system;

import dev.muster.cli.CommandFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where the services' executable jars and manifests are.
 *
 * @param repository the folder of the repository
 */
public record ServiceJars(Path repository) {
    private static final String HOME = "muster.home";

    /** Those of the repository that the script {@code muster} runs from. */
    public static ServiceJars ofThisRepository() {
        return new ServiceJars(home());
    }

    /** The folder of the repository, as the script says. */
    public static Path home() {
        var home = System.getProperty(HOME);
        if (home == null) {
            throw CommandFailedException.failed(
                    "run this by the script 'muster' at the root of the repository", null);
        }
        return Path.of(home);
    }

    /** What a deployment puts into a cluster. */
    Path manifests() {
        return repository.resolve("deploy").resolve("kustomize").resolve("base");
    }

    /** The executable jar of {@code services/NAME}. */
    public Path of(String service) {
        var target = repository.resolve("services").resolve(service).resolve("target");
        try (var jars = Files.newDirectoryStream(target, "*-exec.jar")) {
            for (var jar : jars) {
                return jar;
            }
        } catch (IOException e) {
            throw CommandFailedException.failed(
                    "service " + service + " is not built: no " + target, e);
        }
        throw CommandFailedException.failed(
                "service " + service + " is not built: no jar in " + target, null);
    }
}
