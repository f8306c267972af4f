package dev.muster.coordinator.core;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.CheckpointPolicy;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobSpec;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A job's work in which something is to be otherwise: the one place that names all of it. */
final class AnotherWork {
    JobSpec.Gang gang;
    List<JobSpec.Role> roles;
    JobSpec.Success success;
    @Nullable Duration ttl;
    FailurePolicy failure;
    JobSpec.Deadlines deadlines;
    Amounts limits;
    JobSpec.@Nullable Elastic elastic;
    boolean hostList;
    @Nullable CheckpointPolicy checkpoint;
    boolean keepsLeast;

    private AnotherWork(JobSpec.Work work) {
        gang = work.gang();
        roles = work.roles();
        success = work.success();
        ttl = work.ttl();
        failure = work.failure();
        deadlines = work.deadlines();
        limits = work.limits();
        elastic = work.elastic();
        hostList = work.hostList();
        checkpoint = work.checkpoint();
        keepsLeast = work.keepsLeast();
    }

    /** The same job, but for what is changed. */
    static JobSpec of(JobSpec spec, Consumer<AnotherWork> change) {
        var work = spec.work();
        var other = new AnotherWork(work);
        change.accept(other);
        return spec.with(
                new JobSpec.Work(
                        other.gang,
                        other.roles,
                        other.success,
                        work.cleanup(),
                        other.ttl,
                        work.grace(),
                        other.failure,
                        other.deadlines,
                        other.limits,
                        other.elastic,
                        other.hostList,
                        other.checkpoint,
                        other.keepsLeast));
    }
}
