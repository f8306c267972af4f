package dev.muster.admission.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.admission.core.PodNeeds.Effect;
import dev.muster.admission.core.PodNeeds.Operator;
import dev.muster.admission.core.PodNeeds.Requirement;
import dev.muster.admission.core.PodNeeds.Restart;
import dev.muster.admission.core.PodNeeds.Term;
import dev.muster.admission.core.PodNeeds.Toleration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

class TemplateReaderTest {
    private static final String CONTAINER = "'containers': [{'name': 'c', 'image': 'i'}]";

    @Test
    void allThatADecisionNeedsIsRead() {
        assertThat(
                        read(
                                """
                                {'containers': [{'name': 'sidecar', 'image': 'i'}, {'name': 'main', 'image': 'i',
                                    'resources': {'limits': {'nvidia.com/gpu': 2}}}],
                                 'restartPolicy': 'OnFailure',
                                 'nodeSelector': {'zone': 'a'},
                                 'tolerations': [
                                    {'key': 'gpu', 'operator': 'Exists', 'effect': 'NoSchedule'},
                                    {'key': 'team', 'value': 'a'}, {'operator': 'Exists'}],
                                 'affinity': {'nodeAffinity': {
                                    'requiredDuringSchedulingIgnoredDuringExecution': {
                                        'nodeSelectorTerms': [
                                    {'matchExpressions': [
                                        {'key': 'a', 'operator': 'In', 'values': ['1', '2']},
                                        {'key': 'b', 'operator': 'NotIn', 'values': ['3']},
                                        {'key': 'c', 'operator': 'Exists'},
                                        {'key': 'd', 'operator': 'DoesNotExist'}]},
                                    {},
                                    {'matchExpressions': [
                                        {'key': 'e', 'operator': 'Gt', 'values': ['4']},
                                        {'key': 'f', 'operator': 'Lt', 'values': ['5']}],
                                     'matchFields': [{'key': 'metadata.name',
                                        'operator': 'In', 'values': ['n1']}]}]}}}}
                                """))
                .isEqualTo(
                        new PodNeeds(
                                "worker",
                                Map.of("nvidia.com/gpu", 2L, "pods", 1L),
                                Map.of("nvidia.com/gpu", 2L),
                                Map.of("zone", "a"),
                                List.of(
                                        new Term(
                                                List.of(
                                                        on("a", Operator.IN, "1", "2"),
                                                        on("b", Operator.NOT_IN, "3"),
                                                        on("c", Operator.EXISTS),
                                                        on("d", Operator.DOES_NOT_EXIST))),
                                        new Term(
                                                List.of(
                                                        on("e", Operator.GT, "4"),
                                                        on("f", Operator.LT, "5"),
                                                        new Requirement(
                                                                "metadata.name",
                                                                Operator.IN,
                                                                List.of("n1"),
                                                                true)))),
                                List.of(
                                        new Toleration("gpu", true, "", Effect.NO_SCHEDULE),
                                        new Toleration("team", false, "a", null),
                                        new Toleration("", true, "", null)),
                                Restart.ON_FAILURE,
                                "main",
                                false,
                                null,
                                null,
                                List.of(),
                                Map.of(),
                                List.of()));
    }

    @Test
    void graceIsWhatTheTemplateSaysWithinAYear() {
        assertThat(read("{'containers': [{'name': 'main', 'image': 'i'}]}").graceSeconds())
                .isNull();
        assertThat(grace("90")).isEqualTo(90);
        assertThat(grace("-1")).isZero();
        assertThat(grace("9000000000000000000")).isEqualTo(365L * 24 * 60 * 60);
    }

    private Long grace(String said) {
        var spec =
                "{'containers': [{'name': 'main', 'image': 'i'}],"
                        + " 'terminationGracePeriodSeconds': %s}";
        return read(spec.formatted(said)).graceSeconds();
    }

    @Test
    void withoutOneNamedMainTheFirstContainerIsTheMainOne() {
        var needs =
                read(
                        "{'containers': [{'name': 'first', 'image': 'i'}, {'name': 'second', 'image': 'i'}]}");
        assertThat(needs.mainContainer()).isEqualTo("first");
    }

    @Test
    void mustersOwnRestartIsTheDefault() {
        assertThat(read("{" + CONTAINER + "}").restart()).isEqualTo(Restart.NEVER);
    }

