package dev.muster.deploy;

import dev.muster.v1.Phase;
import dev.muster.v1.ScaleStage;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What happens to a job while a service dies. */
enum Situation {
    /** It was just submitted. */
    STARTING(Phase.SUCCEEDED, 1, "sleep 2", "sleep 2"),
    /** A rank of its first attempt fails. */
    RESTARTING(
            Phase.SUCCEEDED, 2, "exec sleep 600", "while [ ! -e %s ]; do sleep 0.2; done; exit 1"),
    /** It runs, and is cancelled. */
    CANCELLED(Phase.CANCELLED, 1, "exec sleep 600", "exec sleep 600"),
    /** It runs, is suspended, and later resumed. */
    SUSPENDED(Phase.SUCCEEDED, 2, "exec sleep 600", "exec sleep 600"),
    /** It runs, and the second of its launcher's hosts, whose processes agents start, leaves. */
    SHRINKING(Phase.SUCCEEDED, 1, "while [ ! -e %s ]; do sleep 0.2; done", ""),
    /** It runs, is told to suspend, and asked to save before that; it answers, and is resumed. */
    SAVING(Phase.SUCCEEDED, 2, "exec sleep 600", "exec sleep 600"),
    /** As it shrinks a hook runs, before who is told to leave does, but not by itself. */
    HOOKED(Phase.SUCCEEDED, 1, "while [ ! -e %s ]; do sleep 0.2; done", "exec sleep 600"),
    /** It runs and gets another worker, whom its launcher's list of hosts names once it runs. */
    GROWING(Phase.SUCCEEDED, 1, "while [ ! -e %s ]; do sleep 0.2; done", "exec sleep 600"),
    /** As it grows the new worker fails before it is ready: the whole command is undone. */
    UNDONE(
            Phase.SUCCEEDED,
            1,
            "while [ ! -e %s ]; do sleep 0.2; done",
            "[ \"$MUSTER_INDEX\" = 0 ] || { sleep 1; exit 1; }; exec sleep 600"),
    /** As it shrinks a hook fails: who was to leave is kept. */
    KEPT(Phase.SUCCEEDED, 1, "while [ ! -e %s ]; do sleep 0.2; done", "exec sleep 600"),
    /** Its growth, which waits for the new worker to be ready, is taken back. */
    WITHDRAWN(Phase.SUCCEEDED, 1, "while [ ! -e %s ]; do sleep 0.2; done", "exec sleep 600"),
    /** As it shrinks who leaves drains; that is taken back, and it stays. */
    RECALLED(Phase.SUCCEEDED, 1, "while [ ! -e %s ]; do sleep 0.2; done", "exec sleep 600"),
    /**
     * The same of a launcher's host, which was told: once it is done it goes, and another comes.
     */
    RELIEVED(
            Phase.SUCCEEDED,
            1,
            "while [ ! -e %s ]; do sleep 0.2; done",
            "[ \"$MUSTER_INDEX\" = 1 ] || exec sleep 600;"
                    + " while [ ! -e %s.relieved ]; do sleep 0.2; done"),
    /** It runs, and both of its ranks succeed. */
    ENDING(
            Phase.SUCCEEDED,
            1,
            "while [ ! -e %s ]; do sleep 0.2; done",
            "while [ ! -e %s ]; do sleep 0.2; done"),
    /** It is over, and a service of it is found that nobody deleted. */
    SWEPT(Phase.SUCCEEDED, 1, "sleep 1", "sleep 1"),
    /**
     * It runs, and the node of its launcher's hosts has notice of its end: others come elsewhere.
     */
    NOTICED(Phase.SUCCEEDED, 1, "while [ ! -e %s ]; do sleep 0.2; done", ""),
    /** Its node is full, and another job comes for which it gives a host back, and has it again. */
    GIVING(Phase.SUCCEEDED, 1, "while [ ! -e %s ]; do sleep 0.2; done", ""),
    /** It is asked to save before it shrinks; it answers. */
    ASKING(Phase.SUCCEEDED, 1, "while [ ! -e %s ]; do sleep 0.2; done", "exec sleep 600"),
    /** It grows by as many of two as it can: one fails before it is ready, the other stays. */
    BEST_EFFORT(
            Phase.SUCCEEDED,
            1,
            "while [ ! -e %s ]; do sleep 0.2; done",
            "[ \"$MUSTER_INDEX\" -le 1 ] && exec sleep 600;"
                    + " while [ ! -e %s.fails ]; do sleep 0.2; done; exit 1"),
    /** A worker fails, and starts again in its pod while the others go on. */
    IN_PLACE(
            Phase.SUCCEEDED,
            1,
            "while [ ! -e %s ]; do sleep 0.2; done",
            "[ \"$MUSTER_INDEX\" = 0 ] || [ -e %1$s.failed ]"
                    + " || { while [ ! -e %1$s.fails ]; do sleep 0.2; done;"
                    + " touch %1$s.failed; exit 137; }; exec sleep 600"),
    /** The node of its worker is dead, and it waits for it until somebody says that it is. */
    FORCED(Phase.SUCCEEDED, 2, "exec sleep 600", "exec sleep 600");

    private final Phase end;
    private final int attempts;
    private final String master;
    private final String worker;

    Situation(Phase end, int attempts, String master, String worker) {
        this.end = end;
        this.attempts = attempts;
        this.master = master;
        this.worker = worker;
    }

