package dev.muster.admission.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.admission.core.PodNeeds.Operator;
import dev.muster.admission.core.PodNeeds.PodTerm;
import dev.muster.admission.core.PodNeeds.Ranks;
import dev.muster.admission.core.PodNeeds.Requirement;
import dev.muster.admission.core.TrainJob.Role;
import dev.muster.admission.core.TrainJob.Template;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** The role worker of a job has the term; its role ps has labels of its own, and no term. */
class PodAffinityTest {
    private static final String ANTI =
            "affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]";
    private static final String JOB = "'muster.dev/job': 'resnet'";
    private static final Ranks PS = new Ranks("ps", 0, null);

    @ParameterizedTest
    @MethodSource
    void termThatSelectsPodsOfItsJobAloneIsUnderstood(
            String selector, boolean itsRole, List<Ranks> others) {
        var examined = examine(antiAffinity("'labelSelector': {%s}".formatted(selector)));
        var needs = examined.needs().getFirst();
        assertThat(needs.onePerNode()).isEqualTo(itsRole);
        assertThat(needs.apartFrom()).isEqualTo(others);
        assertThat(needs.shuns()).isEmpty();
        assertThat(examined.warnings()).isEmpty();
        assertThat(examined.problems()).isEmpty();
        assertThat(examined.needs().get(1).apartFrom()).isEmpty();
        assertThat(examined.needs().get(1).labels()).isEqualTo(Map.of("tier", "state"));
    }

    static Stream<Arguments> termThatSelectsPodsOfItsJobAloneIsUnderstood() {
        return Stream.of(
                argumentSet("job", labels(JOB), true, List.of(PS)),
                argumentSet(
                        "own role", labels(JOB + ", 'muster.dev/role': 'worker'"), true, List.of()),
                argumentSet(
                        "own role in words",
                        expressions(
                                "'muster.dev/role', 'operator': 'In', 'values': ['worker']",
                                "'muster.dev/job', 'operator': 'In', 'values': ['resnet']"),
                        true,
                        List.of()),
                argumentSet(
                        "other role",
                        labels(JOB + ", 'muster.dev/role': 'ps'"),
                        false,
                        List.of(PS)),
                argumentSet(
                        "template's label", labels(JOB + ", 'tier': 'state'"), false, List.of(PS)),
                argumentSet("job's label", labels(JOB + ", 'team': 'nlp'"), true, List.of(PS)),
                argumentSet(
                        "no such label",
                        labels(JOB) + ", " + expressions("'tier', 'operator': 'DoesNotExist'"),
                        true,
                        List.of()),
                argumentSet(
                        "one index of all roles",
                        labels(JOB + ", 'muster.dev/index': '0'"),
                        false,
                        List.of(new Ranks("worker", 0, 1), new Ranks("ps", 0, 1))),
                argumentSet(
                        "all indices but one",
                        labels(JOB + ", 'muster.dev/role': 'ps'")
                                + ", "
                                + expressions(
                                        "'muster.dev/index', 'operator': 'NotIn', 'values': ['2', 'x']"),
                        false,
                        List.of(new Ranks("ps", 0, 2), new Ranks("ps", 3, null))),
                argumentSet(
                        "indices side by side",
                        labels(JOB + ", 'muster.dev/role': 'ps'")
                                + ", "
                                + expressions(
                                        "'muster.dev/index', 'operator': 'In', 'values': ['1', '2', '02']"),
                        false,
                        List.of(new Ranks("ps", 1, 3))),
                argumentSet(
                        "what every pod has",
                        labels(JOB)
                                + ", "
                                + expressions(
                                        "'muster.dev/index', 'operator': 'Exists'",
                                        "'muster.dev/uid', 'operator': 'Exists'",
                                        "'muster.dev/part', 'operator': 'In', 'values': ['gang']"),
                        true,
                        List.of(PS)));
    }

    @ParameterizedTest
    @MethodSource
    void termOfPodsOfOtherJobsIsUnderstood(
            String term, boolean itsRole, List<String> namespaces, List<Requirement> requirements) {
        var examined = examine(antiAffinity(term));
        var needs = examined.needs().getFirst();
        assertThat(needs.shuns()).containsExactly(new PodTerm(namespaces, requirements));
        assertThat(needs.onePerNode()).isEqualTo(itsRole);
        assertThat(examined.needs().get(1).shuns()).isEmpty();
        assertThat(examined.warnings()).isEmpty();
        assertThat(examined.problems()).isEmpty();
    }

