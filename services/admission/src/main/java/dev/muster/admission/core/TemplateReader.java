package dev.muster.admission.core;

import dev.muster.admission.core.PodNeeds.Effect;
import dev.muster.admission.core.PodNeeds.Operator;
import dev.muster.admission.core.PodNeeds.Requirement;
import dev.muster.admission.core.PodNeeds.Restart;
import dev.muster.admission.core.PodNeeds.Term;
import dev.muster.admission.core.PodNeeds.Toleration;
import dev.muster.schemas.contract.LabelNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads from a role's template what a decision needs, and reports what is wrong with it. */
final class TemplateReader {
    private static final String SOURCES =
            "a variable that Muster sets, such as MASTER_ADDR or RANK, is Muster's, whatever this"
                    + " brings: set your own by name in env";

    private static final String DEADLINE =
            "Kubernetes does not count such pods in quotas with scope NotTerminating; Muster does,"
                    + " so the job may wait for such a quota";

    private static final String MAIN = "main";
    private static final long LONGEST_GRACE = Duration.ofDays(365).toSeconds();
    private static final Map<String, Operator> OPERATORS =
            Map.of(
                    "In", Operator.IN,
                    "NotIn", Operator.NOT_IN,
                    "Exists", Operator.EXISTS,
                    "DoesNotExist", Operator.DOES_NOT_EXIST,
                    "Gt", Operator.GT,
                    "Lt", Operator.LT);
    private static final Map<String, Effect> EFFECTS =
            Map.of(
                    "NoSchedule", Effect.NO_SCHEDULE,
                    "PreferNoSchedule", Effect.PREFER_NO_SCHEDULE,
                    "NoExecute", Effect.NO_EXECUTE);

    private static final Set<String> LAUNCHING_VOLUMES =
            Set.of("muster-agent", "muster-hosts", "muster-ssh", "muster-ssh-own");
    private static final Set<String> LAUNCHING_PATHS =
            Set.of(
                    "/etc/muster/agent",
                    "/etc/muster/hosts",
                    "/etc/muster/ssh",
                    "/run/muster/ssh",
                    "/usr/local/bin/ssh");
    private static final Set<String> CHECKPOINT_VOLUMES = Set.of("muster-checkpoint");
    private static final Set<String> CHECKPOINT_PATHS = Set.of("/etc/muster/checkpoint");

    private final TrainJob job;
    private final Problems problems;
    private final Problems warnings;
    private final SequencedMap<String, Map<String, String>> labels;

    TemplateReader(TrainJob job, Problems problems, Problems warnings) {
        this.job = job;
        this.problems = problems;
        this.warnings = warnings;
        labels = labels(job);
    }

    /**
     * Reads what it can; whatever is wrong stands in the problems, and the rest is then of no use.
     */
    PodNeeds read(TrainJob.Role role, String path) {
        var content = role.template().content();
        if (content == null) {
            problems.add(
                    path, role.template().json(), "must be a Kubernetes PodTemplateSpec as JSON");
            content = Map.of();
        }
        var template = new JsonObject(path, content, problems);
        var metadata = template.object("metadata");
        var ownLabels = metadata.textsByKey("labels");
        Names.checkLabels(metadata.at("labels"), ownLabels, problems);
        Names.checkKeys(metadata.at("annotations"), metadata.textsByKey("annotations"), problems);
        var spec = template.object("spec");
        problems.unless(
                !spec.has("nodeName"),
                spec.at("nodeName"),
                spec.members().get("nodeName") instanceof String node ? node : "",
                "must not be set, since Muster places the pods; use nodeSelector");
        problems.unless(
                role.hostNetwork() || !Boolean.TRUE.equals(spec.members().get("hostNetwork")),
                spec.at("hostNetwork"),
                "true",
                "must not be set here alone, since Muster gives each such pod a port; set"
                        + " hostNetwork of the role");
        var main = mainContainer(spec);
        checkImages(spec);
        checkVariables(spec);
        warnOfSources(spec, main);
        warnOfDeadline(spec);
        if (job.spec().framework() == TrainJob.Framework.HOROVOD) {
            checkBesides(spec, LAUNCHING_VOLUMES, LAUNCHING_PATHS);
        }
        var checkpoint = job.spec().checkpoint();
        if (checkpoint != null && checkpoint.signal() == TrainJob.CheckpointSignal.FILE) {
            checkBesides(spec, CHECKPOINT_VOLUMES, CHECKPOINT_PATHS);
        }
        PodDemand.check(spec, problems);
        var apart = new PodAffinity(job, role.name(), labels, warnings).apart(spec);
        return new PodNeeds(
                role.name(),
                PodDemand.of(spec),
                PodDemand.limits(spec),
                spec.textsByKey("nodeSelector"),
                terms(spec),
                tolerations(spec),
                restart(spec, main),
                main,
                apart.itsRole(),
                PodDemand.mainMemory(spec, main),
                grace(spec),
                apart.others(),
                ownLabels,
                apart.strangers());
    }