    @Test
    void alwaysIsTakenAsOnFailureWithAWarning() {
        var examined = examine("{" + CONTAINER + ", 'restartPolicy': 'Always'}");
        assertThat(examined.needs().getFirst().restart()).isEqualTo(Restart.ON_FAILURE);
        assertThat(examined.problems()).isEmpty();
        assertThat(examined.warnings())
                .extracting(Problem::path, Problem::given)
                .containsExactly(tuple("spec.roles[0].template.spec.restartPolicy", "Always"));
    }

    /** Of other containers it says nothing. */
    @ParameterizedTest
    @CsvSource({
        "OnFailure, Never, ON_FAILURE, 0",
        "Always, Never, ON_FAILURE, 1",
        "Never, OnFailure, NEVER, 0"
    })
    void policyOfTheMainContainerGoesBeforeThatOfItsPod(
            String own, String ofPod, Restart restart, int warnings) {
        var examined =
                examine(
                        "{'containers': [{'name': 'side', 'image': 'i'}, {'name': 'main', 'image':"
                                + " 'i', 'restartPolicy': '%s'}], 'restartPolicy': '%s'}"
                                        .formatted(own, ofPod));
        assertThat(examined.problems()).isEmpty();
        assertThat(examined.needs().getFirst().restart()).isEqualTo(restart);
        assertThat(examined.warnings())
                .extracting(Problem::path)
                .hasSize(warnings)
                .allMatch("spec.roles[0].template.spec.containers[1].restartPolicy"::equals);
    }

    /** Kubernetes does not count such a pod in quotas with scope NotTerminating; a pool does. */
    @Test
    void podsThatHaveADeadlineOfTheirOwnAreWarnedOf() {
        var examined = examine("{" + CONTAINER + ", 'activeDeadlineSeconds': 3600}");
        assertThat(examined.problems()).isEmpty();
        assertThat(examined.warnings())
                .extracting(Problem::path, Problem::given)
                .containsExactly(
                        tuple("spec.roles[0].template.spec.activeDeadlineSeconds", "3600"));
        assertThat(examine("{" + CONTAINER + "}").warnings()).isEmpty();
    }

    @Test
    void whatTheMainContainerTakesFromElsewhereIsWarnedOf() {
        var sources = "'envFrom': [{'secretRef': {'name': 'keys'}}]";
        var examined =
                examine(
                        "{'containers': [{'name': 'main', 'image': 'i', %s},".formatted(sources)
                                + " {'name': 'other', 'image': 'i', %s}]}".formatted(sources));
        assertThat(examined.problems()).isEmpty();
        assertThat(examined.warnings())
                .extracting(Problem::path)
                .containsExactly("spec.roles[0].template.spec.containers[0].envFrom");
    }

    @ParameterizedTest
    @MethodSource
    void whatIsWrongWithATemplateIsSaidWithItsPath(String spec, String path) {
        assertThat(examine(spec.contains("containers") ? "{" + spec + "}" : join(spec)).problems())
                .extracting(Problem::path)
                .containsOnly("spec.roles[0].template.spec." + path);
    }

