package dev.muster.bench.system;

import dev.muster.sandbox.kubernetes.GoProgram;
import dev.muster.sandbox.kubernetes.KubernetesBinaries;
import dev.muster.sandbox.process.Launch;
import dev.muster.sandbox.process.MadeOnce;
import dev.muster.sandbox.process.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * What Kueue's own measurement says of Kueue, of the release that {@code sandbox/kube} pins: jobs
 * are its Workloads, at a real API server, and the measurement plays that they run.
 *
 * @param wall how long Kueue ran
 * @param cpu what Kueue itself took, without the API server
 * @param waits of each class of Workloads, how long they waited in the mean
 * @param jobs how many
 */
public record KueueItself(Duration wall, Duration cpu, Map<String, Duration> waits, long jobs) {
    private static final Duration LIMIT = Duration.ofMinutes(30);

    /** Runs it to its end. */
    public static KueueItself measure(Progress progress) throws IOException {
        var folder = Files.createTempDirectory("muster-bench-kueue-");
        var binaries = new KubernetesBinaries(progress);
        var programs =
                binaries.find(
                        List.of(
                                GoProgram.KUEUE_RUNNER,
                                GoProgram.MINIMAL_KUEUE,
                                GoProgram.KUBE_APISERVER,
                                GoProgram.ETCD));
        for (var program : List.of(GoProgram.KUBE_APISERVER, GoProgram.ETCD)) {
            Files.createSymbolicLink(folder.resolve(program.file()), found(programs, program));
        }
        var out = Files.createDirectory(folder.resolve("out"));
        var command =
                List.of(
                        found(programs, GoProgram.KUEUE_RUNNER).toString(),
                        "--o=" + out,
                        "--crds=" + binaries.kueueKinds(),
                        "--generatorConfig=" + binaries.kueueShape(),
                        "--minimalKueue=" + found(programs, GoProgram.MINIMAL_KUEUE),
                        "--withLogs=true",
                        "--logToFile=true",
                        "--timeout=" + LIMIT.toMinutes() + "m");
        var assets = Map.of("KUBEBUILDER_ASSETS", folder.toString());
        progress.during(
                "Kueue itself",
                () -> {
                    new Launch("kueue", command, assets, folder, folder.resolve("log")).run(LIMIT);
                    return true;
                });
        var read = read(out);
        MadeOnce.remove(folder);
        return read;
    }

    /** Reads what the measurement leaves in its folder. */
    static KueueItself read(Path out) throws IOException {
        var process = yaml(out.resolve("minimalkueue.stats.yaml"));
        var waits = new TreeMap<String, Duration>();
        long jobs = 0;
        var summary = yaml(out.resolve("summary.yaml"));
        for (var each : map(of(summary, "workloadClasses")).entrySet()) {
            var facts = map(each.getValue());
            waits.put(each.getKey(), Duration.ofMillis(number(facts, "averageTimeToAdmissionMs")));
            jobs += number(facts, "count");
        }
        return new KueueItself(
                Duration.ofMillis(number(process, "wallMs")),
                Duration.ofMillis(number(process, "userMs") + number(process, "sysMs")),
                waits,
                jobs);
    }

    private static Path found(Map<GoProgram, Path> programs, GoProgram program) {
        return Objects.requireNonNull(programs.get(program), program.file());
    }

    private static Map<String, ?> yaml(Path file) throws IOException {
        var load = new Load(LoadSettings.builder().setLabel(file.toString()).build());
        return map(load.loadFromString(Files.readString(file)));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, ?> map(Object value) {
        return (Map<String, ?>) value;
    }

    private static long number(Map<String, ?> facts, String name) {
        return ((Number) of(facts, name)).longValue();
    }

    private static Object of(Map<String, ?> facts, String name) {
        return Objects.requireNonNull(facts.get(name), name);
    }
}