    static Stream<Arguments> termOfPodsOfOtherJobsIsUnderstood() {
        var ml = List.of("ml");
        return Stream.of(
                argumentSet("all", "'labelSelector': {}", true, ml, List.of()),
                argumentSet(
                        "all of a role",
                        selector(labels("'muster.dev/role': 'worker'")),
                        true,
                        ml,
                        List.of(in("muster.dev/role", "worker"))),
                argumentSet(
                        "others", selector(labels("'a': 'b'")), false, ml, List.of(in("a", "b"))),
                argumentSet(
                        "everywhere",
                        "'labelSelector': {}, 'namespaceSelector': {}",
                        true,
                        List.of(),
                        List.of()),
                argumentSet(
                        "job of that name elsewhere, too",
                        selector(labels(JOB)) + ", 'namespaces': ['other', 'ml']",
                        true,
                        List.of("ml", "other"),
                        List.of(in("muster.dev/job", "resnet"))),
                argumentSet(
                        "elsewhere",
                        "'labelSelector': {}, 'namespaces': ['other']",
                        false,
                        List.of("other"),
                        List.of()),
                argumentSet(
                        "in words",
                        selector(
                                expressions(
                                        "'muster.dev/job', 'operator': 'NotIn', 'values': ['resnet']",
                                        "'muster.dev/uid', 'operator': 'Exists'",
                                        "'muster.dev/role', 'operator': 'Exists'",
                                        "'muster.dev/part', 'operator': 'NotIn', 'values': ['hook']",
                                        "'a', 'operator': 'DoesNotExist'")),
                        false,
                        ml,
                        List.of(
                                new Requirement(
                                        "muster.dev/job",
                                        Operator.NOT_IN,
                                        List.of("resnet"),
                                        false),
                                new Requirement("a", Operator.DOES_NOT_EXIST, List.of(), false))),
                argumentSet(
                        "by the pod's own labels",
                        "'labelSelector': {}, 'matchLabelKeys': ['team', 'none'],"
                                + " 'mismatchLabelKeys': ['muster.dev/job', 'none']",
                        false,
                        ml,
                        List.of(
                                in("team", "nlp"),
                                new Requirement(
                                        "muster.dev/job",
                                        Operator.NOT_IN,
                                        List.of("resnet"),
                                        false))));
    }

    private static Requirement in(String key, String... values) {
        return new Requirement(key, Operator.IN, List.of(values), false);
    }

    private static String selector(String parts) {
        return "'labelSelector': {%s}".formatted(parts);
    }

    @ParameterizedTest
    @MethodSource
    void termThatSelectsNoPodOfAnotherJobIsNone(String term) {
        var examined = examine(antiAffinity(term));
        assertThat(examined.needs().getFirst().shuns()).isEmpty();
        assertThat(examined.warnings()).isEmpty();
    }

    static Stream<String> termThatSelectsNoPodOfAnotherJobIsNone() {
        return Stream.of(
                selector(labels("'muster.dev/part': 'hook'")),
                selector(expressions("'muster.dev/uid', 'operator': 'DoesNotExist'")),
                selector(expressions("'muster.dev/role', 'operator': 'DoesNotExist'")));
    }

    @ParameterizedTest
    @MethodSource
    void termThatIsNotKnownOfAllOthersIsTakenWithAWarning(
            String term, List<PodTerm> shuns, String words) {
        var examined = examine(antiAffinity(term));
        assertThat(examined.needs().getFirst().shuns()).isEqualTo(shuns);
        assertThat(examined.problems()).isEmpty();
        assertThat(examined.warnings())
                .extracting(Problem::message)
                .singleElement()
                .asString()
                .startsWith(words);
    }