    /** Kubernetes takes less than nothing for the least. */
    private static @Nullable Long grace(JsonObject spec) {
        var seconds = spec.whole("terminationGracePeriodSeconds");
        return seconds == null ? null : Math.clamp(seconds, 0, LONGEST_GRACE);
    }

    /** What pod-manager puts on every pod of a role, by role. */
    private static SequencedMap<String, Map<String, String>> labels(TrainJob job) {
        var byRole = new LinkedHashMap<String, Map<String, String>>();
        for (var role : job.spec().roles()) {
            var content = role.template().content();
            // What is wrong with another's template is told when that is read.
            var template = new JsonObject("", content == null ? Map.of() : content, new Problems());
            var labels = new TreeMap<>(job.spec().labels());
            labels.putAll(template.object("metadata").textsByKey("labels"));
            labels.put(LabelNames.JOB, job.name());
            labels.put(LabelNames.ROLE, role.name());
            labels.put(LabelNames.QUEUE, job.spec().queue());
            labels.put(LabelNames.PART, LabelNames.GANG);
            byRole.put(role.name(), labels);
        }
        return byRole;
    }

    private String mainContainer(JsonObject spec) {
        var names = new ArrayList<String>();
        for (var container : spec.objects("containers")) {
            var name = container.text("name");
            if (name == null || !Names.isDnsLabel(name)) {
                problems.add(container.at("name"), name == null ? "" : name, Names.DNS_LABEL);
            }
            names.add(name == null ? "" : name);
        }
        if (names.isEmpty()) {
            problems.add(spec.at("containers"), "", "must hold at least one container");
            return "";
        }
        problems.unless(
                names.stream().filter(MAIN::equals).count() <= 1,
                spec.at("containers"),
                MAIN,
                "must hold at most one container named main");
        return names.contains(MAIN) ? MAIN : names.getFirst();
    }

    /** The API server would say so only once the job has its room, and of no path of the job's. */
    private void checkImages(JsonObject spec) {
        for (var kind : List.of("initContainers", "containers")) {
            for (var container : spec.objects(kind)) {
                var image = container.text("image");
                problems.unless(
                        image != null && !image.isBlank(),
                        container.at("image"),
                        image == null ? "" : image,
                        "must be set");
            }
        }
    }

    /** Of two of one name the kubelet takes the last, without a word. */
    private void checkVariables(JsonObject spec) {
        for (var kind : List.of("initContainers", "containers")) {
            for (var container : spec.objects(kind)) {
                var names = new TreeSet<String>();
                for (var variable : container.objects("env")) {
                    var name = variable.text("name");
                    problems.unless(
                            name == null || names.add(name),
                            variable.at("name"),
                            name == null ? "" : name,
                            "must be another: a variable of that name stands before it");
                }
            }
        }
    }

    /** What they bring is known to the kubelet alone, which takes what stands in env before it. */
    private void warnOfSources(JsonObject spec, String main) {
        for (var container : spec.objects("containers")) {
            if (main.equals(container.text("name")) && !container.objects("envFrom").isEmpty()) {
                warnings.add(container.at("envFrom"), "", SOURCES);
            }
        }
    }

    /** A pool does not know of it, and has one sum of what its pods use in a namespace. */
    private void warnOfDeadline(JsonObject spec) {
        var deadline = spec.whole("activeDeadlineSeconds");
        if (deadline != null) {
            warnings.add(spec.at("activeDeadlineSeconds"), deadline, DEADLINE);
        }
    }

    /** What the pods of a launcher's job, and of one that is asked by a file, get besides. */
    private void checkBesides(JsonObject spec, Set<String> volumes, Set<String> paths) {
        for (var volume : spec.objects("volumes")) {
            checkFree(volume, "name", volumes, "Muster adds a volume of that name");
        }
        for (var container : spec.objects("containers")) {
            for (var mount : container.objects("volumeMounts")) {
                checkFree(mount, "mountPath", paths, "Muster mounts something there");
            }
        }
    }

    private void checkFree(JsonObject object, String key, Set<String> taken, String why) {
        var given = String.valueOf(object.text(key));
        problems.unless(!taken.contains(given), object.at(key), given, "must be another: " + why);
    }

    /** What the main container says of itself (Kubernetes 1.35 and later) counts for it. */
    private Restart restart(JsonObject spec, String main) {
        var ofPod = restart(spec);
        return spec.objects("containers").stream()
                .filter(container -> main.equals(container.text("name")))
                .filter(container -> container.has("restartPolicy"))
                .map(this::restart)
                .findFirst()
                .orElse(ofPod);
    }

