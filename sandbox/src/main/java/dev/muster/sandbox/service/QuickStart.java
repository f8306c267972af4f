package dev.muster.sandbox.service;

import dev.muster.sandbox.process.Executables;
import dev.muster.sandbox.process.Launch;
import dev.muster.sandbox.process.MadeOnce;
import dev.muster.sandbox.process.PartFailed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What makes a service start in a second: its jar taken apart, and a cache of classes already
 * loaded and linked, which a first run that ends before it does anything leaves behind.
 *
 * @param jar the application's jar beside its libraries
 * @param classes the cache; empty when it is not wanted or could not be made, and then the start is
 *     only slower
 */
record QuickStart(Path jar, Optional<Path> classes) {
    private static final Logger LOG = LoggerFactory.getLogger(QuickStart.class);
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private static final Duration KEPT = Duration.ofDays(7);

    /** What failed once is not tried again by this JVM: a try takes many seconds. */
    private static final Set<Path> FAILED = ConcurrentHashMap.newKeySet();

    static QuickStart of(ServiceSpec spec, Path cache) {
        if (!Files.exists(spec.jar())) {
            throw new PartFailed(spec.jar() + " is not there: run mvn package");
        }
        var name = spec.jar().toFile().getName().replace(".jar", "");
        var folder = cache.resolve(name + "-" + digest(spec.jar()));
        if (!Files.exists(folder)) {
            forgetUnused(cache, name);
        }
        var apart = MadeOnce.at(folder.resolve("app"), target -> takeApart(spec, target));
        touch(folder);
        var jar = apart.resolve(spec.jar().getFileName());
        return new QuickStart(jar, classes(spec, jar, folder));
    }

    List<String> command(ServiceSpec spec, int port) {
        var command = new ArrayList<String>();
        command.add(Executables.java().toString());
        command.addAll(spec.jvmFlags());
        classes.ifPresent(file -> command.add("-XX:AOTCache=" + file));
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(List.of("-jar", jar.toString()));
        command.add("--server.port=" + port);
        command.addAll(spec.arguments());
        return command;
    }

    /** Every build of a service leaves a folder; those that no start has used for long go. */
    private static void forgetUnused(Path cache, String name) {
        var since = FileTime.from(Instant.now().minus(KEPT));
        try {
            Files.createDirectories(cache);
            try (var folders = Files.newDirectoryStream(cache, name + "-*")) {
                for (var folder : folders) {
                    if (Files.getLastModifiedTime(folder).compareTo(since) < 0) {
                        MadeOnce.remove(folder);
                    }
                }
            }
        } catch (IOException e) {
            throw new PartFailed("cannot tidy " + cache + ": " + e.getMessage(), e);
        }
    }

    private static void touch(Path folder) {
        try {
            Files.setLastModifiedTime(folder, FileTime.from(Instant.now()));
        } catch (IOException e) {
            throw new PartFailed("cannot write to " + folder + ": " + e.getMessage(), e);
        }
    }

    private static void takeApart(ServiceSpec spec, Path target) {
        var command =
                List.of(
                        Executables.java().toString(),
                        "-Djarmode=tools",
                        "-jar",
                        spec.jar().toAbsolutePath().toString(),
                        "extract",
                        "--destination",
                        target.toString());
        var log = target.resolveSibling("extract.log");
        new Launch("extract", command, Map.of(), target.resolveSibling("."), log).run(LIMIT);
    }

    /** Other flags or another JDK need another cache. */
    private static Optional<Path> classes(ServiceSpec spec, Path jar, Path folder) {
        if (!spec.cached()) {
            return Optional.empty();
        }
        var flags = String.join(" ", spec.jvmFlags()) + System.getProperty("java.vm.version");
        var digest = hex(sha256().digest(flags.getBytes(StandardCharsets.UTF_8)));
        var target = folder.resolve("classes-" + digest + ".aot");
        if (FAILED.contains(target)) {
            return Optional.empty();
        }
        try {
            return Optional.of(MadeOnce.at(target, unfinished -> train(spec, jar, unfinished)));
        } catch (PartFailed e) {
            FAILED.add(target);
            LOG.atWarn()
                    .addKeyValue("service", spec.name())
                    .addKeyValue("why", e.getMessage())
                    .log("starts without its cache of classes");
            return Optional.empty();
        }
    }

    /** Ends before anything is connected: Spring exits once all beans are made. */
    private static void train(ServiceSpec spec, Path jar, Path target) throws IOException {
        var command = new ArrayList<String>();
        command.add(Executables.java().toString());
        command.addAll(spec.jvmFlags());
        command.add("-XX:AOTCacheOutput=" + target);
        command.add("-Dspring.context.exit=onRefresh");
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(List.of("-jar", jar.toString(), "--server.port=0"));
        command.addAll(spec.arguments());
        var log = target.resolveSibling("train.log");
        var scratch = Files.createTempDirectory("muster-train");
        try {
            new Launch("training run", command, spec.environment(), scratch, log).run(LIMIT);
        } finally {
            MadeOnce.remove(scratch);
        }
        if (!Files.exists(target)) {
            throw new PartFailed("the training run left no cache; see " + log);
        }
    }

    private static String digest(Path jar) {
        var sha = sha256();
        try (var in = Files.newInputStream(jar)) {
            var block = new byte[1 << 16];
            for (int read = in.read(block); read >= 0; read = in.read(block)) {
                sha.update(block, 0, read);
            }
        } catch (IOException e) {
            throw new PartFailed("cannot read " + jar + ": " + e.getMessage(), e);
        }
        return hex(sha.digest());
    }

    private static String hex(byte[] digest) {
        return HexFormat.of().formatHex(digest, 0, 8);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
