package dev.muster.sandbox.kubernetes;

import dev.muster.sandbox.process.Executables;
import dev.muster.sandbox.process.Launch;
import dev.muster.sandbox.process.Locked;
import dev.muster.sandbox.process.MadeOnce;
import dev.muster.sandbox.process.PartFailedException;
import dev.muster.sandbox.process.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
    /** All of a control plane takes some minutes of two cores; downloads come on top. */
    private static final Duration LIMIT = Duration.ofMinutes(30);

    /**
     * As the released programs are built, without C; and the compiler, which never runs for long,
     * collects no garbage before it has this much, which saves a quarter of its time.
     */
    private static final Map<String, String> ENVIRONMENT =
            Map.of("GOWORK", "off", "CGO_ENABLED", "0", "GOGC", "off", "GOMEMLIMIT", "1GiB");

    /** Nodes and pods go through their life at once, without invented delays. */
    private static final List<Path> STAGES =
            Stream.of("node", "pod")
                    .map(kind -> Path.of("kustomize", "stage", kind, "fast"))
                    .toList();

    /** All but how pods are deleted, which {@link Kwok} has its own stage for. */
    private static final String TAKEN_STAGES = "{node-*,pod-ready,pod-complete}.yaml";

    private static final List<Path> VOLCANO_FILES =
            Stream.of("crd/bases", "config")
                    .map(folder -> Path.of("installer", "helm", "chart", "volcano", folder))
                    .toList();

    private static final Path KUEUE_KINDS = Path.of("config", "components", "crd", "bases");

    private static final Path KUEUE_SHAPES = Path.of("test", "performance", "scheduler");

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
     * @throws PartFailedException when it is nowhere and cannot be built
     */
    public Path find(GoProgram program) {
        return find(List.of(program)).values().iterator().next();
    }

    /**
     * The programs' files. What is missing of one module is built by one command, which shares what
     * the programs have in common; others who want it at the same time, in whatever process, wait.
     *
     * @throws PartFailedException when one is nowhere and cannot be built
     */
    public Map<GoProgram, Path> find(Collection<GoProgram> programs) {
        var found = new EnumMap<GoProgram, Path>(GoProgram.class);
        var missing = new LinkedHashMap<String, List<GoProgram>>();
        for (var program : programs) {
            var file = given(program).orElseGet(() -> cached(program));
            found.put(program, file);
            if (!Files.exists(file)) {
                missing.computeIfAbsent(program.module(), _ -> new ArrayList<>()).add(program);
            }
        }
        missing.values().forEach(this::build);
        return found;
    }

    /** The folder of KWOK's stages, which its program does not carry with it. */
    public Path kwokStages() {
        var module = GoModule.named(GoProgram.KWOK.module());
        return MadeOnce.at(
                cache.resolve(module.cacheFolder()).resolve("stages"),
                folder ->
                        ModuleFiles.copy(
                                module, go("KWOK's stages"), STAGES, TAKEN_STAGES, folder));
    }

    /** The folder of Volcano's kinds and of its scheduler's settings. */
    public Path volcanoFiles() {
        var module = GoModule.named(GoProgram.VOLCANO_SCHEDULER.module());
        return MadeOnce.at(
                cache.resolve(module.cacheFolder()).resolve("files"),
                folder ->
                        ModuleFiles.copy(
                                module,
                                go("Volcano's kinds"),
                                VOLCANO_FILES,
                                "{scheduling,nodeinfo,volcano-scheduler.conf}*",
                                folder));
    }

    /** The folder of Kueue's kinds, which its measurement adds to an API server. */
    public Path kueueKinds() {
        return ofKueue("kinds", KUEUE_KINDS, "kueue*.yaml");
    }

    /** The shape that Kueue's measurement is published for. */
    public Path kueueShape() {
        var file = "default_generator_config.yaml";
        return ofKueue("shape", KUEUE_SHAPES, file).resolve(file);
    }

    private Path ofKueue(String what, Path folder, String glob) {
        var module = GoModule.named(GoProgram.KUEUE_RUNNER.module());
        return MadeOnce.at(
                cache.resolve(module.cacheFolder()).resolve(what),
                target ->
                        ModuleFiles.copy(
                                module, go("Kueue's " + what), List.of(folder), glob, target));
    }

    private Optional<Path> given(GoProgram program) {
        return assets.map(folder -> folder.resolve(program.file())).filter(Files::isExecutable);
    }

    private Path cached(GoProgram program) {
        return folder(program).resolve(program.file());
    }

    private Path folder(GoProgram program) {
        return cache.resolve(GoModule.named(program.module()).cacheFolder());
    }

    /** All of one module. */
    private void build(List<GoProgram> programs) {
        var names = programs.stream().map(GoProgram::file).collect(Collectors.joining(", "));
        var lock = folder(programs.getFirst()).resolve("build.lock");
        progress.during(
                "building " + names + " with Go, once",
                () -> {
                    try {
                        return Locked.by(lock, () -> buildAlone(programs));
                    } catch (IOException e) {
                        throw new PartFailedException(
                                "cannot build " + names + ": " + e.getMessage(), e);
                    }
                });
    }

    private boolean buildAlone(List<GoProgram> programs) throws IOException {
        var missing = programs.stream().filter(each -> !Files.exists(cached(each))).toList();
        if (missing.isEmpty()) {
            return false;
        }
        var builder = go(missing.getFirst().file());
        var module = GoModule.named(missing.getFirst().module());
        var folder = cache.resolve(module.cacheFolder());
        var unfinished = folder.resolve("unfinished");
        MadeOnce.remove(unfinished);
        Files.createDirectories(unfinished);
        var source = Files.createTempDirectory("muster-" + module.name());
        try {
            module.copyInto(source);
            var command = command(builder, missing, unfinished);
            new Launch("go build", command, ENVIRONMENT, source, folder.resolve("build.log"))
                    .run(LIMIT);
        } finally {
            MadeOnce.remove(source);
        }
        for (var program : missing) {
            var built = unfinished.resolve(program.file());
            Files.move(built, cached(program), StandardCopyOption.ATOMIC_MOVE);
        }
        MadeOnce.remove(unfinished);
        return true;
    }

    /** Go names several files itself, by their packages, and one as it is told. */
    private static List<String> command(Path go, List<GoProgram> programs, Path folder) {
        var module = GoModule.named(programs.getFirst().module());
        var target = programs.size() > 1 ? folder + "/" : folder + "/" + programs.getFirst().file();
        var command = new ArrayList<>(List.of(go.toString(), "build", "-trimpath"));
        command.addAll(List.of("-gcflags=all=-dwarf=false", "-ldflags", linkerFlags(module)));
        command.addAll(List.of("-o", target));
        programs.forEach(program -> command.add(program.goPackage()));
        return command;
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
                new PartFailedException(
                        wanted
                                + " is not there, and without Go it cannot be"
                                + " built: install Go 1.26 or newer, or let"
                                + " KUBEBUILDER_ASSETS name its folder"));
    }
}
