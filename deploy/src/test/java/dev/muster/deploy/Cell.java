package dev.muster.deploy;

import static dev.muster.deploy.Situation.ASKING;
import static dev.muster.deploy.Situation.BEST_EFFORT;
import static dev.muster.deploy.Situation.ENDING;
import static dev.muster.deploy.Situation.FORCED;
import static dev.muster.deploy.Situation.GIVING;
import static dev.muster.deploy.Situation.GROWING;
import static dev.muster.deploy.Situation.HOOKED;
import static dev.muster.deploy.Situation.IN_PLACE;
import static dev.muster.deploy.Situation.KEPT;
import static dev.muster.deploy.Situation.NOTICED;
import static dev.muster.deploy.Situation.RELIEVED;
import static dev.muster.deploy.Situation.RESTARTING;
import static dev.muster.deploy.Situation.SAVING;
import static dev.muster.deploy.Situation.SHRINKING;
import static dev.muster.deploy.Situation.STARTING;
import static dev.muster.deploy.Situation.SUSPENDED;
import static dev.muster.deploy.Situation.SWEPT;
import static dev.muster.deploy.Situation.UNDONE;

import dev.muster.schemas.crash.CrashPoint;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** One field of the matrix: a service dies at this point with a job in this situation. */
record Cell(CrashPoint point, Situation situation) {
    /** All that can happen, in the order of points and situations. */
    static List<Cell> all() {
        var all = new ArrayList<Cell>();
        for (var point : CrashPoint.values()) {
            situations(point).forEach(situation -> all.add(new Cell(point, situation)));
        }
        return all;
    }

    /** In which situations the service comes by the point. */
    static Set<Situation> situations(CrashPoint point) {
        return switch (point) {
            // Nobody asks for anything when a job restarts or ends.
            case ADMISSION_ASKED, ADMISSION_WRITTEN ->
                    EnumSet.complementOf(EnumSet.of(RESTARTING, ENDING, SWEPT, NOTICED, IN_PLACE));
            // No deadline passes in the others; a restart settles and is delayed, who leaves
            // drains, if it does not end sooner, as agents without work do.
            case COORDINATOR_TIME_DUE, COORDINATOR_TIME_TOLD ->
                    EnumSet.of(RESTARTING, HOOKED, ASKING, IN_PLACE);
            // A job that ends or shrinks makes nothing but the pod of a hook; who is never ready
            // comes into no list of hosts; and pods are told when they are asked to save.
            case POD_MANAGER_APPLIED ->
                    EnumSet.of(
                            STARTING,
                            RESTARTING,
                            SUSPENDED,
                            SHRINKING,
                            SAVING,
                            GROWING,
                            RELIEVED,
                            NOTICED,
                            GIVING,
                            ASKING,
                            BEST_EFFORT,
                            FORCED);
            case POD_MANAGER_CREATED ->
                    EnumSet.of(
                            STARTING,
                            RESTARTING,
                            SUSPENDED,
                            SAVING,
                            HOOKED,
                            GROWING,
                            UNDONE,
                            KEPT,
                            RELIEVED,
                            NOTICED,
                            GIVING,
                            BEST_EFFORT,
                            FORCED);
            case POD_MANAGER_SWEEPING, POD_MANAGER_SWEPT -> EnumSet.of(SWEPT);
            case ADMISSION_TAKEN,
                    ADMISSION_DECIDED,
                    ADMISSION_STORED,
                    ADMISSION_PUBLISHED,
                    ADMISSION_COMMITTING,
                    ADMISSION_COMMITTED,
                    COORDINATOR_TAKEN,
                    COORDINATOR_DECIDED,
                    COORDINATOR_STORED,
                    COORDINATOR_PUBLISHED,
                    COORDINATOR_COMMITTING,
                    COORDINATOR_COMMITTED,
                    COORDINATOR_RESTORED,
                    POD_MANAGER_TAKEN,
                    POD_MANAGER_DECIDED,
                    POD_MANAGER_WRITING,
                    POD_MANAGER_DELETED,
                    POD_MANAGER_CARRIED_OUT,
                    POD_MANAGER_REPORTED,
                    POD_MANAGER_PROVING,
                    POD_MANAGER_PROVEN,
                    POD_MANAGER_OPENING,
                    WATCHER_SEEN,
                    WATCHER_DECIDED,
                    WATCHER_TELLING,
                    WATCHER_TOLD,
                    WATCHER_ACKNOWLEDGED,
                    WATCHER_WON,
                    WATCHER_SNAPSHOT_BEGUN ->
                    EnumSet.complementOf(EnumSet.of(SWEPT));
        };
    }

    /** The service comes by only when it starts: it is killed in the situation, and dies again. */
    boolean isOfAStart() {
        return switch (point) {
            case COORDINATOR_RESTORED, POD_MANAGER_OPENING, WATCHER_WON, WATCHER_SNAPSHOT_BEGUN ->
                    true;
            case ADMISSION_ASKED,
                    ADMISSION_WRITTEN,
                    ADMISSION_TAKEN,
                    ADMISSION_DECIDED,
                    ADMISSION_STORED,
                    ADMISSION_PUBLISHED,
                    ADMISSION_COMMITTING,
                    ADMISSION_COMMITTED,
                    COORDINATOR_TAKEN,
                    COORDINATOR_DECIDED,
                    COORDINATOR_STORED,
                    COORDINATOR_PUBLISHED,
                    COORDINATOR_COMMITTING,
                    COORDINATOR_COMMITTED,
                    COORDINATOR_TIME_DUE,
                    COORDINATOR_TIME_TOLD,
                    POD_MANAGER_TAKEN,
                    POD_MANAGER_DECIDED,
                    POD_MANAGER_WRITING,
                    POD_MANAGER_DELETED,
                    POD_MANAGER_CARRIED_OUT,
                    POD_MANAGER_REPORTED,
                    POD_MANAGER_PROVING,
                    POD_MANAGER_PROVEN,
                    POD_MANAGER_APPLIED,
                    POD_MANAGER_CREATED,
                    POD_MANAGER_SWEEPING,
                    POD_MANAGER_SWEPT,
                    WATCHER_SEEN,
                    WATCHER_DECIDED,
                    WATCHER_TELLING,
                    WATCHER_TOLD,
                    WATCHER_ACKNOWLEDGED ->
                    false;
        };
    }

    /** What of that job the point must be about; at some only one thing goes on. */
    String subject(String job) {
        return isOfAStart() || point.id().startsWith("coordinator.time") ? "*" : job;
    }

    /** The request comes by HTTP. */
    boolean isOfHttp() {
        return point == CrashPoint.ADMISSION_ASKED || point == CrashPoint.ADMISSION_WRITTEN;
    }

    @Override
    public String toString() {
        return point.id() + "/" + situation.word();
    }
}
