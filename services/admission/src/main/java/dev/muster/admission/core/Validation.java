package dev.muster.admission.core;

import dev.muster.admission.core.TrainJob.Checkpoint;
import dev.muster.admission.core.TrainJob.CheckpointSignal;
import dev.muster.admission.core.TrainJob.DependencyPhase;
import dev.muster.admission.core.TrainJob.Framework;
import dev.muster.admission.core.TrainJob.Gang;
import dev.muster.admission.core.TrainJob.RemoteShell;
import dev.muster.admission.core.TrainJob.Spec;
import dev.muster.admission.core.TrainJob.Success;
import dev.muster.admission.core.TrainJob.SuccessWhen;
import dev.muster.schemas.contract.Limits;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Everything that is wrong with a submission, as far as the submission alone can tell. */
public final class Validation {
    public static final int MOST_BYTES = Limits.ASKED_BYTES;

    private final TrainJob job;
    private final Spec spec;
    private final Problems problems = new Problems();
    private final Problems warnings = new Problems();
    private final Numbers numbers = new Numbers(problems);

    private Validation(TrainJob job) {
        this.job = job;
        this.spec = job.spec();
    }

    /** Where no namespace is closed. */
    static Examined examine(TrainJob given, int bytes) {
        return examine(given, bytes, Set.of());
    }

    /**
     * Examines a submission.
     *
     * @param bytes how large the request is as it stands in the log
     * @param closed the namespaces in which nobody may have jobs
     */
    public static Examined examine(TrainJob given, int bytes, Set<String> closed) {
        var validation = new Validation(given);
        validation.checkSize(bytes);
        validation.checkOpen(closed);
        var needs = validation.check();
        var filledIn = Defaulting.defaults(given);
        return new Examined(
                filledIn,
                needs,
                Canonical.text(filledIn.spec()),
                validation.problems.all(),
                validation.warnings.all());
    }

    private void checkSize(int bytes) {
        if (bytes > MOST_BYTES) {
            problems.add(
                    "",
                    "%,d bytes".formatted(bytes),
                    "a request must have at most %,d bytes; fetch large scripts and data in the pods instead"
                            .formatted(MOST_BYTES));
        }
    }

    private void checkOpen(Set<String> closed) {
        problems.unless(
                !closed.contains(job.namespace()),
                "metadata.namespace",
                job.namespace(),
                "is closed to jobs by this installation (admission.closed-namespaces)");
    }

    /**
     * What is wrong with the size of what is no submission; null: nothing.
     *
     * @param bytes as it stands in the log
     */
    public static @Nullable Problem sizeProblem(int bytes) {
        return bytes <= MOST_BYTES
                ? null
                : new Problem(
                        "",
                        "%,d bytes".formatted(bytes),
                        "a request must have at most %,d bytes".formatted(MOST_BYTES));
    }

    private List<PodNeeds> check() {
        problems.unless(
                Names.isDnsLabel(job.namespace()),
                "metadata.namespace",
                job.namespace(),
                Names.DNS_LABEL);
        problems.unless(Names.isDnsLabel(job.name()), "metadata.name", job.name(), Names.DNS_LABEL);
        ServiceNames.check(job, warnings);
        Names.checkLabels("metadata.labels", spec.labels(), problems);
        Names.checkKeys("metadata.annotations", spec.annotations(), problems);
        checkQueueing();
        checkProcesses();
        checkAfter();
        var roles = new RoleChecks(job, problems, warnings);
        roles.check();
        new Rendezvous(Defaulting.defaults(job).spec(), problems, warnings).check();
        if (spec.gang() != null) {
            checkGang(spec.gang());
        }
        if (spec.success() != null) {
            checkSuccess(spec.success(), roles.names());
        }
        if (spec.failure() != null) {
            new FailureChecks(roles.names(), roles.judgedAsTheJob(), problems, warnings)
                    .check(spec.failure(), "spec.failure");
        }
        checkEnding();
        UnsupportedFields.check(spec, problems);
        var needs = readTemplates();
        new AmountChecks(spec, needs, problems).check();
        return needs;
    }

    private void checkQueueing() {
        problems.unless(
                Names.isDnsLabel(spec.queue()), "spec.queue", spec.queue(), Names.DNS_LABEL);
        numbers.priority("spec.priority", spec.priority());
        problems.unless(
                spec.priorityClass() == null || Names.isSubdomain(spec.priorityClass()),
                "spec.priorityClass",
                String.valueOf(spec.priorityClass()),
                "must be the name of a PriorityClass");
        warnings.unless(
                spec.priorityClass() == null || spec.priority() == 0,
                "spec.priority",
                spec.priority(),
                "has no effect beside priorityClass, whose value counts");
    }

    private void checkProcesses() {
        problems.unless(
                spec.framework() != Framework.UNKNOWN,
                "spec.framework",
                "",
                "must be none, pytorch, horovod or dlrover");
        problems.unless(
                spec.nprocPerNode().equals("gpu") || isNumberOfProcesses(spec.nprocPerNode()),
                "spec.nprocPerNode",
                spec.nprocPerNode(),
                "must be 1 to %,d, or gpu".formatted(Limits.POD_PROCESSES));
        problems.unless(
                spec.shell() == RemoteShell.AGENT
                        || spec.shell() == RemoteShell.SSH && spec.framework() == Framework.HOROVOD,
                "spec.horovod.shell",
                spec.shell() == RemoteShell.SSH ? "ssh" : "",
                "must be agent, or ssh with framework horovod");
        numbers.within("spec.masterPort", spec.masterPort(), 1, 65_535);
    }

