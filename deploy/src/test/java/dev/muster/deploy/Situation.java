package dev.muster.deploy;

import dev.muster.v1.Phase;
import dev.muster.v1.ScaleStage;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;

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
    SWEPT(Phase.SUCCEEDED, 1, "sleep 1", "sleep 1");

    private static final String FIRST_IS_READY =
            "{periodSeconds: 1, exec: {command: [sh, -c, '[ \"$MUSTER_INDEX\" = 0 ]']}}";

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

    /** Whether there has to be a job before it can begin. */
    boolean needsJob() {
        return this != STARTING;
    }

    /** Where its job has to be before it can begin. */
    Phase begins() {
        return this == SWEPT ? Phase.SUCCEEDED : Phase.RUNNING;
    }

    /** Whether its size is to change, after which the job succeeds. */
    boolean scales() {
        return this == SHRINKING || this == HOOKED || this == GROWING || isUndone();
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

    /** How many workers it has before its command of scale. */
    int workers() {
        return this == GROWING || this == UNDONE || this == WITHDRAWN ? 1 : 2;
    }

    /** The indices of its workers after its command of scale, before its job ends; none: any. */
    Set<Integer> workersAfter() {
        return switch (this) {
            case UNDONE, WITHDRAWN -> Set.of(0);
            case GROWING, KEPT, RECALLED -> Set.of(0, 1);
            case RELIEVED -> Set.of(0, 2);
            case STARTING, RESTARTING, CANCELLED, SUSPENDED, SHRINKING -> Set.of();
            case SAVING, HOOKED, ENDING, SWEPT -> Set.of();
        };
    }

    private boolean isHorovod() {
        return this == SHRINKING || this == RELIEVED || workers() == 1;
    }

    /** The one end of its command of scale. */
    ScaleStage scaled() {
        if (isTakenBack()) {
            return ScaleStage.CANCELLED;
        }
        return isUndone() ? ScaleStage.FAILED : ScaleStage.SUCCEEDED;
    }

    /** Whether its job is suspended, and resumed later. */
    boolean suspends() {
        return this == SUSPENDED || this == SAVING;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The job, as a user writes it.
     *
     * @param go once this file is there, the first attempt of a restarting job fails, and one that
     *     is ending or was scaled succeeds
     */
    String job(String namespace, String name, Path go) {
        if (isHorovod()) {
            return horovod(namespace, name, go);
        }
        return scales() ? elastic(namespace, name, go) : gang(namespace, name, go);
    }

    private String gang(String namespace, String name, Path go) {
        return spec(
                namespace,
                name,
                """
                framework: pytorch
                success: {when: AllSucceeded}
                checkpoint: {signal: %s, timeout: 10m}
                roles:
                - name: master
                  template: {spec: {containers: [{name: main, image: busybox, command: %s}]}}
                - name: worker
                  template: {spec: {containers: [{name: main, image: busybox, command: %s}]}}
                """
                        .formatted(
                                this == SAVING ? "file" : "none",
                                command(master.formatted(go)),
                                command(worker.formatted(go))));
    }

    private String elastic(String namespace, String name, Path go) {
        return spec(
                namespace,
                name,
                """
                framework: pytorch
                success: {when: RoleSucceeded, role: master}
                elastic: {min: 1, max: 2}
                roles:
                - name: master
                  template: {spec: {containers: [{name: main, image: busybox, command: %s}]}}
                - name: worker
                  replicas: 2
                  elastic: true
                  template: {spec: {containers: [{name: main, image: busybox, command: %s}]}}
                """
                        .formatted(command(master.formatted(go)), command(worker)));
    }

    private String horovod(String namespace, String name, Path go) {
        return spec(
                namespace,
                name,
                """
                framework: horovod
                elastic: {min: 1, max: 2}
                roles:
                - name: launcher
                  template: {spec: {containers: [{name: main, image: busybox, command: %s}]}}
                - name: worker
                  replicas: %d
                  elastic: true
                  template: {spec: {containers: [{name: main, image: %s}]}}
                """
                        .formatted(command(master.formatted(go)), workers(), host(go)));
    }

    /** One that says nothing of what it runs is an agent. */
    private String host(Path go) {
        if (worker.isEmpty()) {
            return "python:3.12";
        }
        boolean neverReady = this == UNDONE || this == WITHDRAWN;
        return "busybox, command: %s%s"
                .formatted(
                        command(worker.formatted(go)),
                        neverReady ? ", readinessProbe: " + FIRST_IS_READY : "");
    }

    /** What the jobs of all situations have in common, and what this one has besides. */
    private static String spec(String namespace, String name, String own) {
        return """
        apiVersion: muster.dev/v1
        kind: TrainJob
        metadata: {name: %s, namespace: %s}
        spec:
          gracePeriod: 1s
          cleanup: All
          failure: {settle: 1s, delay: {initial: 1s}}
          deadlines: {queue: 30m, start: 30m, run: 30m}
        %s\
        """
                .formatted(name, namespace, own.indent(2));
    }

    private static String command(String first) {
        return "[sh, -c, '[ \"$MUSTER_ATTEMPT\" = 1 ] || exec sleep 1; " + first + "']";
    }
}