    static Stream<Arguments> whatIsWrongWithATemplateIsSaidWithItsPath() {
        var terms =
                "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"
                        + ".nodeSelectorTerms";
        return Stream.of(
                argumentSet("no container", "'containers': []", "containers"),
                argumentSet("containers no list", "'containers': {'a': 1}, 'x': []", "containers"),
                argumentSet(
                        "two named main",
                        "'containers': [{'name': 'main', 'image': 'i'}, {'name': 'main', 'image': 'i'}]",
                        "containers"),
                argumentSet("no name", "'containers': [{'image': 'i'}]", "containers[0].name"),
                argumentSet("no image", "'containers': [{'name': 'c'}]", "containers[0].image"),
                argumentSet(
                        "blank image",
                        "'containers': [{'name': 'c', 'image': ' '}]",
                        "containers[0].image"),
                argumentSet(
                        "no image of an init container",
                        "'initContainers': [{'name': 'i'}]",
                        "initContainers[0].image"),
                argumentSet(
                        "variable twice",
                        "'containers': [{'name': 'c', 'image': 'i', 'env':"
                                + " [{'name': 'A'}, {'name': 'B'}, {'name': 'A', 'value': 'x'}]}]",
                        "containers[0].env[2].name"),
                argumentSet(
                        "variable of an init container twice",
                        "'initContainers': [{'name': 'i', 'image': 'i', 'env': [{'name': 'A'}, {'name': 'A'}]}]",
                        "initContainers[0].env[1].name"),
                argumentSet("policy", "'restartPolicy': 'Sometimes'", "restartPolicy"),
                argumentSet("node name", "'nodeName': 'n1'", "nodeName"),
                argumentSet("host network", "'hostNetwork': true", "hostNetwork"),
                argumentSet("selector", "'nodeSelector': {'a': 1}", "nodeSelector.a"),
                argumentSet("overhead", "'overhead': {'cpu': 'x'}", "overhead.cpu"),
                argumentSet(
                        "pod-level limit",
                        "'resources': {'limits': {'cpu': '-1'}}",
                        "resources.limits.cpu"),
                argumentSet(
                        "init request",
                        "'initContainers': [{'name': 'i', 'image': 'i', 'resources': {'requests': {'cpu': []}}}]",
                        "initContainers[0].resources.requests.cpu"),
                argumentSet(
                        "toleration",
                        "'tolerations': [{'key': 'a', 'operator': 'Like'}]",
                        "tolerations[0].operator"),
                argumentSet("toleration of no key", "'tolerations': [{}]", "tolerations[0].key"),
                argumentSet(
                        "toleration's value",
                        "'tolerations': [{'operator': 'Exists', 'value': 'x'}]",
                        "tolerations[0].value"),
                argumentSet(
                        "toleration's effect",
                        "'tolerations': [{'operator': 'Exists', 'effect': 'No'}]",
                        "tolerations[0].effect"),
                argumentSet("no term", required("'x': 1"), terms),
                argumentSet("empty term", required("'nodeSelectorTerms': [{}]"), terms),
                argumentSet(
                        "field",
                        term("matchFields", "'key': 'x', 'operator': 'In', 'values': ['n']"),
                        terms + "[0].matchFields[0].key"),
                argumentSet(
                        "field of two values",
                        term(
                                "matchFields",
                                "'key': 'metadata.name', 'operator': 'In', 'values': ['a', 'b']"),
                        terms + "[0].matchFields[0].values"),
                argumentSet(
                        "In without values",
                        term("matchExpressions", "'key': 'x', 'operator': 'In'"),
                        terms + "[0].matchExpressions[0].values"),
                argumentSet(
                        "Gt of a word",
                        term("matchExpressions", "'key': 'x', 'operator': 'Gt', 'values': ['y']"),
                        terms + "[0].matchExpressions[0].values"));
    }

    /** The role's word is the one that counts, and the template may say the same. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void hostNetworkOfTheRoleAndOfItsTemplateMayAgree(boolean itsTemplates) {
        var template =
                Map.of(
                        "hostNetwork",
                        itsTemplates,
                        "containers",
                        List.of(Map.of("name", "c", "image", "i")));
        var role = Jobs.role("worker", 1, template);
        var onHost =
                new TrainJob.Role(
                        role.name(),
                        1,
                        null,
                        false,
                        null,
                        0,
                        itsTemplates,
                        null,
                        List.of(),
                        role.template());
        var examined = Validation.examine(Jobs.with(j -> j.roles = List.of(onHost)), 1);
        assertThat(examined.problems()).isEmpty();
    }

    @Test
    void templateThatIsNoJsonObjectIsTold() {
        var role = Jobs.role("worker", 1, Map.of());
        var broken =
                new TrainJob.Role(
                        role.name(),
                        1,
                        null,
                        false,
                        null,
                        0,
                        false,
                        null,
                        List.of(),
                        new TrainJob.Template("not json", null));
        var examined = Validation.examine(Jobs.with(j -> j.roles = List.of(broken)), 1);
        assertThat(examined.problems())
                .extracting(Problem::path, Problem::given)
                .contains(tuple("spec.roles[0].template", "not json"));
    }

    private static String join(String more) {
        return "{" + CONTAINER + ", " + more + "}";
    }

    private static String required(String content) {
        return "'affinity': {'nodeAffinity': {'requiredDuringSchedulingIgnoredDuringExecution': {"
                + content
                + "}}}";
    }

    private static String term(String kind, String requirement) {
        return required("'nodeSelectorTerms': [{'%s': [{%s}]}]".formatted(kind, requirement));
    }

    private static Requirement on(String key, Operator operator, String... values) {
        return new Requirement(key, operator, List.of(values), false);
    }

    private static PodNeeds read(String spec) {
        var examined = examine(spec);
        assertThat(examined.problems()).isEmpty();
        return examined.needs().getFirst();
    }

    private static Examined examine(String spec) {
        Map<String, Object> content =
                new JsonMapper().readValue(spec.replace('\'', '"'), new TypeReference<>() {});
        var role = Jobs.role("worker", 1, content);
        return Validation.examine(Jobs.with(j -> j.roles = List.of(role)), 1);
    }
}