    private static boolean isNumberOfProcesses(String text) {
        return text.matches("[1-9][0-9]{0,3}") && Integer.parseInt(text) <= Limits.POD_PROCESSES;
    }

    private void checkAfter() {
        problems.unless(
                spec.after().size() <= Limits.AFTER,
                "spec.after",
                "%,d jobs".formatted(spec.after().size()),
                "must name at most %,d jobs".formatted(Limits.AFTER));
        var named = new HashSet<String>();
        for (int i = 0; i < spec.after().size(); i++) {
            var dependency = spec.after().get(i);
            var path = "spec.after[" + i + "]";
            problems.unless(
                    Names.isDnsLabel(dependency.on()),
                    path + ".job",
                    dependency.on(),
                    Names.DNS_LABEL);
            problems.unless(
                    !dependency.on().equals(job.name()),
                    path + ".job",
                    dependency.on(),
                    "must be another job, not this one");
            problems.unless(
                    named.add(dependency.on()),
                    path + ".job",
                    dependency.on(),
                    "must be named once, with one phase");
            problems.unless(
                    dependency.phase() == DependencyPhase.SUCCEEDED
                            || dependency.phase() == DependencyPhase.ENDED,
                    path + ".phase",
                    "",
                    "must be Succeeded or Ended");
        }
    }

    private void checkGang(Gang gang) {
        if (gang.min() != null) {
            problems.unless(
                    1 <= gang.min() && gang.min() <= spec.total(),
                    "spec.gang.min",
                    gang.min(),
                    "must be 1 to the number of all pods, which is " + spec.total());
            var own = ownMinima();
            problems.unless(
                    gang.min() >= own || gang.min() < 1,
                    "spec.gang.min",
                    gang.min(),
                    "must not be below the sum of the minima that the roles name, which is " + own);
        }
        numbers.positive("spec.gang.timeout", gang.timeout());
        problems.unless(
                gang.topology() != TrainJob.TopologyPolicy.UNKNOWN,
                "spec.gang.topology.policy",
                "",
                "must be none, spread, pack, prefer or require");
        var key = gang.topologyKey();
        problems.unless(
                key == null || Names.isKey(key),
                "spec.gang.topology.key",
                String.valueOf(key),
                Names.KEY);
    }

    private long ownMinima() {
        return spec.roles().stream()
                .mapToLong(role -> {
                    var own = Defaulting.ownMinimum(role, spec.elastic());
                    return own == null ? 0 : own;
                })
                .sum();
    }

    private void checkSuccess(Success success, Set<String> roles) {
        problems.unless(
                success.when() != SuccessWhen.UNKNOWN,
                "spec.success.when",
                "",
                "must be AllSucceeded, AnySucceeded or RoleSucceeded");
        var role = success.role() == null ? "" : success.role();
        if (success.when() == SuccessWhen.ROLE_SUCCEEDED) {
            problems.unless(
                    roles.contains(role),
                    "spec.success.role",
                    role,
                    "must be one of the job's roles: " + String.join(", ", roles));
        } else if (success.when() != SuccessWhen.UNKNOWN) {
            problems.unless(
                    success.role() == null,
                    "spec.success.role",
                    role,
                    "has an effect with RoleSucceeded alone");
        }
    }

    private void checkEnding() {
        problems.unless(
                spec.cleanup() != TrainJob.Cleanup.UNKNOWN,
                "spec.cleanup",
                "",
                "must be All, Running or None");
        if (!spec.ttlAfterFinished().equals(TrainJob.NEVER)) {
            numbers.notNegative("spec.ttlAfterFinished", spec.ttlAfterFinished());
        }
        numbers.notNegative("spec.gracePeriod", spec.gracePeriod());
        var deadlines = spec.deadlines();
        if (deadlines != null) {
            numbers.notNegative("spec.deadlines.queue", deadlines.queue());
            numbers.notNegative("spec.deadlines.start", deadlines.start());
            numbers.notNegative("spec.deadlines.run", deadlines.run());
        }
        if (spec.checkpoint() != null) {
            checkCheckpoint(spec.checkpoint());
        }
    }

    private void checkCheckpoint(Checkpoint checkpoint) {
        problems.unless(
                checkpoint.signal() != CheckpointSignal.UNKNOWN,
                "spec.checkpoint.signal",
                "",
                "must be none, file or event");
        numbers.oneSecondToOneHour("spec.checkpoint.timeout", checkpoint.timeout());
    }

    private List<PodNeeds> readTemplates() {
        var reader = new TemplateReader(job, problems, warnings);
        var needs = new ArrayList<PodNeeds>();
        for (int i = 0; i < spec.roles().size(); i++) {
            needs.add(reader.read(spec.roles().get(i), "spec.roles[" + i + "].template"));
        }
        return needs;
    }
}
