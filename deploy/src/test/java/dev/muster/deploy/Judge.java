package dev.muster.deploy;

import dev.muster.cli.kafka.JobStatuses;
import dev.muster.v1.CheckpointStage;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Phase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What is wrong with the jobs of a namespace when they have ended.
 *
 * @param unused jobs of whom nothing is expected but an end
 */
record Judge(
        String namespace, Map<String, Situation> jobs, Set<String> unused, JobStatuses statuses) {
    /** A sentence for each job that did not end as it does when nothing dies, or cost more. */
    List<String> ends() {
        return jobs.entrySet().stream()
                .filter(job -> !unused.contains(job.getKey()))
                .filter(job -> !isAsIfNothingHadHappened(job.getKey()))
                .map(job -> {
                    var status = status(job.getKey());
                    return "%s (%s) is %s in attempt %d after restarts %s: %s"
                            .formatted(
                                    job.getKey(),
                                    job.getValue().word(),
                                    status.getPhase(),
                                    status.getAttempt(),
                                    status.getRestarts(),
                                    status.getMessage());
                })
                .toList();
    }

    boolean isAsIfNothingHadHappened(String name) {
        var status = status(name);
        var situation = situation(name);
        return status.getPhase() == situation.end()
                && (!situation.scales() || wasScaled(name))
                && (situation != Situation.HOOKED || hasRunItsHookOnce(name, true))
                && (situation != Situation.KEPT || hasRunItsHookOnce(name, false))
                && (!situation.saves() || hasSaved(name))
                && (situation != Situation.GIVING || hasHadItsTurn(SituationJob.takerOf(name)))
                && status.getAttempt() == situation.attempts()
                && status.getRestarts().getOwn() == situation.restarts()
                && status.getRestarts().getInfrastructure() == situation.restartsOfInfrastructure();
    }

    private boolean wasScaled(String name) {
        var scaling = status(name).getScaling();
        return scaling != null && scaling.getStage() == situation(name).scaled();
    }

    private boolean hasSaved(String name) {
        var checkpoint = status(name).getCheckpoint();
        return checkpoint != null && checkpoint.getStage() == CheckpointStage.SAVED;
    }

    /** It has succeeded at once, beside a job in a situation. */
    private boolean hasHadItsTurn(String name) {
        return statuses.of(namespace, name)
                .filter(status -> status.getPhase() == Phase.SUCCEEDED)
                .filter(status -> status.getAttempt() == 1)
                .isPresent();
    }

    private boolean hasRunItsHookOnce(String name, boolean well) {
        var hook = status(name).getScaling().getHook();
        return hook != null && hook.getTries() == 1 && hook.getSucceeded() == well;
    }

    /**
     * What does not hold of the {@link Invariants}, and of {@link PodsOfSituations}.
     *
     * @param acknowledged requests by id, and what they were
     */
    List<String> broken(Map<String, String> acknowledged) {
        var records = new JobRecords(namespace);
        var events = records.events();
        var ranks = PodLives.byRank(TheSystem.audit(), namespace);
        return Stream.of(
                        Invariants.ofEvents(events),
                        Invariants.ofRanks(ranks),
                        Invariants.ofStalePods(ranks, events),
                        Invariants.ofScalings(records.scalings()),
                        PodsOfSituations.miscounted(used(), ranks),
                        PodsOfSituations.back(used(), ranks),
                        PodsOfSituations.tooMany(used(), ranks),
                        PodsOfSituations.unsaved(used(), ranks, records.asks()),
                        PodsOfSituations.unguarded(used(), budgets()),
                        HostLists.wrong(hostLists()),
                        Invariants.ofAnswers(acknowledged, JobRecords.answers()))
                .flatMap(List::stream)
                .toList();
    }

    private Map<String, Long> budgets() {
        return MadeBudgets.byName(TheSystem.audit(), namespace);
    }

    private Map<String, Situation> used() {
        var used = new LinkedHashMap<>(jobs);
        used.keySet().removeAll(unused);
        return used;
    }

    /** Of a job that is cancelled its hosts go beside its launcher. */
    private List<HostLists.Event> hostLists() {
        return HostListEvents.of(TheSystem.audit(), namespace).stream()
                .filter(event -> !unused.contains(event.job()))
                .toList();
    }

    private Situation situation(String name) {
        return jobs.getOrDefault(name, Situation.STARTING);
    }

    private JobStatus status(String name) {
        return statuses.of(namespace, name).orElseThrow();
    }
}
