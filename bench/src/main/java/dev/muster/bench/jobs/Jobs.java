package dev.muster.bench.jobs;

/** The texts of the jobs that are measured. */
public final class Jobs {
    /** Runs for a moment; for a node whose containers are processes. */
    public static final String SHORT = of("[sleep, '0.3']");

    /** Runs until the end; for nodes that only pretend. */
    public static final String ENDLESS = of("[sleep, infinity]");

    /** Waits for ever: no node has so many cpus. */
    public static final String TOO_LARGE = gang(1).replace("\"1\"", "\"100000\"");

    /** The exit code of a pod of {@link #restarted} that is replaced alone. */
    public static final int RESTARTS_POD = 42;

    /** The exit code of a pod of {@link #restarted} with which the gang begins again. */
    public static final int RESTARTS_GANG = 43;

    private Jobs() {}

    /** A gang of pods of one cpu that runs until the end; for nodes that only pretend. */
    public static String gang(int pods) {
        return """
        apiVersion: muster.dev/v1
        kind: TrainJob
        metadata: {name: measured}
        spec:
          roles:
          - name: worker
            replicas: %d
            template:
              spec:
                containers:
                - name: main
                  image: python:3.12
                  command: [sleep, infinity]
                  resources: {requests: {cpu: "1"}}
        """
                .formatted(pods);
    }

    /**
     * A gang whose failures are neither waited for nor counted out; for nodes that only pretend.
     */
    public static String restarted(int pods) {
        return gang(pods)
                + """
                  failure:
                    backoffLimit: 1000
                    delay: {initial: 0s, max: 0s}
                    settle: 0s
                    rules:
                    - {exitCodes: [%d], action: RestartPod}
                    - {exitCodes: [%d], action: RestartGang}
                """
                        .formatted(RESTARTS_POD, RESTARTS_GANG);
    }

    /**
     * A launcher and workers of which so many may be there; for nodes that only pretend.
     *
     * @param workers at least, and at first
     */
    public static String launched(int workers, int most) {
        return """
        apiVersion: muster.dev/v1
        kind: TrainJob
        metadata: {name: measured}
        spec:
          framework: horovod
          elastic: {min: %1$d, max: %2$d}
          roles:
          - name: launcher
            template: &pod
              spec:
                containers:
                - name: main
                  image: python:3.12
                  command: [sleep, infinity]
                  resources: {requests: {cpu: "1"}}
          - name: worker
            replicas: %1$d
            elastic: true
            template: *pod
        """
                .formatted(workers, most);
    }

    private static String of(String command) {
        return """
        apiVersion: muster.dev/v1
        kind: TrainJob
        metadata: {name: measured}
        spec:
          roles:
          - name: worker
            template:
              spec:
                containers:
                - name: main
                  image: python:3.12
                  command: %s
                  resources: {requests: {cpu: 100m, memory: 64Mi}}
        """
                .formatted(command);
    }
}
