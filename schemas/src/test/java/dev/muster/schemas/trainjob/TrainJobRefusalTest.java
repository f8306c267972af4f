package dev.muster.schemas.trainjob;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.schemas.trainjob.TrainJobForm.Read;
import dev.muster.schemas.trainjob.TrainJobForm.Refused;
import dev.muster.v1.Problem;
import dev.muster.v1.RoleSpec;
import dev.muster.v1.TrainJobSpec;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrainJobRefusalTest {
    private static final String HEAD =
            """
            apiVersion: muster.dev/v1
            kind: TrainJob
            metadata: {name: hello}
            """;
    private static final String WORKER =
            "{name: worker, template: {spec: {containers: [{name: main}]}}}";
    private static final String TEMPLATE = "{\"spec\":{\"containers\":[{\"name\":\"main\"}]}}";

    @ParameterizedTest
    @MethodSource
    void whatIsWrongIsSaidWithPathValueAndWhatIsAllowed(String field, String problem) {
        assertThat(told(HEAD + "spec: {" + field + ", roles: [" + WORKER + "]}"))
                .isEqualTo(problem);
    }

    static Stream<Arguments> whatIsWrongIsSaidWithPathValueAndWhatIsAllowed() {
        return Stream.of(
                row("queu: a", "spec.queu||is not a known field; did you mean queue?"),
                row(
                        "gang: {tmeout: 1s}",
                        "spec.gang.tmeout||is not a known field; did you mean timeout?"),
                row(
                        "gang: {wall: 1}",
                        "spec.gang.wall||is not a known field; known here are min, timeout, topology"),
                row(
                        "queue: Team_A",
                        "spec.queue|Team_A|must be a DNS label: at most 63 of a-z, 0-9 and '-', beginning and ending with a letter or digit"),
                row(
                        "queue: 7",
                        "spec.queue|7|must be a DNS label: at most 63 of a-z, 0-9 and '-', beginning and ending with a letter or digit"),
                row(
                        "priority: high",
                        "spec.priority|high|must be a whole number from -1,000,000,000 to 1,000,000,000"),
                row(
                        "priority: 1.5",
                        "spec.priority|1.5|must be a whole number from -1,000,000,000 to 1,000,000,000"),
                row(
                        "framework: pytorhc",
                        "spec.framework|pytorhc|must be one of none, pytorch, horovod, dlrover; did you mean pytorch?"),
                row(
                        "framework: [a]",
                        "spec.framework|[\"a\"]|must be one of none, pytorch, horovod, dlrover"),
                row(
                        "nprocPerNode: 0",
                        "spec.nprocPerNode|0|must be a whole number from 1 to 1,024, or gpu"),
                row(
                        "nprocPerNode: cpu",
                        "spec.nprocPerNode|cpu|must be a whole number from 1 to 1,024, or gpu"),
                row(
                        "nprocPerNode: 1025",
                        "spec.nprocPerNode|1025|must be a whole number from 1 to 1,024, or gpu"),
                row(
                        "nprocPerNode: '1025'",
                        "spec.nprocPerNode|1025|must be a whole number from 1 to 1,024, or gpu"),
                row(
                        "gang: {min: 20001}",
                        "spec.gang.min|20001|must be a whole number from 1 to 20,000"),
                row(
                        "masterPort: 70000",
                        "spec.masterPort|70000|must be a whole number from 1 to 65,535"),
                row("suspend: 'yes'", "spec.suspend|yes|must be true or false"),
                row("after: {job: a}", "spec.after|{\"job\":\"a\"}|must be a list"),
                row("after: [{phase: Ended}]", "spec.after[0].job||is required"),
                row(
                        "after: [{job: a, phase: succeeded}]",
                        "spec.after[0].phase|succeeded|must be one of Succeeded, Ended; did you mean Succeeded?"),
                row(
                        "gang: {timeout: -5s}",
                        "spec.gang.timeout|-5s|must be a duration such as 90s, 10m, 1h30m or 0s, not negative"),
                row(
                        "gang: {timeout: 30}",
                        "spec.gang.timeout|30|must be a duration such as 90s, 10m, 1h30m or 0s, not negative"),
                row(
                        "gang: {timeout: 9999999999h}",
                        "spec.gang.timeout|9999999999h|is longer than 292 years"),
                row("gang: 5", "spec.gang|5|must be a set of fields"),
                row("elastic: {min: 1}", "spec.elastic.max||is required"),
                row(
                        "success: {when: All}",
                        "spec.success.when|All|must be one of AllSucceeded, AnySucceeded, RoleSucceeded"),
                row(
                        "ttlAfterFinished: forever",
                        "spec.ttlAfterFinished|forever|must be a duration such as 90s, 10m, 24h or 0s, not negative, or never"),
                row(
                        "resourceLimits: {cpu: lots}",
                        "spec.resourceLimits.cpu|lots|must be a quantity as in Kubernetes, such as 500m, 2, 1.5 or 64Gi, not negative"),
                row(
                        "resourceLimits: {nvidia.com/gpu: -1}",
                        "spec.resourceLimits['nvidia.com/gpu']|-1|must be a quantity as in Kubernetes, such as 500m, 2, 1.5 or 64Gi, not negative"),
                row(
                        "failure: {rules: [{exitCodes: [256], action: Fail}]}",
                        "spec.failure.rules[0].exitCodes[0]|256|must be an exit code from 0 to 255, or a range such as 100-110"),
                row(
                        "failure: {rules: [{exitCodes: [9-300], action: Fail}]}",
                        "spec.failure.rules[0].exitCodes[0]|9-300|must be an exit code from 0 to 255, or a range such as 100-110"),
                row(
                        "failure: {rules: [{exitCodes: [9-3], action: Fail}]}",
                        "spec.failure.rules[0].exitCodes[0]|9-3|must be a range from the smaller to the larger exit code"),
                row(
                        "failure: {rules: [{reasons: [Evicted]}]}",
                        "spec.failure.rules[0].action||is required"),
                row(
                        "failure: {rules: [{action: Fail, factor: 2}]}",
                        "spec.failure.rules[0].factor|2|is allowed with action GrowMemory only"),
                row(
                        "failure: {rules: [{action: GrowMemory, factor: 1}]}",
                        "spec.failure.rules[0].factor|1|must be a number above 1, at most 100"));
    }

    @ParameterizedTest
    @MethodSource
    void aRoleIsCheckedToo(String role, String problem) {
        assertThat(told(HEAD + "spec: {roles: [" + WORKER + ", " + role + "]}")).isEqualTo(problem);
    }

    static Stream<Arguments> aRoleIsCheckedToo() {
        var good = "name: ps, template: {spec: {containers: [{name: main}]}}";
        return Stream.of(
                row(
                        "{" + good + ", replicas: 0}",
                        "spec.roles[1].replicas|0|must be a whole number from 1 to 10,000"),
                row(
                        "{" + good + ", replicas: 10001}",
                        "spec.roles[1].replicas|10001|must be a whole number from 1 to 10,000"),
                row(
                        "{" + good + ", min: 0}",
                        "spec.roles[1].min|0|must be a whole number from 1 to 10,000"),
                row(
                        "{" + good + ", replica: 2}",
                        "spec.roles[1].replica||is not a known field; did you mean replicas?"),
                row(
                        "{" + good + ", spot: {cuont: 2}}",
                        "spec.roles[1].spot.cuont||is not a known field; did you mean count?"),
                row(
                        "{" + good + ", critical: [-1]}",
                        "spec.roles[1].critical[0]|-1|must be a whole number from 0 to 9,999"),
                row("{name: ps}", "spec.roles[1].template||is required"),
                row(
                        "{name: p-s, template: {spec: {containers: [{name: a}]}}}",
                        "spec.roles[1].name|p-s|must be a role's name: at most 63 of a-z and 0-9"),
                row("{name: ps, template: 5}", "spec.roles[1].template|5|must be a set of fields"),
                row("{name: ps, template: {}}", "spec.roles[1].template.spec||is required"),
                row(
                        "{name: ps, template: {spec: {}}}",
                        "spec.roles[1].template.spec.containers||is required"),
                row(
                        "{name: ps, template: {spec: {containers: []}}}",
                        "spec.roles[1].template.spec.containers|[]|must be a list of one or more"),
                row(
                        "{name: ps, template: {spec: {containers: [{}]}}}",
                        "spec.roles[1].template.spec.containers[0].name||is required"),
                row(
                        "{name: ps, template: {spec: {restartPolicy: No, containers: [{name: a}]}}}",
                        "spec.roles[1].template.spec.restartPolicy|No|must be one of Never, OnFailure, Always"),
                row(
                        "{name: ps, template: {spec: {containers: [{name: a, resources: {limits: {cpu: 1x}}}]}}}",
                        "spec.roles[1].template.spec.containers[0].resources.limits.cpu|1x|must be a quantity as in Kubernetes, such as 500m, 2, 1.5 or 64Gi, not negative"));
    }

    @ParameterizedTest
    @MethodSource
    void aTextThatIsNoJobIsRefusedInOneSentence(String text, String problem) {
        assertThat(told(text)).isEqualTo(problem);
    }

    static Stream<Arguments> aTextThatIsNoJobIsRefusedInOneSentence() {
        var job = HEAD + "spec: {roles: [" + WORKER + "]}\n";
        return Stream.of(
                argumentSet("nothing", "", "||must be a TrainJob"),
                argumentSet("a word", "hello", "|hello|must be a TrainJob"),
                argumentSet("no kind", job.replace("kind: TrainJob\n", ""), "kind||is required"),
                argumentSet(
                        "kind",
                        job.replace("TrainJob", "PyTorchJob"),
                        "kind|PyTorchJob|must be TrainJob"),
                argumentSet(
                        "version",
                        job.replace("dev/v1", "dev/v2"),
                        "apiVersion|muster.dev/v2|must be muster.dev/v1"),
                argumentSet(
                        "no roles",
                        HEAD + "spec: {roles: []}",
                        "spec.roles|[]|must be a list of one or more"),
                argumentSet(
                        "no name", job.replace("name: hello", ""), "metadata.name||is required"),
                argumentSet(
                        "reserved label",
                        job.replace("{name: hello}", "{name: hello, labels: {muster.dev/uid: x}}"),
                        "metadata.labels['muster.dev/uid']|muster.dev/uid|must be a key as Kubernetes allows it, and not one under muster.dev/"),
                argumentSet(
                        "number as label",
                        job.replace("{name: hello}", "{name: hello, labels: {run: 7}}"),
                        "metadata.labels.run|7|must be a label's value: text (in quotes if it looks like a number) of at most 63 letters, digits, '-', '_' and '.'"),
                argumentSet(
                        "name twice",
                        "kind: TrainJob\nkind: TrainJob\n",
                        "||the text is not YAML: found duplicate key kind, line 2 column 1"),
                argumentSet(
                        "name twice in JSON",
                        "{\"kind\": 1,\n\"kind\": 2}",
                        "||the text is not JSON: Duplicate Object property \"kind\", line 2 column 7"),
                argumentSet(
                        "not YAML",
                        "a: [1,\nb: }",
                        "||the text is not YAML: expected the node content, but found '}', line 2 column 4"),
                argumentSet(
                        "two documents",
                        job + "---\n" + job,
                        "||the text holds a second document, and only one is taken, line 5 column 1"),
                argumentSet(
                        "too long",
                        "#".repeat(TrainJobForm.MAX_LENGTH + 1),
                        "|1048577 characters|the text is too long: at most 1048576 characters are allowed"),
                argumentSet(
                        "too deep",
                        "[".repeat(100_000),
                        "||the text is nested deeper than 100 levels"),
                argumentSet(
                        "itself inside",
                        "a: &a {b: *a}",
                        "||the text is nested deeper than 100 levels"));
    }

    @Test
    void aliasesThatGrowWithoutBoundAreRefused() {
        var bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for (var i = 1; i < 9; i++) {
            bomb.append("a%d: &a%d [".formatted(i, i))
                    .append(Stream.generate(() -> "*a").limit(5).collect(joining((i - 1) + ", ")))
                    .append((i - 1) + "]\n");
        }
        assertThat(told(bomb.toString()))
                .isEqualTo("||the text has more than 200000 fields and items");
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whateverTheTextTheAnswerIsAJobOrItsProblems(long seed) {
        var random = new Random(seed);
        var good = TrainJobFormTest.resource("all-fields.yaml");
        var bits =
                List.of("{", "}", "[", "]", ": ", "- ", "&a", "*a", "~", "!!x", "\t", "\n", "9e9");
        for (var i = 0; i < 100; i++) {
            var text = new StringBuilder(good);
            for (var edits = random.nextInt(4); edits >= 0; edits--) {
                var at = random.nextInt(text.length() - 10);
                var bit = bits.get(random.nextInt(bits.size()));
                text.replace(at, at + random.nextInt(10), bit);
            }
            if (TrainJobForm.read(text.toString()) instanceof Refused(var problems, var _)) {
                assertThat(problems).isNotEmpty();
            }
        }
    }

    @Test
    void aValueOfAMebibyteIsRefusedToo() {
        var long1 = "1s".repeat(400_000);
        assertThat(told(HEAD + "spec: {gracePeriod: " + long1 + ", roles: [" + WORKER + "]}"))
                .startsWith("spec.gracePeriod|1s1s1s");
        var long2 = "a.".repeat(400_000);
        assertThat(told(HEAD + "spec: {priorityClass: " + long2 + ", roles: [" + WORKER + "]}"))
                .startsWith("spec.priorityClass|a.a.");
    }

    @Test
    void tenErrorsAreTenProblemsInTheOrderOfTheText() {
        assertThat(told(TrainJobFormTest.resource("ten-errors.yaml")))
                .isEqualToNormalizingNewlines(TrainJobFormTest.resource("ten-errors.txt").strip());
    }

    @Test
    void jobWithABadNameCanStillBeJudged() {
        var job = HEAD.replace("hello", "No_Label") + "spec: {roles: [" + WORKER + "]}";
        var rest = ((Refused) TrainJobForm.read(job)).rest();
        assertThat(rest).isNotNull();
        assertThat(rest.name()).isEqualTo("No_Label");
    }

    @Test
    void theRestOfARefusedJobCanStillBeJudged() {
        var job = HEAD + "spec: {queue: 7, priority: 3, roles: [" + WORKER + "]}";
        assertThat(((Refused) TrainJobForm.read(job)).rest())
                .isEqualTo(
                        new Read(
                                "default",
                                "hello",
                                TrainJobSpec.newBuilder()
                                        .setPriority(3)
                                        .setRoles(
                                                List.of(
                                                        RoleSpec.newBuilder()
                                                                .setName("worker")
                                                                .setTemplate(TEMPLATE)
                                                                .build()))
                                        .build()));
    }

    @Test
    void problemsThatOnlyFollowFromOthersAreNotTold() {
        var form = new Refused(List.of(problem("spec.roles[1].replicas")), null);
        var name = problem("metadata.name");
        assertThat(
                        form.with(
                                List.of(
                                        problem("spec.roles[1].min"),
                                        problem("spec.gang.min"),
                                        problem("spec.queue"),
                                        name)))
                .containsExactly(problem("spec.roles[1].replicas"), problem("spec.queue"), name);
    }

    private static Problem problem(String path) {
        return new Problem(path, "", "is wrong");
    }

    private static Arguments row(String text, String problem) {
        return argumentSet(text, text, problem);
    }

    /** One line per problem: path|given|message. */
    private static String told(String text) {
        var read = TrainJobForm.read(text);
        assertThat(read).isInstanceOf(Refused.class);
        return ((Refused) read)
                .problems().stream()
                        .map(p -> p.getPath() + "|" + p.getGiven() + "|" + p.getMessage())
                        .collect(joining("\n"));
    }
}
