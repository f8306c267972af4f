package dev.muster.coordinator.core;

import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Hook;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.state.Effect.PlannedPod;
import dev.muster.coordinator.core.state.Effect.RunPlan;
import dev.muster.coordinator.core.state.Effect.StopPlan;

/** A pod in the pretended cluster. */
record Made(JobId job, Pod pod) {
    /**
     * Each that is made has its own.
     *
     * @param before how many were made of what is planned
     */
    static String uid(RunPlan plan, PlannedPod planned, int before) {
        var making = plan.job() + "/" + planned.rank() + "/" + planned.incarnation();
        return before == 0 ? making : making + "+" + before;
    }

    boolean isOf(RunPlan plan, PlannedPod planned) {
        return job.equals(plan.job())
                && pod.mark().rank().equals(planned.rank())
                && pod.mark().incarnation() == planned.incarnation();
    }

    String uid() {
        return pod.mark().podUid();
    }

    /** An earlier making of what is planned. */
    boolean isOlder(RunPlan plan, PlannedPod planned) {
        return job.equals(plan.job())
                && pod.mark().rank().equals(planned.rank())
                && pod.mark().incarnation() < planned.incarnation();
    }

    /** The plan wants it no more: it is out of it, or leaves. */
    boolean isOver(RunPlan plan) {
        return job.equals(plan.job())
                && plan.all().stream()
                        .filter(planned -> planned.part().drain() == null)
                        .noneMatch(planned -> planned.rank().equals(pod.mark().rank()));
    }

    private boolean isHook() {
        return pod.mark().rank().equals(Hook.RANK);
    }

    boolean goes(StopPlan plan) {
        return job.equals(plan.job())
                && switch (plan.stop().keep()) {
                    case NONE -> true;
                    case FINISHED -> isHook() || pod.phase() == PodPhase.RUNNING;
                    case ALL -> isHook();
                };
    }
}