    static Stream<Arguments> termThatIsNotKnownOfAllOthersIsTakenWithAWarning() {
        var among = "is seen among the pods of the job alone";
        var named = "is seen in the namespaces that it names alone";
        return Stream.of(
                argumentSet(
                        "queue",
                        selector(labels("'muster.dev/queue': 'default'")),
                        List.of(),
                        among),
                argumentSet("index", selector(labels("'muster.dev/index': '0'")), List.of(), among),
                argumentSet(
                        "own queue",
                        "'labelSelector': {}, 'matchLabelKeys': ['muster.dev/queue']",
                        List.of(),
                        among),
                argumentSet(
                        "namespaces by label",
                        "'labelSelector': {}, 'namespaceSelector': {'matchLabels': {'a': 'b'}}",
                        List.of(),
                        named),
                argumentSet(
                        "named ones, too",
                        "'labelSelector': {}, 'namespaces': ['other'],"
                                + " 'namespaceSelector': {'matchLabels': {'a': 'b'}}",
                        List.of(new PodTerm(List.of("other"), List.of())),
                        named));
    }

    @ParameterizedTest
    @MethodSource
    void wishThatPlacementDoesNotKnowIsTakenWithAWarning(String spec, String path) {
        var examined = examine(spec);
        assertThat(examined.needs().getFirst().onePerNode()).isFalse();
        assertThat(examined.needs().getFirst().apartFrom()).isEmpty();
        assertThat(examined.problems()).isEmpty();
        assertThat(examined.warnings())
                .extracting(Problem::path)
                .containsExactly("spec.roles[0].template.spec." + path);
    }

    static Stream<Arguments> wishThatPlacementDoesNotKnowIsTakenWithAWarning() {
        return Stream.of(
                argumentSet("nobody", antiAffinity("'namespaces': []"), ANTI),
                argumentSet(
                        "not foreseen",
                        antiAffinity(
                                "'labelSelector': {'matchLabels': {'muster.dev/attempt': '1'}}"),
                        ANTI),
                argumentSet(
                        "keys",
                        antiAffinity("'labelSelector': {}, 'matchLabelKeys': ['muster.dev/uid']"),
                        ANTI),
                argumentSet(
                        "zones",
                        antiAffinity("'labelSelector': {}")
                                .replace("kubernetes.io/hostname", "zone"),
                        ANTI),
                argumentSet(
                        "together",
                        antiAffinity("'labelSelector': {}").replace("podAnti", "pod"),
                        ANTI.replace("podAntiAffinity", "podAffinity")),
                argumentSet(
                        "evenly",
                        "{'containers': [{'name': 'c', 'image': 'i'}], 'topologySpreadConstraints':"
                                + " [{'whenUnsatisfiable': 'ScheduleAnyway'},"
                                + " {'whenUnsatisfiable': 'DoNotSchedule'}]}",
                        "topologySpreadConstraints[1]"));
    }

    private static String labels(String labels) {
        return "'matchLabels': {%s}".formatted(labels);
    }

    private static String expressions(String... expressions) {
        return "'matchExpressions': [{'key': %s}]"
                .formatted(String.join("}, {'key': ", expressions));
    }

    private static String antiAffinity(String term) {
        return "{%s, 'affinity': {'podAntiAffinity': {'%s': [{'topologyKey': '%s', %s}]}}}"
                .formatted(
                        "'containers': [{'name': 'c', 'image': 'i'}]",
                        "requiredDuringSchedulingIgnoredDuringExecution",
                        "kubernetes.io/hostname",
                        term);
    }

    private static Examined examine(String spec) {
        var worker = Jobs.role("worker", 1, json(spec));
        var state = Map.of("metadata", Map.of("labels", Map.of("tier", "state")));
        var ps = Jobs.role("ps", 3);
        var content = new TreeMap<String, Object>(ps.template().content());
        content.putAll(state);
        var labelled =
                new Role(
                        ps.name(),
                        ps.replicas(),
                        ps.min(),
                        ps.elastic(),
                        ps.dependsOn(),
                        ps.spotCount(),
                        ps.hostNetwork(),
                        ps.failure(),
                        ps.critical(),
                        new Template("{}", content));
        return Validation.examine(
                Jobs.with(job -> {
                    job.labels = Map.of("team", "nlp");
                    job.roles = List.of(worker, labelled);
                }),
                1);
    }

    private static Map<String, Object> json(String text) {
        return new JsonMapper().readValue(text.replace('\'', '"'), new TypeReference<>() {});
    }
}
