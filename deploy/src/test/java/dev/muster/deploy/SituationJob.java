package dev.muster.deploy;

import java.nio.file.Path;

/**
 * A job for a situation, as a user writes it.
 *
 * @param go once this file is there, the first attempt of a restarting job fails, and one that is
 *     ending or was scaled succeeds
 */
record SituationJob(Situation situation, String namespace, String name, Path go) {
    /** Up to an index. */
    private static final String FIRST_ARE_READY =
            "{periodSeconds: 1, exec: {command: [sh, -c, '[ \"$MUSTER_INDEX\" -le %d ]']}}";

    /** How many of its pods a node of its own takes. */
    static final int FULL = 2;

    private static final String REQUEST = ", resources: {requests: {cpu: 50m}}";

    String yaml() {
        if (situation.isHorovod()) {
            return horovod();
        }
        return situation.endsWhenWhole() ? elastic() : gang();
    }

    private String gang() {
        return spec(
                """
                framework: pytorch
                success: {when: AllSucceeded}
                roles:
                - name: master
                  template: {spec: {containers: [{name: main, image: busybox, command: %s}]}}
                - name: worker
                  template: {spec: {%scontainers: [{name: main, image: busybox, command: %s}]}}
                """
                        .formatted(master(), node(), worker()));
    }

    private String elastic() {
        return spec(
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
                        .formatted(master(), worker()));
    }

    private String horovod() {
        return spec(
                """
                framework: horovod
                elastic: {min: 1, max: %d}
                roles:
                - name: launcher
                  template: {spec: {containers: [{name: main, image: busybox, command: %s}]}}
                - name: worker
                  replicas: %d
                  elastic: true
                  template: {spec: {%scontainers: [{name: main, image: %s%s}]}}
                """
                        .formatted(
                                situation == Situation.BEST_EFFORT ? 3 : 2,
                                master(),
                                situation.workers(),
                                node(),
                                host(),
                                situation == Situation.GIVING ? REQUEST : ""));
    }

    /** The name of the job for which this one gives back. */
    static String takerOf(String name) {
        return name + "-taker";
    }

    /**
     * Another job for its node, which needs as much as one of its workers, and ends soon.
     *
     * @param queue whose jobs do not wait long
     */
    String taker(String queue) {
        return spec(
                takerOf(name),
                queue,
                """
                roles:
                - name: worker
                  template:
                    spec: {%scontainers: [{name: main, image: busybox, command: [sleep, "2"]%s}]}
                """
                        .formatted(node(), REQUEST));
    }

    private String node() {
        return situation.hasNode() ? SpareNodes.only(namespace, name) + ", " : "";
    }

    /** One that says nothing of what it runs is an agent. */
    private String host() {
        if (situation.worker().isEmpty()) {
            return "python:3.12";
        }
        return "busybox, command: %s%s".formatted(worker(), probe());
    }

    private String probe() {
        return switch (situation) {
            case UNDONE, WITHDRAWN -> ", readinessProbe: " + FIRST_ARE_READY.formatted(0);
            case BEST_EFFORT -> ", readinessProbe: " + FIRST_ARE_READY.formatted(1);
            default -> "";
        };
    }

    /** What the jobs of all situations have in common, and what this one has besides. */
    private String spec(String own) {
        return spec(name, "default", own);
    }

    private String spec(String called, String queue, String own) {
        return """
        apiVersion: muster.dev/v1
        kind: TrainJob
        metadata: {name: %s, namespace: %s}
        spec:
          queue: %s
          gracePeriod: 1s
          cleanup: All
          failure: {settle: 1s, delay: {initial: 1s}%s}
          deadlines: {queue: 30m, start: 30m, run: 30m}
          checkpoint: {signal: %s, timeout: 10m}
          policy: {podDisruptionBudget: %s}
        %s\
        """
                .formatted(
                        called,
                        namespace,
                        queue,
                        rules(),
                        situation.saves() ? "file" : "none",
                        situation.isGuarded(),
                        own.indent(2));
    }

    private String rules() {
        return switch (situation) {
            case IN_PLACE -> ", rules: [{exitCodes: [137], action: RestartInPlace}]";
            case FORCED -> ", nodeLost: {after: 1s, policy: wait}";
            default -> "";
        };
    }

    private String master() {
        return command(situation.master());
    }

    private String worker() {
        return command(situation.worker());
    }

    private String command(String first) {
        return "[sh, -c, '[ \"$MUSTER_ATTEMPT\" = 1 ] || exec sleep 1; "
                + first.formatted(go)
                + "']";
    }
}
