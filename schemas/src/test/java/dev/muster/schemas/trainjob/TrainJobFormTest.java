package dev.muster.schemas.trainjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.trainjob.TrainJobForm.Read;
import dev.muster.v1.DependencyPhase;
import dev.muster.v1.ElasticSpec;
import dev.muster.v1.ExitCodeRange;
import dev.muster.v1.FailureAction;
import dev.muster.v1.FailureSpec;
import dev.muster.v1.RoleDependency;
import dev.muster.v1.RoleSpec;
import dev.muster.v1.ScalingPolicy;
import dev.muster.v1.TrainJobSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class TrainJobFormTest {
    private static final String HEAD =
            """
            apiVersion: muster.dev/v1
            kind: TrainJob
            metadata: {name: hello}
            """;
    private static final String WORKER =
            "{name: worker, template: {spec: {containers: [{name: main}]}}}";
    private static final String TEMPLATE = "{\"spec\":{\"containers\":[{\"name\":\"main\"}]}}";

    @Test
    void theSmallestJobLeavesEverythingElseToTheDefaults() {
        assertThat(TrainJobForm.read(HEAD + "spec: {roles: [" + WORKER + "]}"))
                .isEqualTo(
                        new Read(
                                "default",
                                "hello",
                                TrainJobSpec.newBuilder()
                                        .setRoles(List.of(worker().build()))
                                        .build()));
    }

    @Test
    void jsonSaysTheSameAsYaml() {
        var yaml = HEAD + "spec: {queue: team-a, roles: [" + WORKER + "]}";
        var json =
                """
                {"apiVersion": "muster.dev/v1", "kind": "TrainJob",
                \t"metadata": {"name": "hello"},
                \t"spec": {"queue": "team-a", "roles": [
                \t\t{"name": "worker", "template": {"spec": {"containers": [{"name": "main"}]}}}]}}
                """;
        assertThat(TrainJobForm.read(json))
                .isEqualTo(TrainJobForm.read(yaml))
                .isInstanceOf(Read.class);
    }

    @Test
    void yamlInFlowStyleIsNotTakenForJson() {
        var flow =
                "{apiVersion: muster.dev/v1, kind: TrainJob, metadata: {name: hello}, spec: {roles: ["
                        + WORKER
                        + "]}}";
        assertThat(TrainJobForm.read(flow)).isInstanceOf(Read.class);
    }

    @Test
    void everyFieldIsRead() {
        var spec = ((Read) TrainJobForm.read(resource("all-fields.yaml"))).spec();
        assertThat(spec.toString()).isEqualToIgnoringWhitespace(resource("all-fields.json"));
    }

    @Test
    void aJobWrittenOutIsReadAsTheSameJob() {
        for (var text :
                List.of(resource("all-fields.yaml"), HEAD + "spec: {roles: [" + WORKER + "]}")) {
            var job = (Read) TrainJobForm.read(text);
            var document = TrainJobDocument.of(job.namespace(), job.name(), job.spec());
            var written = JsonMapper.shared().writeValueAsString(document);
            assertThat(TrainJobForm.read(written)).isEqualTo(job);
        }
    }

    /** Two roles of 10,000 pods. */
    @Test
    void gangMayBeAllPodsThatAJobMayHave() {
        var text = HEAD + "spec: {gang: {min: 12000}, roles: [" + WORKER + "]}";
        var job = (Read) TrainJobForm.read(text);
        assertThat(job.spec().getGang().getMin()).isEqualTo(12_000);
        var document = TrainJobDocument.of(job.namespace(), job.name(), job.spec());
        var written = JsonMapper.shared().writeValueAsString(document);
        assertThat(TrainJobForm.read(written)).isEqualTo(job);
    }

    @Test
    void everyFieldOfTheContractIsInTheFullExample() {
        var defaults = TrainJobSpec.newBuilder().setRoles(List.of()).build();
        var full = ((Read) TrainJobForm.read(resource("all-fields.yaml"))).spec();
        for (var field : full.getSchema().getFields()) {
            assertThat(full.get(field.pos()))
                    .as(field.name())
                    .isNotEqualTo(defaults.get(field.pos()));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0", "0s, 0", "90s, 90000", "10m, 600000", "1h30m, 5400000", "24h, 86400000",
        "1.5h, 5400000", ".5s, 500", "1500us, 2", "1ns, 1", "+5s, 5000", "100ms, 100"
    })
    void durationsAreReadAsGoReadsThem(String text, long millis) {
        var job = HEAD + "spec: {gracePeriod: " + text + ", roles: [" + WORKER + "]}";
        assertThat(((Read) TrainJobForm.read(job)).spec().getGracePeriodMillis()).isEqualTo(millis);
    }

    @Test
    void timeToLiveMayBeNever() {
        assertThat(spec("ttlAfterFinished: never").getTtlAfterFinishedMillis()).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource({"4, 4", "gpu, gpu", "'\"2\"', 2", "1024, 1024", "'\"1024\"', 1024"})
    void processesAreANumberOrOnePerGpu(String text, String read) {
        assertThat(spec("nprocPerNode: " + text).getNprocPerNode()).isEqualTo(read);
    }

    @Test
    void exitCodesAreSingleOrRanges() {
        var rules =
                spec("failure: {rules: [{exitCodes: [42, 100-110, '7'], action: RestartGang}]}")
                        .getFailure()
                        .getRules();
        assertThat(rules.getFirst().getExitCodes())
                .containsExactly(
                        new ExitCodeRange(42, 42),
                        new ExitCodeRange(100, 110),
                        new ExitCodeRange(7, 7));
        assertThat(rules.getFirst().getAction()).isEqualTo(FailureAction.RESTART_GANG);
    }

    @Test
    void noDependenciesIsNotTheSameAsNoneGiven() {
        var roles =
                """
                roles:
                - {name: a, dependsOn: [], template: {spec: {containers: [{name: main}]}}}
                - {name: b, template: {spec: {containers: [{name: main}]}}}
                - {name: c, dependsOn: [{role: a}], template: {spec: {containers: [{name: main}]}}}
                """;
        var read = (Read) TrainJobForm.read(HEAD + "spec:\n" + roles.indent(2));
        assertThat(read.spec().getRoles())
                .extracting(RoleSpec::getDependsOn)
                .containsExactly(
                        List.of(), null, List.of(new RoleDependency("a", DependencyPhase.RUNNING)));
    }

    @Test
    void aFieldThatIsNullIsAbsent() {
        assertThat(spec("elastic: null").getElastic()).isNull();
        assertThat(spec("failure: {delay: ~}").getFailure())
                .isEqualTo(FailureSpec.newBuilder().build());
    }

    @Test
    void scalingBelongsToTheElasticRange() {
        assertThat(
                        spec("elastic: {min: 4, max: 16, scaling: {policy: capacity, cooldown: 1m}}")
                                .getElastic())
                .isEqualTo(new ElasticSpec(4, 16, ScalingPolicy.CAPACITY, 60_000L));
    }

    private static RoleSpec.Builder worker() {
        return RoleSpec.newBuilder().setName("worker").setTemplate(TEMPLATE);
    }

    private static TrainJobSpec spec(String field) {
        var read = TrainJobForm.read(HEAD + "spec: {" + field + ", roles: [" + WORKER + "]}");
        assertThat(read).isInstanceOf(Read.class);
        return ((Read) read).spec();
    }

    static String resource(String name) {
        try (var in = TrainJobFormTest.class.getResourceAsStream(name)) {
            return new String(
                    Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
