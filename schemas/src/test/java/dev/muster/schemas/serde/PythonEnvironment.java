package dev.muster.schemas.serde;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.sandbox.process.Executables;
import dev.muster.sandbox.process.Launch;
import dev.muster.sandbox.process.MadeOnce;
import dev.muster.sandbox.process.PartFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** A Python of its own with packages of fixed versions, made once per machine and set of them. */
public final class PythonEnvironment {
    private static final Duration INSTALLING = Duration.ofMinutes(4);

    private PythonEnvironment() {}

    /**
     * Finds or makes it.
     *
     * @param requirements a file as pip takes it
     * @param options of pip's install
     * @param variables that the packages look at while they are made
     * @return its program {@code python3}
     * @throws PartFailedException when there is no Python 3 here, or the packages cannot be had
     */
    public static Path of(Path requirements, List<String> options, Map<String, String> variables) {
        var file = requirements.toAbsolutePath();
        var environment = MadeOnce.cache().resolve("python-" + digest(file));
        MadeOnce.at(environment, unfinished -> install(file, options, variables, unfinished));
        return environment.resolve("bin").resolve("python3");
    }

    private static void install(
            Path requirements, List<String> options, Map<String, String> variables, Path into)
            throws IOException {
        var python =
                Executables.find("python3")
                        .orElseThrow(() -> new PartFailedException("there is no python3 here"));
        Files.createDirectories(into);
        run(List.of(python.toString(), "-m", "venv", into.toString()), Map.of(), into);
        var pip = new ArrayList<String>();
        pip.addAll(List.of(into.resolve("bin/python3").toString(), "-m", "pip", "install", "-q"));
        pip.addAll(options);
        pip.addAll(List.of("-r", requirements.toString()));
        run(pip, variables, into);
    }

    private static void run(List<String> command, Map<String, String> variables, Path folder) {
        var log = folder.resolve("install.log");
        new Launch("python", command, variables, folder, log).run(INSTALLING);
    }

    private static String digest(Path file) {
        try {
            var sha = MessageDigest.getInstance("SHA-256");
            var digest = sha.digest(Files.readString(file).getBytes(UTF_8));
            return HexFormat.of().formatHex(digest, 0, 6);
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
