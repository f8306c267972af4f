package dev.muster.deploy;

import dev.muster.v1.Phase;
import java.nio.file.Path;
import java.util.Locale;

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
    /** It runs, and the second of its workers is told to leave, which it does not by itself. */
    SHRINKING(Phase.SUCCEEDED, 1, "while [ ! -e %s ]; do sleep 0.2; done", "exec sleep 600");

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
        return this == RESTARTING ? 1 : 0;
    }

    /** Whether the job has to run before it can begin. */
    boolean needsRunningJob() {
        return this != STARTING;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The job, as a user writes it.
     *
     * @param go once this file is there, the first attempt of a restarting job fails, and one that
     *     has shrunk succeeds
     */
    String job(String namespace, String name, Path go) {
        return this == SHRINKING ? elastic(namespace, name, go) : gang(namespace, name, go);
    }

    private String gang(String namespace, String name, Path go) {
        return """
        apiVersion: muster.dev/v1
        kind: TrainJob
        metadata: {name: %s, namespace: %s}
        spec:
          framework: pytorch
          gracePeriod: 1s
          cleanup: All
          success: {when: AllSucceeded}
          failure: {settle: 1s, delay: {initial: 1s}}
          roles:
          - name: master
            template: {spec: {containers: [{name: main, image: busybox, command: %s}]}}
          - name: worker
            template: {spec: {containers: [{name: main, image: busybox, command: %s}]}}
        """
                .formatted(name, namespace, command(master), command(worker.formatted(go)));
    }

    private String elastic(String namespace, String name, Path go) {
        return """
        apiVersion: muster.dev/v1
        kind: TrainJob
        metadata: {name: %s, namespace: %s}
        spec:
          framework: pytorch
          gracePeriod: 1s
          cleanup: All
          success: {when: RoleSucceeded, role: master}
          failure: {settle: 1s, delay: {initial: 1s}}
          elastic: {min: 1, max: 2}
          roles:
          - name: master
            template: {spec: {containers: [{name: main, image: busybox, command: %s}]}}
          - name: worker
            replicas: 2
            elastic: true
            template: {spec: {containers: [{name: main, image: busybox, command: %s}]}}
        """
                .formatted(name, namespace, command(master.formatted(go)), command(worker));
    }

    private static String command(String first) {
        return "[sh, -c, '[ \"$MUSTER_ATTEMPT\" = 1 ] || exec sleep 1; " + first + "']";
    }
}