    private Restart restart(JsonObject spec) {
        var policy = spec.text("restartPolicy");
        return switch (policy) {
            case "OnFailure" -> Restart.ON_FAILURE;
            case "Always" -> {
                warnings.add(
                        spec.at("restartPolicy"),
                        policy,
                        "is taken as OnFailure: a training pod that exits with 0 is done");
                yield Restart.ON_FAILURE;
            }
            case "Never" -> Restart.NEVER;
            case null -> Restart.NEVER;
            default -> {
                problems.add(
                        spec.at("restartPolicy"), policy, "must be Never, OnFailure or Always");
                yield Restart.NEVER;
            }
        };
    }

    private List<Term> terms(JsonObject spec) {
        var required =
                spec.object("affinity")
                        .object("nodeAffinity")
                        .object("requiredDuringSchedulingIgnoredDuringExecution");
        var terms = new ArrayList<Term>();
        for (var term : required.objects("nodeSelectorTerms")) {
            var requirements = new ArrayList<Requirement>();
            for (var expression : term.objects("matchExpressions")) {
                add(requirements, requirement(expression, false));
            }
            for (var expression : term.objects("matchFields")) {
                add(requirements, requirement(expression, true));
            }
            if (!requirements.isEmpty()) {
                terms.add(new Term(requirements));
            }
        }
        // To Kubernetes a term without requirements matches no node: beside others it says nothing.
        problems.unless(
                !terms.isEmpty() || required.members().isEmpty(),
                required.at("nodeSelectorTerms"),
                "",
                "must hold a term with a requirement; as it is it matches no node");
        return terms;
    }

    private static void add(List<Requirement> requirements, @Nullable Requirement one) {
        if (one != null) {
            requirements.add(one);
        }
    }

    private @Nullable Requirement requirement(JsonObject expression, boolean field) {
        var key = expression.text("key");
        var operator = expression.text("operator");
        var known = operator == null ? null : OPERATORS.get(operator);
        var values = expression.texts("values");
        if (key == null || key.isEmpty()) {
            problems.add(expression.at("key"), "", "must be set");
            return null;
        }
        if (known == null) {
            problems.add(
                    expression.at("operator"),
                    operator == null ? "" : operator,
                    "must be In, NotIn, Exists, DoesNotExist, Gt or Lt");
            return null;
        }
        if (field) {
            problems.unless(
                    key.equals("metadata.name"),
                    expression.at("key"),
                    key,
                    "must be metadata.name, the one field of a node that can be selected by");
            problems.unless(
                    known == Operator.IN || known == Operator.NOT_IN,
                    expression.at("operator"),
                    operator == null ? "" : operator,
                    "must be In or NotIn on a field");
            problems.unless(
                    values.size() <= 1,
                    expression.at("values"),
                    values,
                    "must hold one name on a field; write one term for each node");
        }
        checkValues(expression, known, values);
        return new Requirement(key, known, values, field);
    }

    private void checkValues(JsonObject expression, Operator operator, List<String> values) {
        var here = expression.at("values");
        switch (operator) {
            case IN, NOT_IN ->
                    problems.unless(!values.isEmpty(), here, "", "must hold at least one value");
            case EXISTS, DOES_NOT_EXIST ->
                    problems.unless(values.isEmpty(), here, values, "must be empty here");
            case GT, LT ->
                    problems.unless(
                            values.size() == 1 && isWhole(values.getFirst()),
                            here,
                            values,
                            "must hold one whole number");
        }
    }

    private static boolean isWhole(String text) {
        return text.matches("[+-]?[0-9]{1,18}");
    }

    private List<Toleration> tolerations(JsonObject spec) {
        var found = new ArrayList<Toleration>();
        for (var toleration : spec.objects("tolerations")) {
            var key = orEmpty(toleration.text("key"));
            var value = orEmpty(toleration.text("value"));
            var operator = orEmpty(toleration.text("operator"));
            var effect = orEmpty(toleration.text("effect"));
            var exists = operator.equals("Exists");
            problems.unless(
                    exists || operator.isEmpty() || operator.equals("Equal"),
                    toleration.at("operator"),
                    operator,
                    "must be Equal or Exists");
            problems.unless(
                    effect.isEmpty() || EFFECTS.containsKey(effect),
                    toleration.at("effect"),
                    effect,
                    "must be NoSchedule, PreferNoSchedule or NoExecute, or left out for all");
            var read = new Toleration(key, exists, value, EFFECTS.get(effect));
            read.check(toleration.path(), problems);
            found.add(read);
        }
        return found;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
