package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.deploy.FaultyApiServer.Fault;
import dev.muster.deploy.FaultyApiServer.How;
import dev.muster.sandbox.kafka.Kafka;
import dev.muster.sandbox.kubernetes.ControlPlane;
import dev.muster.sandbox.process.Place;
import dev.muster.sandbox.service.ServiceProcess;
import dev.muster.schemas.crash.Armed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the services stand on fails while jobs start, restart, are cancelled and are suspended: the
 * same holds as when services die.
 */
@Isolated
@Tag("crash")
@Tag("only-in-profile-crash")
class FaultsIT {
    private static final int JOBS_OF_EACH = 2;
    private static final long SEED = 5;
    private static final Duration PAUSE = Duration.ofSeconds(30);
    private static final Duration SILENCE = Duration.ofSeconds(15);

    /** Something that fails, or is mended. */
    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    @Test
    void podManagerThatSleptThirtySecondsHarmsNothing() throws Exception {
        var known = TheSystem.get().services().get("pod-manager");
        var other = ServiceProcess.start(place(), known.spec().named("pod-manager-2"));
        var sleeper = TheSystem.running("pod-manager");
        try {
            jobsLiveThrough(
                    "paused",
                    () -> {},
                    () -> {
                        TheSystem.signal(sleeper, "STOP");
                        pass(PAUSE);
                        TheSystem.signal(sleeper, "CONT");
                    });
        } finally {
            TheSystem.signal(sleeper, "CONT");
            other.stop();
        }
    }

    @Test
    void podOfALateWakerIsGoneWithinTenSecondsAndChangesNothing() throws Exception {
        try (var jobs = new JobsInSituations("late")) {
            wakesLate(
                    "late/master/0",
                    () -> jobs.prepare("late", Situation.CANCELLED),
                    () -> {
                        jobs.begin("late", false);
                        jobs.awaitEnds();
                    },
                    jobs);
            assertThat(jobs.broken()).isEmpty();
        }
    }

    /** Its job goes on meanwhile. */
    @Test
    void workerThatALateWakerMakesAfterItLeftIsGoneWithinTenSeconds() throws Exception {
        try (var jobs = new JobsInSituations("late")) {
            wakesLate(
                    "late/worker/1",
                    () -> jobs.prepare("late", Situation.SHRINKING),
                    () -> {
                        jobs.awaitPrepared("late");
                        jobs.begin("late", false);
                        jobs.awaitScaled("late");
                    },
                    jobs);
            assertThat(jobs.broken())
                    .as("but for the pod that is one too many")
                    .singleElement()
                    .asString()
                    .startsWith(
                            "late had pods {late/launcher/0=1, late/worker/0=1, late/worker/1=2},");
        }
    }

