package dev.muster.deploy;

import static org.awaitility.Awaitility.await;

import dev.muster.cli.kafka.JobStatuses;
import dev.muster.schemas.trainjob.TrainJobForm;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Phase;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Jobs as users write them, and where they stand. */
final class Jobs {
    static final Set<Phase> ENDS =
            EnumSet.of(Phase.SUCCEEDED, Phase.FAILED, Phase.CANCELLED, Phase.REFUSED);

    private Jobs() {}

    static TrainJobForm.Read read(String yaml) {
        return switch (TrainJobForm.read(yaml)) {
            case TrainJobForm.Read job -> job;
            case TrainJobForm.Refused refused -> throw new AssertionError(refused.problems());
        };
    }

    /**
     * One pod in queue {@code default}.
     *
     * @param pod its spec, as YAML
     */
    static TrainJobForm.Read ofOnePod(String namespace, String name, String pod) {
        return read(
                """
                apiVersion: muster.dev/v1
                kind: TrainJob
                metadata: {name: %s, namespace: %s}
                spec:
                  roles:
                  - name: worker
                    template:
                      spec:
                        %s
                """
                        .formatted(name, namespace, pod.indent(8).strip()));
    }

    /** Waits for the job's end. */
    static JobStatus end(JobStatuses statuses, String namespace, String name) {
        return endAfter(statuses, namespace, name, null);
    }

    /**
     * The same, of a submission that follows another.
     *
     * @param past null: there was none
     */
    static JobStatus endAfter(
            JobStatuses statuses, String namespace, String name, @Nullable JobRef past) {
        var end = new AtomicReference<JobStatus>();
        await().atMost(Duration.ofMinutes(3))
                .until(() -> {
                    statuses.news();
                    statuses.of(namespace, name)
                            .filter(status -> ENDS.contains(status.getPhase()))
                            .filter(status -> !status.getJob().equals(past))
                            .ifPresent(end::set);
                    return end.get() != null;
                });
        return end.get();
    }
}
