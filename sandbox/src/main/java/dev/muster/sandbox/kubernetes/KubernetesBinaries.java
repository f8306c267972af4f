package dev.muster.sandbox.kubernetes;

import dev.muster.sandbox.process.Executables;
import dev.muster.sandbox.process.Launch;
import dev.muster.sandbox.process.MadeOnce;
import dev.muster.sandbox.process.PartFailed;
import dev.muster.sandbox.process.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the programs of a control plane: in {@code KUBEBUILDER_ASSETS}, in the cache, or, once per
 * machine, by building them with Go.
 *
 * @param cache the folder {@code bin} of the cache
 * @param assets what KUBEBUILDER_ASSETS names
 * @param go Go's program
 */
public record KubernetesBinaries(
        Path cache, Optional<Path> assets, Optional<Path> go, Progress progress) {
    /** The API server takes 156 s on two cores with cold caches; downloads come on top. */
    private static final Duration LIMIT = Duration.ofMinutes(30);

    private static final String VERSION = "k8s.io/component-base/version.git";

    /** As this machine is set up. */
    public KubernetesBinaries(Progress progress) {
        this(
                MadeOnce.cache().resolve("bin"),
                Optional.ofNullable(System.getenv("KUBEBUILDER_ASSETS")).map(Path::of),
                Executables.find("go"),
                progress);
    }

    /**
     * The program's file.
     *
     * @throws PartFailed when it is nowhere and cannot be built
     */
    public Path find(GoProgram program) {
        return assets.map(folder -> folder.resolve(program.file()))
                .filter(Files::isExecutable)
                .orElseGet(() -> cachedOrBuilt(program));
    }

    /** The folder of KWOK's stages, which its program does not carry with it. */
    public Path kwokStages() {
        var module = GoModule.named(GoProgram.KWOK.module());
        return MadeOnce.at(
                cache.resolve(module.cacheFolder()).resolve("stage"),
                folder -> KwokStages.copy(module, go("KWOK's stages"), folder));
    }

    private Path cachedOrBuilt(GoProgram program) {
        var module = GoModule.named(program.module());
        var target = cache.resolve(module.cacheFolder()).resolve(program.file());
        return MadeOnce.at(
                target,
                unfinished ->
                        progress.during(
                                "building " + program.file() + " with Go, once",
                                () -> build(program, module, unfinished)));
    }

    private Path build(GoProgram program, GoModule module, Path target) {
        var builder = go(program.file());
        var log = target.resolveSibling(program.file() + "-build.log");
        try {
            var source = Files.createTempDirectory("muster-" + module.name());
            try {
                module.copyInto(source);
                var command =
                        List.of(
                                builder.toString(),
                                "build",
                                "-trimpath",
                                "-ldflags",
                                linkerFlags(module),
                                "-o",
                                target.toString(),
                                program.goPackage());
                new Launch("go build", command, Map.of("GOWORK", "off"), source, log).run(LIMIT);
            } finally {
                MadeOnce.remove(source);
            }
        } catch (IOException e) {
            throw new PartFailed("cannot build " + program.file() + ": " + e.getMessage(), e);
        }
        return target;
    }

    /** Without a version an API server calls itself v0.0.0, and clients take it for another. */
    private static String linkerFlags(GoModule module) {
        var numbers = module.version().substring(1).split("\\.", -1);
        return String.join(
                " ",
                "-s -w",
                "-X " + VERSION + "Version=" + module.version(),
                "-X " + VERSION + "Major=" + numbers[0],
                "-X " + VERSION + "Minor=" + numbers[1]);
    }

    private Path go(String wanted) {
        return go.orElseThrow(() ->
                new PartFailed(
                        wanted
                                + " is not there, and without Go it cannot be"
                                + " built: install Go 1.26 or newer, or let"
                                + " KUBEBUILDER_ASSETS name its folder"));
    }
}
