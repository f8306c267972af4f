package dev.muster.coordinator.core.model;

import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.schemas.contract.NoPull;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How one rank failed, and whose fault it is.
 *
 * @param exitCode null: no end of its container was seen
 * @param reason a code, as users name it in rules
 * @param message one sentence for people, naming the rank
 * @param init the init container that ended so; null: the main one, or none
 */
public record Failure(
        RankId rank,
        Cause cause,
        @Nullable Integer exitCode,
        String reason,
        String message,
        @Nullable String init) {

    /** Of its main container, or without an end of any. */
    public Failure(
            RankId rank, Cause cause, @Nullable Integer exitCode, String reason, String message) {
        this(rank, cause, exitCode, reason, message, null);
    }

    /** Whose fault a failure is, the strongest first: of several the strongest is charged. */
    public enum Cause {
        /** The cluster took the pod away. */
        INFRASTRUCTURE,
        /** A signal ended it, or the lack of memory. */
        SIGNAL,
        EXIT_CODE,
        /** Its image or its settings cannot be used: it never ran. */
        CONFIG
    }

    static final String POD_LOST = "PodLost";
    static final String NODE_LOST = "NodeLost";

    /** Exit codes from here on tell a signal, as a shell reports it. */
    public static final int SIGNALLED = 128;

    static final int LARGEST_CODE = 255;

    /** The kubelet could not give it what the node has, a device as a rule. */
    private static final String ADMISSION_ERROR = "UnexpectedAdmissionError";

    private static final String POD_DELETED = "PodDeleted";

    /** Its own template limits how long it may run. */
    private static final String OVERTIME = "DeadlineExceeded";

    private static final int KILLED = 137;
    private static final String OUT_OF_MEMORY = "OOMKilled";

    /** What a failed pod says of its end. */
    public static Failure of(RankId rank, Pod pod) {
        return of(rank, pod, false);
    }

    /**
     * What a failed pod says of its end.
     *
     * @param wasDeleting it was on its way out when it was seen last, and had not ended
     */
    public static Failure of(RankId rank, Pod pod, boolean wasDeleting) {
        return end(rank, pod, wasDeleting).by(pod.main());
    }

    private static Failure end(RankId rank, Pod pod, boolean wasDeleting) {
        var main = pod.main();
        var code = main == null ? null : main.exitCode();
        var said = reason(pod);
        var taken = takenAway(said);
        if (taken != null) {
            return new Failure(rank, Cause.INFRASTRUCTURE, code, taken, message(rank, pod));
        }
        boolean isDeletions = pod.deleting() && !isOvertime(pod);
        if (wasDeleting || isDeletions && (code == null || code >= SIGNALLED)) {
            return new Failure(
                    rank,
                    Cause.INFRASTRUCTURE,
                    code,
                    POD_DELETED,
                    rank + " was deleted by somebody else");
        }
        if (isOvertime(pod)) {
            // Its code tells only how its program ends when it is told to.
            return new Failure(rank, Cause.EXIT_CODE, code, OVERTIME, message(rank, pod));
        }
        if (main == null && !said.isEmpty()) {
            // The kubelet would not even begin with it.
            return new Failure(rank, Cause.INFRASTRUCTURE, null, said, message(rank, pod));
        }
        if (main != null && isNoStart(said)) {
            return new Failure(rank, Cause.CONFIG, code, said, noStart(rank, main));
        }
        boolean signalled = code != null && code >= SIGNALLED || said.equals(OUT_OF_MEMORY);
        return new Failure(
                rank,
                signalled ? Cause.SIGNAL : Cause.EXIT_CODE,
                code,
                said.isEmpty() ? main == null ? "PodFailed" : "Error" : said,
                message(rank, pod));
    }

    /** The cluster takes it away, or somebody had begun to, and so its program was told to end. */
    public static boolean isTaken(Pod pod, boolean wasDeleting) {
        boolean goes = pod.deleting() || pod.phase() == PodPhase.FAILED;
        return wasDeleting || goes && takenAway(pod.reason()) != null;
    }

    /** Its program was told to end, by whomsoever: if it ended well, it was not done. */
    public static boolean isToldToEnd(Pod pod, boolean wasDeleting) {
        return isTaken(pod, wasDeleting) || isOvertime(pod);
    }

    private static boolean isOvertime(Pod pod) {
        return pod.phase() == PodPhase.FAILED && pod.reason().equals(OVERTIME);
    }

    /** What Kubernetes says of a pod that it took away, as rules name it; null: it did not. */
    private static @Nullable String takenAway(String said) {
        return switch (said) {
            case "Evicted", "EvictionByEvictionAPI", "TerminationByKubelet" -> "Evicted";
            case "Preempted", "Preempting", "PreemptionByScheduler" -> "Preempted";
            case NODE_LOST, "DeletionByTaintManager", "DeletionByPodGC" -> NODE_LOST;
            // The kubelet or its runtime has forgotten it: as a rule the node started anew.
            case "ContainerStatusUnknown", "Unknown" -> NODE_LOST;
            case "NodeShutdown", "Shutdown", "Terminated" -> "NodeShutdown";
            case ADMISSION_ERROR -> said;
            default -> null;
        };
    }

    /** What runtimes say of a container whose command does not exist, or which they cannot make. */
    private static boolean isNoStart(String said) {
        return said.equals("StartError") || said.equals("ContainerCannotRun");
    }

    private static String noStart(RankId rank, Event.ContainerEnd end) {
        return "%s did not start: %s"
                .formatted(who(rank, end), end.message().isEmpty() ? end.reason() : end.message());
    }

    private static String who(RankId rank, Event.ContainerEnd end) {
        return end.init() == null
                ? rank.toString()
                : "init container %s of %s".formatted(end.init(), rank);
    }

    private Failure by(Event.@Nullable ContainerEnd end) {
        return end == null || end.init() == null
                ? this
                : new Failure(rank, cause, exitCode, reason, message, end.init());
    }

    /** What an exit with this code may be: with some, a lack of memory as well. */
    static List<Failure> exits(RankId rank, int code) {
        var cause = code >= SIGNALLED ? Cause.SIGNAL : Cause.EXIT_CODE;
        var plain = new Failure(rank, cause, code, "Error", "");
        return code == KILLED
                ? List.of(plain, new Failure(rank, cause, code, OUT_OF_MEMORY, ""))
                : List.of(plain);
    }

    /** Its container ended and was started again in its pod. */
    public static Failure restarted(RankId rank, Event.@Nullable ContainerEnd last) {
        var again = "and was started again in its pod";
        if (last == null) {
            return new Failure(
                    rank, Cause.EXIT_CODE, null, "Error", "%s ended %s".formatted(rank, again));
        }
        var message = "%s exited with %d %s".formatted(who(rank, last), last.exitCode(), again);
        return restarted(rank, last, message).by(last);
    }

    private static Failure restarted(RankId rank, Event.ContainerEnd last, String message) {
        int code = last.exitCode();
        var taken = takenAway(last.reason());
        if (taken != null) {
            return new Failure(rank, Cause.INFRASTRUCTURE, code, taken, message);
        }
        if (isNoStart(last.reason())) {
            return new Failure(rank, Cause.CONFIG, code, last.reason(), noStart(rank, last));
        }
        boolean signalled = code >= SIGNALLED || last.reason().equals(OUT_OF_MEMORY);
        return new Failure(
                rank,
                signalled ? Cause.SIGNAL : Cause.EXIT_CODE,
                code,
                last.reason().isEmpty() ? "Error" : last.reason(),
                message);
    }

    /** Its pod was there and is not, and nobody saw it end. */
    public static Failure lost(RankId rank) {
        return new Failure(
                rank, Cause.INFRASTRUCTURE, null, POD_LOST, rank + " vanished before its end");
    }

    /** Its node was not heard of for too long. */
    public static Failure onLostNode(RankId rank, String node) {
        return new Failure(
                rank,
                Cause.INFRASTRUCTURE,
                null,
                NODE_LOST,
                "%s: node %s is not heard of".formatted(rank, node));
    }

    /**
     * It was given up with its node. Of a container that the kubelet has forgotten, as after a new
     * start of its node, there is an exit code, and its pod may be there and run.
     */
    public boolean isWithItsNode() {
        return reason.equals(NODE_LOST) && exitCode == null;
    }

    /** Its image or settings could not be used for too long. */
    public static Failure hindered(RankId rank, Event.Hindrance by) {
        return new Failure(
                rank,
                Cause.CONFIG,
                null,
                by.reason(),
                "%s: %s".formatted(rank, by.message().isEmpty() ? by.reason() : by.message()));
    }

    private static String reason(Pod pod) {
        var main = pod.main();
        if (!pod.reason().isEmpty()) {
            return pod.reason();
        }
        return main == null ? "" : main.reason();
    }

    private static String message(RankId rank, Pod pod) {
        var main = pod.main();
        if (!pod.reason().isEmpty() || main == null) {
            var otherwise = pod.reason().isEmpty() ? "failed" : pod.reason();
            var message = pod.message().isEmpty() ? otherwise : pod.message();
            boolean isWell = main != null && main.exitCode() == 0;
            return "%s: %s%s".formatted(rank, message, isWell ? ", and it exited with 0" : "");
        }
        return "%s exited with %d%s"
                .formatted(
                        who(rank, main),
                        main.exitCode(),
                        main.message().isEmpty() ? "" : ": " + main.message());
    }

    /** The same failure, since a node of its gang is not heard of: its own end says nothing. */
    public Failure becauseOf(String node) {
        return new Failure(
                rank,
                Cause.INFRASTRUCTURE,
                null,
                NODE_LOST,
                "node %s is not heard of; %s".formatted(node, message));
    }

    /** Its node did it, as far as one can tell: no user, no other pod, and not the job. */
    public boolean isItsNodes() {
        return switch (reason) {
            case POD_LOST, NODE_LOST, ADMISSION_ERROR -> true;
            default -> false;
        };
    }

    /** Whether a rule that names this reason means it. */
    boolean isCalled(String named) {
        return named.equals(reason)
                || NoPull.WORDS.contains(named) && NoPull.WORDS.contains(reason);
    }

    /** It has run as long as its own template lets it, and would again. */
    boolean isOvertime() {
        return reason.equals(OVERTIME);
    }

    public boolean isTheClusters() {
        return isBy(Cause.INFRASTRUCTURE);
    }

    public boolean isBy(Cause cause) {
        return Objects.equals(this.cause, cause);
    }
}
