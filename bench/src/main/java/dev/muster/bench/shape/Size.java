package dev.muster.bench.shape;

import java.time.Duration;
import java.util.Locale;

/** The three kinds of jobs, as Kueue's profile has them for each queue. */
public enum Size {
    SMALL(1, 200, 50, 350, 100),
    MEDIUM(5, 500, 100, 100, 500),
    LARGE(20, 1000, 200, 50, 1200);

    private final int cpus;
    private final int runMillis;
    private final int priority;
    private final int perQueue;
    private final int everyMillis;

    Size(int cpus, int runMillis, int priority, int perQueue, int everyMillis) {
        this.cpus = cpus;
        this.runMillis = runMillis;
        this.priority = priority;
        this.perQueue = perQueue;
        this.everyMillis = everyMillis;
    }

    /** Of its one pod. */
    public int cpus() {
        return cpus;
    }

    /** How long its pod runs. */
    public Duration run() {
        return Duration.ofMillis(runMillis);
    }

    /** How many one queue gets. */
    int perQueue() {
        return perQueue;
    }

    /** From one to the next of the same queue. */
    Duration every() {
        return Duration.ofMillis(everyMillis);
    }

    /** In names, labels and tables. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The size of the job with this name. */
    public static Size of(String job) {
        return valueOf(job.substring(0, job.indexOf('-')).toUpperCase(Locale.ROOT));
    }

    /** The job's text; its name is not used. */
    String text(String queue) {
        return """
        apiVersion: muster.dev/v1
        kind: TrainJob
        metadata: {name: measured}
        spec:
          queue: %s
          priority: %d
          ttlAfterFinished: 0s
          roles:
          - name: worker
            template:
              metadata: {labels: {bench-size: %s}}
              spec:
                containers:
                - name: main
                  image: python:3.12
                  command: [sleep, infinity]
                  resources: {requests: {cpu: "%d"}}
        """
                .formatted(queue, priority, word(), cpus);
    }
}
