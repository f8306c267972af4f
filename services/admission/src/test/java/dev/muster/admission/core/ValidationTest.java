package dev.muster.admission.core;

import static dev.muster.admission.core.Jobs.dependsOn;
import static dev.muster.admission.core.Jobs.elastic;
import static dev.muster.admission.core.Jobs.gang;
import static dev.muster.admission.core.Jobs.minimum;
import static dev.muster.admission.core.Jobs.role;
import static dev.muster.admission.core.Jobs.special;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.admission.core.TrainJob.Checkpoint;
import dev.muster.admission.core.TrainJob.Cleanup;
import dev.muster.admission.core.TrainJob.Deadlines;
import dev.muster.admission.core.TrainJob.Dependency;
import dev.muster.admission.core.TrainJob.DependencyPhase;
import dev.muster.admission.core.TrainJob.Elastic;
import dev.muster.admission.core.TrainJob.Framework;
import dev.muster.admission.core.TrainJob.Gang;
import dev.muster.admission.core.TrainJob.ScalingPolicy;
import dev.muster.admission.core.TrainJob.Success;
import dev.muster.admission.core.TrainJob.SuccessWhen;
import dev.muster.admission.core.TrainJob.TopologyPolicy;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ValidationTest {
    private static final Duration AGO = Duration.ofSeconds(-1);
    private static final String LONG = "a".repeat(56);

    @Test
    void nothingIsWrongWithTheSmallestJob() {
        assertThat(problems(Jobs.smallest())).isEmpty();
    }

    @Test
    void nothingIsWrongWithAllThatThisReleaseDoes() {
        var job =
                Jobs.with(j -> {
                    j.framework = Framework.PYTORCH;
                    j.nprocPerNode = "gpu";
                    j.priority = 5;
                    j.priorityClass = "train-high";
                    j.suspend = true;
                    j.after = List.of(succeeded("data"));
                    j.labels = Map.of("team", "a", "example.com/x", "");
                    j.annotations = Map.of("note", "any text, even this");
                    j.gang = new Gang(2, Duration.ofMinutes(1), TopologyPolicy.PACK, "zone");
                    j.roles =
                            List.of(
                                    minimum(role("master", 1), 1),
                                    special(
                                            dependsOn(
                                                    minimum(role("worker", 2), 1),
                                                    running("master")),
                                            1,
                                            false,
                                            null,
                                            List.of()));
                    j.success = new Success(SuccessWhen.ROLE_SUCCEEDED, "master");
                    j.deadlines = Deadlines.NONE;
                    j.cleanup = Cleanup.NONE;
                    j.ttl = TrainJob.NEVER;
                    j.grace = Duration.ZERO;
                    j.checkpoint = Checkpoint.NONE;
                });
        assertThat(problems(job)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource
    void whatIsWrongIsSaidWithItsPath(Consumer<Jobs> change, String path, String given) {
        assertThat(problems(Jobs.with(change)))
                .extracting(Problem::path, Problem::given)
                .containsExactly(tuple(path, given));
    }

    static Stream<Arguments> whatIsWrongIsSaidWithItsPath() {
        return Stream.of(
                row("name no DNS label", j -> j.name = "ResNet", "metadata.name", "ResNet"),
                row("empty name", j -> j.name = "", "metadata.name", ""),
                row("namespace", j -> j.namespace = "-ml", "metadata.namespace", "-ml"),
                row("name with role and index", j -> j.name = LONG, "metadata.name", LONG),
                row("label", j -> j.labels = Map.of("a", "b c"), "metadata.labels.a", "b c"),
                row(
                        "our label",
                        j -> j.labels = Map.of("muster.dev/job", "x"),
                        "metadata.labels['muster.dev/job']",
                        "muster.dev/job"),
                row("queue", j -> j.queue = "Team A", "spec.queue", "Team A"),
                row("class", j -> j.priorityClass = "A_b", "spec.priorityClass", "A_b"),
                row("processes", j -> j.nprocPerNode = "0", "spec.nprocPerNode", "0"),
                row("1,025 processes", j -> j.nprocPerNode = "1025", "spec.nprocPerNode", "1025"),
                row("port", j -> j.masterPort = 65536, "spec.masterPort", "65536"),
                row(
                        "ssh without a launcher",
                        j -> j.shell = TrainJob.RemoteShell.SSH,
                        "spec.horovod.shell",
                        "ssh"),
                row("framework", j -> j.framework = Framework.UNKNOWN, "spec.framework", ""),
                row("no role", j -> j.roles = List.of(), "spec.roles", ""),
                row(
                        "too many roles",
                        j -> j.roles = Collections.nCopies(101, role("w", 1)),
                        "spec.roles",
                        "101"),
                row(
                        "two roles of one name",
                        j -> j.roles = List.of(role("worker", 1), role("worker", 2)),
                        "spec.roles[1].name",
                        "worker"),
                row(
                        "role's name",
                        j -> j.roles = List.of(role("work-er", 1)),
                        "spec.roles[0].name",
                        "work-er"),
                row("role of hooks", roles(role("hook", 1)), "spec.roles[0].name", "hook"),
                row("0 replicas", roles(role("w", 0)), "spec.roles[0].replicas", "0"),
                row("10,001 replicas", roles(role("w", 10_001)), "spec.roles[0].replicas", "10001"),
                row("min", roles(minimum(role("w", 2), 3)), "spec.roles[0].min", "3"),
                row("gang min", j -> j.gang = gang(2), "spec.gang.min", "2"),
                row(
                        "gang min below the roles'",
                        j -> {
                            j.roles = List.of(minimum(role("w", 4), 3), role("x", 1));
                            j.gang = gang(2);
                        },
                        "spec.gang.min",
                        "2"),
                row(
                        "gang timeout",
                        j -> j.gang = new Gang(null, AGO, TopologyPolicy.NONE, null),
                        "spec.gang.timeout",
                        "-1s"),
                row("success", success(SuccessWhen.UNKNOWN, null), "spec.success.when", ""),
                row(
                        "success of no role",
                        success(SuccessWhen.ROLE_SUCCEEDED, null),
                        "spec.success.role",
                        ""),
                row(
                        "success of another role",
                        success(SuccessWhen.ROLE_SUCCEEDED, "ps"),
                        "spec.success.role",
                        "ps"),
                row(
                        "role beside any",
                        success(SuccessWhen.ANY_SUCCEEDED, "worker"),
                        "spec.success.role",
                        "worker"),
                row(
                        "role beside all",
                        success(SuccessWhen.ALL_SUCCEEDED, "worker"),
                        "spec.success.role",
                        "worker"),
                row("empty topology key", topologyKey(""), "spec.gang.topology.key", ""),
                row("topology key", topologyKey("a b"), "spec.gang.topology.key", "a b"),
                row("ttl", j -> j.ttl = AGO, "spec.ttlAfterFinished", "-1s"),
                row("grace", j -> j.grace = AGO, "spec.gracePeriod", "-1s"),
                row("cleanup", j -> j.cleanup = Cleanup.UNKNOWN, "spec.cleanup", ""));
    }

    @ParameterizedTest
    @MethodSource
    void alsoOfLaterFieldsTheMistakesAreTold(Consumer<Jobs> change, String path, String message) {
        assertThat(problems(Jobs.with(change)))
                .anySatisfy(problem -> {
                    assertThat(problem.path()).isEqualTo(path);
                    assertThat(problem.message()).contains(message);
                });
    }

    static Stream<Arguments> alsoOfLaterFieldsTheMistakesAreTold() {
        var worker = role("worker", 2);
        return Stream.of(
                row("priority", j -> j.priority = 1_000_000_001, "spec.priority", "1,000,000,000"),
                row(
                        "after itself",
                        j -> j.after = List.of(succeeded("resnet")),
                        "spec.after[0].job",
                        "not this one"),
                row(
                        "after phase",
                        j -> j.after = List.of(running("data")),
                        "spec.after[0].phase",
                        "Succeeded or Ended"),
                row(
                        "after one twice",
                        j -> j.after = List.of(succeeded("data"), succeeded("data")),
                        "spec.after[1].job",
                        "named once"),
                row("elastic range", j -> j.elastic = range(3, 2), "spec.elastic.min", "is 2"),
                row("elastic nobody", j -> j.elastic = range(1, 2), "spec.elastic", "needs a role"),
                row("elastic how far", roles(elastic(worker)), "spec.elastic", "min and max"),
                row(
                        "two elastic roles",
                        roles(elastic(worker), elastic(role("ps", 1))),
                        "spec.roles[1].elastic",
                        "worker is elastic already"),
                row(
                        "elastic min",
                        j -> {
                            j.elastic = range(2, 4);
                            j.roles = List.of(elastic(minimum(worker, 1)));
                        },
                        "spec.roles[0].min",
                        "equal elastic.min, which is 2"),
                row(
                        "dependency on nobody",
                        roles(dependsOn(worker, running("data"))),
                        "spec.roles[0].dependsOn[0].role",
                        "another role of the job: worker"),
                row(
                        "dependency on an end",
                        roles(dependsOn(worker, new Dependency("a", DependencyPhase.ENDED))),
                        "spec.roles[0].dependsOn[0].phase",
                        "Running, Ready or Succeeded"),
                row(
                        "critical",
                        roles(special(worker, 0, false, null, List.of(2))),
                        "spec.roles[0].critical[0]",
                        "0 to 1"),
                row(
                        "spot",
                        roles(special(worker, 3, false, null, List.of())),
                        "spec.roles[0].spot.count",
                        "which is 2"),
                row(
                        "limits",
                        j -> j.limits = Map.of("cpu", "many"),
                        "spec.resourceLimits.cpu",
                        "quantity"),
                row(
                        "deadline",
                        j -> j.deadlines = new Deadlines(AGO, AGO, AGO),
                        "spec.deadlines.run",
                        "negative"));
    }

    @Test
    void ringOfDependenciesIsPrinted() {
        var job =
                Jobs.with(
                        roles(
                                dependsOn(role("master", 1), running("worker")),
                                dependsOn(role("worker", 1), running("ps")),
                                dependsOn(role("ps", 1), running("worker"))));
        assertThat(problems(job))
                .extracting(Problem::path, Problem::given)
                .contains(tuple("spec.roles", "worker -> ps -> worker"));
    }

    @Test
    void roleThatDependsOnItselfIsARing() {
        assertThat(problems(Jobs.with(roles(dependsOn(role("ps", 1), running("ps"))))))
                .extracting(Problem::given)
                .contains("ps -> ps");
    }

    @Test
    void requestOfExactlyTheLimitIsTaken() {
        assertThat(Validation.examine(Jobs.smallest(), 262_144).problems()).isEmpty();
    }

    @Test
    void requestAboveTheLimitIsRefused() {
        assertThat(Validation.examine(Jobs.smallest(), 262_145).problems())
                .extracting(Problem::path, Problem::given)
                .containsExactly(tuple("", "262,145 bytes"));
    }

    @Test
    void everythingWrongIsToldAtOnce() {
        var job =
                Jobs.with(j -> {
                    j.name = "No Label";
                    j.queue = "Q";
                    j.masterPort = 0;
                    j.framework = TrainJob.Framework.DLROVER;
                    j.ttl = AGO;
                    j.roles =
                            List.of(
                                    role("w", 0),
                                    role("w", 10_001),
                                    role("x", 1, Map.of("containers", List.of())));
                });
        assertThat(problems(job))
                .extracting(Problem::path)
                .containsExactlyInAnyOrder(
                        "metadata.name",
                        "spec.queue",
                        "spec.masterPort",
                        "spec.ttlAfterFinished",
                        "spec.framework",
                        "spec.roles[0].replicas",
                        "spec.roles[1].name",
                        "spec.roles[1].replicas",
                        "spec.roles[2].template.spec.containers");
    }

    /** Those that leave keep their index, so that others come with higher ones than it has pods. */
    @ParameterizedTest
    @CsvSource({"2, 51, true", "2, 52, false", "5000, 51, true", "5001, 51, false"})
    void nameHasRoomForEveryIndexThatAnElasticRoleMayComeTo(int max, int length, boolean fits) {
        var job =
                Jobs.with(j -> {
                    j.name = "a".repeat(length);
                    j.elastic = range(1, max);
                    j.roles = List.of(elastic(role("worker", 1)));
                });
        var tooLong = "is too long: with role and index";
        assertThat(problems(job).stream().anyMatch(p -> p.message().startsWith(tooLong)))
                .isEqualTo(!fits);
    }

    @Test
    void jobOfAClosedNamespaceIsRefusedThere() {
        var closed = Set.of("kube-system", "muster-system");
        var inside = Jobs.with(j -> j.namespace = "muster-system");
        assertThat(Validation.examine(inside, 1000, closed).problems())
                .singleElement()
                .returns("metadata.namespace", Problem::path)
                .returns("muster-system", Problem::given);
        assertThat(Validation.examine(Jobs.smallest(), 1000, closed).problems()).isEmpty();
    }

    @Test
    void longValueIsCutInTheMessage() {
        var name = "x".repeat(500);
        assertThat(problems(Jobs.with(j -> j.queue = name)).getFirst().given())
                .isEqualTo("x".repeat(79) + "…");
    }

    private static List<Problem> problems(TrainJob job) {
        return Validation.examine(job, 1000).problems();
    }

    private static Consumer<Jobs> roles(TrainJob.Role... roles) {
        return j -> j.roles = List.of(roles);
    }

    private static Consumer<Jobs> success(SuccessWhen when, String role) {
        return j -> j.success = new Success(when, role);
    }

    private static Consumer<Jobs> topologyKey(String key) {
        return j -> j.gang = new Gang(null, Duration.ofMinutes(5), TopologyPolicy.REQUIRE, key);
    }

    private static Dependency succeeded(String on) {
        return new Dependency(on, DependencyPhase.SUCCEEDED);
    }

    private static Dependency running(String on) {
        return new Dependency(on, DependencyPhase.RUNNING);
    }

    private static Elastic range(int min, int max) {
        return new Elastic(min, max, ScalingPolicy.NONE, Duration.ofMinutes(5));
    }

    private static Arguments row(String name, Consumer<Jobs> change, String path, String text) {
        return argumentSet(name, change, path, text);
    }
}
