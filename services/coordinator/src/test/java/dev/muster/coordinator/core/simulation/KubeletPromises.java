package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.Failure;
import dev.muster.coordinator.core.model.Hook;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Row;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the kubelet starts containers again, that one has ended is no end of its pod; that it has
 * started again is charged, and once.
 */
final class KubeletPromises {
    /** A job as it was before the event. */
    private record Before(Job job, List<Rank> ranks) {
        @Nullable Rank rank(RankId id) {
            return KubeletPromises.rank(ranks, id);
        }
    }

    private final Map<JobId, Before> before = new HashMap<>();

    /** What was seen of a job's roles that may be charged to it. */
    private final Map<JobId, Map<String, Set<String>>> faults = new HashMap<>();

    /** How often the container of each pod started again that is to be charged. */
    private final Map<JobId, Map<String, Integer>> owed = new HashMap<>();

    /** At times they were not to be charged, or not wholly. */
    private final Set<JobId> exempt = new HashSet<>();

    /** A node was not heard of: what starts again there is charged to the cluster. */
    private boolean wasAnySilent;

    private int weighed;

    void areKept(Play play, @Nullable Event event) {
        if (event instanceof Event.PodSeen(_, var id, var pod)) {
            note(id, pod);
            seen(play, id, pod);
        }
        wasAnySilent |=
                play.rows(Row.Table.NODE).values().stream()
                        .anyMatch(row ->
                                row instanceof Node node && (!node.ready() || node.silent()));
        before.clear();
        for (var row : play.rows(Row.Table.JOB).values()) {
            var job = (Job) row;
            chargesAreOfFaults(job);
            if (isExempt(play, job)) {
                exempt.add(job.id());
            } else {
                isCharged(play, job);
            }
            before.put(job.id(), new Before(job, play.ranks(job.id())));
        }
    }

    private void note(JobId id, Pod pod) {
        var mark = pod.mark();
        if (mark.rank().equals(Hook.RANK)) {
            return;
        }
        var known =
                faults.computeIfAbsent(id, _ -> new HashMap<>())
                        .computeIfAbsent(mark.rank().role(), _ -> new HashSet<>());
        boolean hasFailed = pod.main() != null && pod.main().exitCode() != 0;
        if (hasFailed || pod.phase() == Event.PodPhase.FAILED || pod.deleting()) {
            known.add(mark.podUid());
        }
        for (int i = pod.runs() == null ? 0 : pod.runs().count(); i > 0; i--) {
            known.add(mark.podUid() + " " + i);
        }
    }

    private void seen(Play play, JobId id, Pod pod) {
        var was = before.get(id);
        var rank = was == null ? null : was.rank(pod.mark().rank());
        var now = play.isUp(id) ? rank(play.ranks(id), pod.mark().rank()) : null;
        if (rank == null
                || now == null
                || !runsOn(was.job(), rank)
                || now.making().attempt() != rank.making().attempt()
                || now.making().incarnation() != rank.making().incarnation()
                || now.isLeaving()
                || now.sight().resourceVersion() != pod.resourceVersion()
                || !pod.mark().podUid().equals(now.sight().podUid())) {
            return;
        }
        int times = pod.runs() == null ? 0 : pod.runs().count() - rank.sight().restarts();
        if (times > 0) {
            startedAgain(was.job(), now, pod, times);
        } else if (pod.phase() == Event.PodPhase.RUNNING && pod.main() != null) {
            weighed++;
            if (now.state() == RankState.FAILED || now.state() == RankState.RETURNING) {
                throw new AssertionError(
                        "%s of %s starts again, and has failed".formatted(now, id));
            }
        }
    }

    /** Nothing else is asked of it, and its kubelet starts it again. */
    private static boolean runsOn(Job job, Rank rank) {
        return job.state().isUp()
                && job.spec().role(rank.id().role()).restart() == JobSpec.Restart.ON_FAILURE
                && !rank.isLeaving()
                && !rank.state().hasEnded()
                && rank.sight().inPlace() == null;
    }

    private void startedAgain(Job job, Rank now, Pod pod, int times) {
        var failure = Failure.restarted(now.id(), pod.runs().last());
        boolean isCritical = job.spec().isCritical(now.id());
        if (isCritical && !now.state().hasEnded()) {
            throw new AssertionError("%s goes on without %s".formatted(job.id(), now));
        }
        boolean isSaid = job.spec().failureOf(now.id().role()).said(failure) != null;
        // Whoever has ended meanwhile does not begin anew without end, and whoever has lost the one
        // where all meet is not charged for it.
        if (!now.state().hasEnded()
                && !isCritical
                && !isSaid
                && job.spec().work().elastic() == null) {
            owed.computeIfAbsent(job.id(), _ -> new HashMap<>())
                    .merge(pod.mark().podUid(), times, Integer::sum);
        }
    }

    /** Each charge has a fault of its own, of a role of whose policy is asked. */
    private void chargesAreOfFaults(Job job) {
        job.past()
                .budgets()
                .charges()
                .forEach((judge, charges) -> {
                    int known =
                            faults.getOrDefault(job.id(), Map.of()).entrySet().stream()
                                    .filter(of -> job.spec().judgeOf(of.getKey()).equals(judge))
                                    .mapToInt(of -> of.getValue().size())
                                    .sum();
                    if (charges.own() > known) {
                        throw new AssertionError(
                                "%s is charged for %d of %d faults of '%s'"
                                        .formatted(job.id(), charges.own(), known, judge));
                    }
                });
    }

    /** A limit that is used up ends only what goes on, and a node's silence is charged once. */
    private boolean isExempt(Play play, Job job) {
        var budgets = job.past().budgets();
        return exempt.contains(job.id())
                || budgets.silences() != null
                || job.state() instanceof JobState.Saving
                || isUsedUp(play, job, false)
                || wasAnySilent && isUsedUp(play, job, true);
    }

    private static boolean isUsedUp(Play play, Job job, boolean byInfrastructure) {
        return job.spec().roles().stream()
                .anyMatch(role -> isUsedUp(play, job, role.name(), byInfrastructure));
    }

    private static boolean isUsedUp(Play play, Job job, String role, boolean byInfrastructure) {
        var limits = job.spec().failureOf(role).limits();
        var charges = job.past().budgets().of(job.spec().judgeOf(role));
        return charges.within(limits, byInfrastructure, play.now()) >= limits.of(byInfrastructure);
    }

    /** What one container did is not one incident; what others did may be the same ones. */
    private void isCharged(Play play, Job job) {
        int most =
                owed.getOrDefault(job.id(), Map.of()).values().stream()
                        .mapToInt(Integer::intValue)
                        .max()
                        .orElse(0);
        var gathers = Alarm.key(Alarm.Kind.RESTARTS, job.id().toString()).id();
        if (most == 0 || !job.state().isUp() || play.rows(Row.Table.ALARM).containsKey(gathers)) {
            return;
        }
        weighed++;
        int charged = job.past().budgets().all();
        if (charged < most) {
            throw new AssertionError(
                    "%s started again %d times, and was charged %d"
                            .formatted(job.id(), most, charged));
        }
    }

    private static @Nullable Rank rank(List<Rank> ranks, RankId id) {
        return ranks.stream().filter(rank -> rank.id().equals(id)).findFirst().orElse(null);
    }

    /** How often it said anything. */
    int weighed() {
        return weighed;
    }
}