    /** How its job is to end, whoever dies. */
    Phase end() {
        return end;
    }

    /** The attempt in which it is to end. */
    int attempts() {
        return attempts;
    }

    /** How many restarts it is to be charged with. */
    int restarts() {
        return this == RESTARTING || this == IN_PLACE ? 1 : 0;
    }

    /** How many of them are the cluster's fault. */
    int restartsOfInfrastructure() {
        return this == FORCED ? 1 : 0;
    }

    /** Whether there has to be a job before it can begin. */
    boolean needsJob() {
        return this != STARTING;
    }

    /** Where its job has to be before it can begin. */
    Phase begins() {
        return switch (this) {
            case SWEPT -> Phase.SUCCEEDED;
            case FORCED -> Phase.QUEUED;
            default -> Phase.RUNNING;
        };
    }

    /** Whether its workers have a node that no other job uses. */
    boolean hasNode() {
        return this == NOTICED || this == GIVING || this == FORCED;
    }

    /** Whether its size is to change, after which the job succeeds. */
    boolean scales() {
        return switch (this) {
            case SHRINKING, HOOKED, GROWING, ASKING, BEST_EFFORT -> true;
            default -> isUndone();
        };
    }

    /** Whether its command of scale comes to nothing, after which all is as before. */
    boolean isUndone() {
        return this == UNDONE || this == KEPT || isTakenBack();
    }

    /** Whether somebody takes its command of scale back. */
    boolean isTakenBack() {
        return this == WITHDRAWN || this == RECALLED || this == RELIEVED;
    }

    /** What its worker that leaves waits for, once that has to end by itself. */
    Path relief(Path go) {
        return Path.of(go + ".relieved");
    }

    /** What the worker waits for that fails, once that has to. */
    Path failure(Path go) {
        return Path.of(go + ".fails");
    }

    /** How many workers it has before its command of scale. */
    int workers() {
        return switch (this) {
            case GROWING, UNDONE, WITHDRAWN, BEST_EFFORT -> 1;
            default -> 2;
        };
    }

    /** Whether its job succeeds once its workers are those that it is to have then. */
    boolean endsWhenWhole() {
        return scales() || this == NOTICED || this == GIVING || this == IN_PLACE;
    }

    /**
     * The indices of its workers once its situation is over, before its job ends: those, or those;
     * none: any.
     */
    List<Set<Integer>> workersAfter() {
        return switch (this) {
            case UNDONE, WITHDRAWN, SHRINKING, HOOKED, ASKING -> List.of(Set.of(0));
            case GROWING, KEPT, RECALLED, GIVING, BEST_EFFORT, IN_PLACE -> List.of(Set.of(0, 1));
            case RELIEVED -> List.of(Set.of(0, 2));
            // The second one's index is free again, once it is seen that it has gone.
            case NOTICED -> List.of(Set.of(1, 2), Set.of(2, 3));
            case STARTING, RESTARTING, CANCELLED, SUSPENDED, SAVING -> List.of();
            case ENDING, SWEPT, FORCED -> List.of();
        };
    }

    /** Whether a launcher reaches its workers. */
    boolean isHorovod() {
        return switch (this) {
            case SHRINKING, RELIEVED, NOTICED, GIVING -> true;
            default -> workers() == 1;
        };
    }

    /** What its master or launcher runs. */
    String master() {
        return master;
    }

    /** What its workers run; empty: they are agents. */
    String worker() {
        return worker;
    }

    /** How many pods each of its workers has had in the end, by index: so, or so; none: any. */
    List<Map<Integer, Integer>> pods() {
        return switch (this) {
            case SHRINKING, HOOKED, ASKING, GROWING -> List.of(Map.of(0, 1, 1, 1));
            case UNDONE, WITHDRAWN, KEPT, RECALLED, IN_PLACE -> List.of(Map.of(0, 1, 1, 1));
            case RELIEVED, BEST_EFFORT -> List.of(Map.of(0, 1, 1, 1, 2, 1));
            case NOTICED -> List.of(Map.of(0, 1, 1, 2, 2, 1), Map.of(0, 1, 1, 1, 2, 1, 3, 1));
            case GIVING -> List.of(Map.of(0, 1, 1, 2));
            case FORCED -> List.of(Map.of(0, 2));
            case STARTING, RESTARTING, CANCELLED, SUSPENDED, SAVING -> List.of();
            case ENDING, SWEPT -> List.of();
        };
    }

    /** The indices of the workers that leave it in its situation, and do not come again. */
    Set<Integer> left() {
        var after = workersAfter();
        if (after.isEmpty()) {
            return Set.of();
        }
        var left = new TreeSet<Integer>();
        pods().forEach(pods -> left.addAll(pods.keySet()));
        after.forEach(left::removeAll);
        return left;
    }

    /** The one end of its command of scale. */
    ScaleStage scaled() {
        if (isTakenBack()) {
            return ScaleStage.CANCELLED;
        }
        return isUndone() || this == BEST_EFFORT ? ScaleStage.FAILED : ScaleStage.SUCCEEDED;
    }

    /** Whether its job is suspended, and resumed later. */
    boolean suspends() {
        return this == SUSPENDED || this == SAVING;
    }

    /** Whether its job is asked to save, and answers. */
    boolean saves() {
        return this == SAVING || this == ASKING;
    }

    /** Whether a PodDisruptionBudget keeps its gang. */
    boolean isGuarded() {
        return this == ENDING || this == CANCELLED;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