    /**
     * A pod-manager is stopped between asking whether the partition is its own and asking for the
     * pod of a rank; it wakes and makes that pod when another one has taken over.
     *
     * @param before begins what that pod is made for
     * @param meanwhile after which the rank has none any more
     */
    private static void wakesLate(String rank, Step before, Step meanwhile, JobsInSituations jobs)
            throws Exception {
        var known = TheSystem.get().services().get("pod-manager");
        var sleeper = TheSystem.running("pod-manager");
        var file = TheSystem.crashFile("pod-manager");
        var pod = rank.replace('/', '-');
        Files.writeString(file, "pod-manager.writing 1 name=" + pod + ", " + Armed.HOLD);
        ServiceProcess other = null;
        try {
            before.run();
            await().atMost(Duration.ofMinutes(1)).until(() -> !Files.exists(file));
            TheSystem.signal(sleeper, "STOP");
            other = ServiceProcess.start(place(), known.spec().named("pod-manager-2"));
            meanwhile.run();
            int pods = jobs.ranks().getOrDefault(rank, List.of()).size();
            TheSystem.signal(sleeper, "CONT");
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> jobs.ranks().getOrDefault(rank, List.of()).size() > pods);
            jobs.awaitEnds();
            jobs.awaitNothingLeft();
            assertThat(jobs.ends()).isEmpty();
        } finally {
            TheSystem.signal(sleeper, "CONT");
            if (other != null) {
                other.stop();
            }
        }
    }

    @Test
    void brokerIsKilledAndComesBack() throws Exception {
        jobsLiveThrough(
                "broker",
                () -> {},
                () -> {
                    TheSystem.running("kafka").kill();
                    var _ = Kafka.start(place());
                });
    }

    @Test
    void apiServerIsKilledAndComesBack() throws Exception {
        jobsLiveThrough(
                "apiserver",
                () -> {},
                () -> {
                    TheSystem.running("kube-apiserver").kill();
                    var _ = ControlPlane.start(place(), ControlPlane.Extent.ALL);
                });
    }

    /** What everybody has met once is known. */
    @Test
    void registryIsSilentWhileAllRun() throws Exception {
        var registry = TheSystem.running("registry");
        jobsLiveThrough(
                "unasked",
                () -> TheSystem.signal(registry, "STOP"),
                () -> {
                    pass(SILENCE);
                    TheSystem.signal(registry, "CONT");
                });
    }

    /** It cannot meanwhile, but what runs goes on, and what comes for it waits. */
    @ParameterizedTest
    @ValueSource(strings = {"admission", "coordinator", "pod-manager", "watcher"})
    void registryIsSilentWhileThereStarts(String service) throws Exception {
        var registry = TheSystem.running("registry");
        var begun = new AtomicReference<ServiceProcess>();
        jobsLiveThrough(
                "registry",
                () -> {
                    TheSystem.signal(registry, "STOP");
                    TheSystem.kill(service);
                    var known = TheSystem.get().services().get(service);
                    begun.set(ServiceProcess.begin(known.place(), known.spec()));
                },
                () -> {
                    pass(SILENCE);
                    TheSystem.signal(registry, "CONT");
                    begun.get().awaitReady();
                });
    }

    @ParameterizedTest
    @MethodSource
    void podManagerBearsAnApiServerThat(How how, int code) throws Exception {
        // A quarter of the writes, so that each is met by the fault sooner or later; in no rhythm,
        // which plans of as many writes could fall into.
        var chance = new Random(SEED);
        behindAFaultyApiServer(
                "pod-manager",
                "writes",
                new Fault(asked -> asked.isWrite() && chance.nextInt(4) == 0, how, code));
    }

    static Stream<Arguments> podManagerBearsAnApiServerThat() {
        return Stream.of(
                argumentSet("asks it to wait", How.REFUSED, 429),
                argumentSet("has an error of its own", How.REFUSED, 500),
                argumentSet("says that the name is taken", How.REFUSED, 409),
                argumentSet("does not know its rights yet", How.REFUSED, 403),
                argumentSet("does it and does not answer", How.DONE_WITHOUT_ANSWER, 0));
    }

    @ParameterizedTest
    @MethodSource
    void watcherBearsAnApiServerWhose(How how, int code, boolean onlySome) throws Exception {
        // In no rhythm, which a watch and its repetitions could fall into: it would never begin.
        var chance = new Random(SEED);
        Predicate<FaultyApiServer.Asked> watches =
                asked -> asked.isWatch() && (!onlySome || chance.nextBoolean());
        behindAFaultyApiServer("watcher", "watches", new Fault(watches, how, code));
    }

    static Stream<Arguments> watcherBearsAnApiServerWhose() {
        return Stream.of(
                argumentSet("history is too short", How.WATCH_TOO_OLD, 0, true),
                argumentSet("watches break", How.DONE_WITHOUT_ANSWER, 0, true),
                argumentSet("cache is behind", How.LATE, 0, false));
    }

    private static void behindAFaultyApiServer(String service, String prefix, Fault fault)
            throws Exception {
        var known = TheSystem.get().services().get(service);
        try (var between = new FaultyApiServer()) {
            var real = Path.of(known.spec().environment().get("KUBECONFIG"));
            var kubeconfig = between.kubeconfig(real, real.resolveSibling("faulty-kubeconfig"));
            var spec = known.spec().withVariable("KUBECONFIG", kubeconfig.toString());
            between.misbehave(fault);
            var _ = ServiceProcess.start(place(), spec);
            jobsLiveThrough(prefix, () -> {}, () -> {});
            assertThat(between.count()).isGreaterThan(2);
        } finally {
            var _ = ServiceProcess.start(place(), known.spec());
        }
    }

    /**
     * @param before what fails before the situations begin
     * @param meanwhile what fails, and is mended, just after they began
     */
    private static void jobsLiveThrough(String prefix, Step before, Step meanwhile)
            throws IOException, InterruptedException {
        try (var jobs = new JobsInSituations(prefix)) {
            var names = new ArrayList<String>();
            for (var situation : Situation.values()) {
                for (int i = 0; i < JOBS_OF_EACH; i++) {
                    var name = situation.word() + "-" + i;
                    jobs.prepare(name, situation);
                    names.add(name);
                }
            }
            names.forEach(jobs::awaitPrepared);
            before.run();
            names.forEach(name -> jobs.begin(name, false));
            meanwhile.run();
            jobs.awaitEnds();
            assertThat(jobs.ends()).isEmpty();
            assertThat(jobs.broken()).isEmpty();
            jobs.awaitNothingLeft();
        }
    }

    private static void pass(Duration time) {
        await().pollDelay(time).atMost(time.multipliedBy(2)).until(() -> true);
    }

    private static Place place() {
        return TheSystem.get().sandbox().place();
    }
}
