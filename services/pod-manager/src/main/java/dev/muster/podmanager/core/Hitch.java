package dev.muster.podmanager.core;

import dev.muster.schemas.contract.PlanHitch;
import java.time.Duration;
import java.util.List;

/**
 * What is in the way of a plan, as its pool is told if it lasts.
 *
 * @param reason one of {@link PlanHitch}
 * @param message one sentence for people
 * @param patience what lasts for less is nobody's concern
 */
public record Hitch(String reason, String message, Duration patience) {
    /** As a right that an API server grants in a moment. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Beyond what a pod was given to end it may take so long to be gone. */
    private static final Duration TO_GO = Duration.ofSeconds(60);

    public Hitch(String reason, String message) {
        this(reason, message, PATIENCE);
    }

    /**
     * Pods that were told to go.
     *
     * @param pods one or more
     */
    static Hitch stuck(List<Seen> pods) {
        long grace = 0;
        for (var pod : pods) {
            grace = Math.max(grace, pod.grace() == null ? 0 : pod.grace());
        }
        return new Hitch(
                PlanHitch.STUCK_PODS,
                "pod %s was told to go and is still there%s"
                        .formatted(pods.getFirst().name(), more(pods)),
                TO_GO.plusSeconds(grace));
    }

    /**
     * What is left of a submission or an attempt before, whatever pool the one was in: a pool knows
     * of its own jobs alone.
     *
     * @param past one object or more; pods are named before all else
     */
    static Hitch earlier(Plan plan, List<Seen> past) {
        var first =
                past.stream()
                        .filter(object -> object.kind() == Kind.POD)
                        .findFirst()
                        .orElse(past.getFirst());
        var mark = Fences.mark(first);
        var whose =
                Fences.isOf(first, plan)
                        ? "attempt " + mark.attempt()
                        : "the submission before, %s,".formatted(mark.jobUid());
        return new Hitch(
                PlanHitch.EARLIER_PODS,
                "%s %s of %s is still there%s"
                        .formatted(first.kind().words(), first.name(), whose, more(past)));
    }

    /** Of a plan that its log does not have: if it does not come, the log has lost it. */
    static Hitch newer(Plan plan, Seen object) {
        var mark = Fences.mark(object);
        var whose =
                Fences.isOf(object, plan)
                        ? "attempt %d, plan %d".formatted(mark.attempt(), mark.plan())
                        : "submission " + mark.jobUid();
        return new Hitch(
                PlanHitch.NOT_TAKEN,
                "%s %s is newer than the plan, of %s; where Kafka was put back to an earlier moment,"
                                .formatted(object.kind().words(), object.name(), whose)
                        + " delete it");
    }

    /** What has to be there anew, and is being deleted by somebody. */
    static Hitch going(Seen object) {
        return new Hitch(
                PlanHitch.NOT_TAKEN,
                "%s %s is being deleted and is still there"
                        .formatted(object.kind().words(), object.name()));
    }

    private static String more(List<Seen> objects) {
        int others = objects.size() - 1;
        return others == 0 ? "" : " (and %d more)".formatted(others);
    }
}
