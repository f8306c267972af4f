package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.EarlierRuns;
import dev.muster.coordinator.core.model.Event.InitRuns;
import dev.muster.coordinator.core.model.Hook;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Row;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Pods whose kubelets start their containers again, and with these at times an init container that
 * had succeeded, since the sandbox was made anew, or one that fails on the way: nobody is charged
 * for one that had succeeded.
 */
final class InitChance implements Piece {
    private final Random random;

    /** By uid, what was heard of a pod last. */
    private final Map<String, Ran> heard = new HashMap<>();

    /**
     * @param count how often its containers were started again
     * @param anew of these, those of the init container that had succeeded
     */
    private record Ran(long version, int count, int anew) {}

    /** By job, its pods that have failed, or were told to go. */
    private final Map<JobId, Set<String>> ended = new HashMap<>();

    /** By job, how often containers of it fell. */
    private final Map<JobId, Integer> falls = new HashMap<>();

    private int weighed;

    InitChance(long seed) {
        random = new Random(seed ^ 0x1417L);
    }

    @Override
    public Event of(Event event) {
        return switch (event) {
            case Event.Submitted(var id, var spec, var request) ->
                    new Event.Submitted(id, Respec.roles(spec, this::role), request);
            case Event.PodSeen(var by, var job, var pod) -> new Event.PodSeen(by, job, seen(pod));
            default -> event;
        };
    }

    private JobSpec.Role role(JobSpec.Role role) {
        return random.nextInt(4) == 0 ? role : Respec.restarting(role, JobSpec.Restart.ON_FAILURE);
    }

    /** Of the same pod and count always the same. */
    private static Event.Pod seen(Event.Pod pod) {
        var runs = pod.runs();
        if (runs == null || !runs.inits().isEmpty()) {
            return pod;
        }
        int anew = 0;
        int failed = 0;
        for (int i = 1; i <= runs.count(); i++) {
            int fate = new Random(Objects.hash(pod.mark().podUid(), i)).nextInt(4);
            anew += fate < 2 ? 1 : 0;
            failed += fate == 2 ? 1 : 0;
        }
        var inits = List.of(new InitRuns(anew, true), new InitRuns(failed, false));
        int count = runs.count() + anew + failed;
        return Fixtures.again(pod, new EarlierRuns(count, runs.last(), inits));
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        if (event instanceof Event.PodSeen(_, var job, var pod)
                && !pod.mark().rank().equals(Hook.RANK)) {
            note(job, pod);
        }
        for (var row : play.rows(Row.Table.JOB).values()) {
            isChargedForFalls((Job) row);
        }
    }

    private void note(JobId job, Event.Pod pod) {
        var uid = pod.mark().podUid();
        boolean hasFailed = pod.main() != null && pod.main().exitCode() != 0;
        if (hasFailed || pod.phase() == Event.PodPhase.FAILED || pod.deleting()) {
            ended.computeIfAbsent(job, _ -> new HashSet<>()).add(uid);
        }
        var last = heard.getOrDefault(uid, new Ran(-1, 0, 0));
        var runs = pod.runs();
        if (runs == null || pod.resourceVersion() <= last.version()) {
            return;
        }
        var now = new Ran(pod.resourceVersion(), runs.count(), runs.inits().getFirst().count());
        // That it ran several times anew between two looks nobody says.
        int anew = now.anew() > last.anew() ? 1 : 0;
        weighed += anew;
        falls.merge(job, Math.max(0, now.count() - last.count() - anew), Integer::sum);
        heard.put(uid, now);
    }

    private void isChargedForFalls(Job job) {
        int known = falls.getOrDefault(job.id(), 0) + ended.getOrDefault(job.id(), Set.of()).size();
        int charged =
                job.past().budgets().charges().values().stream()
                        .mapToInt(charges -> charges.own())
                        .sum();
        if (charged > known) {
            throw new AssertionError(
                    "%s is charged for %d of %d falls".formatted(job.id(), charged, known));
        }
    }

    @Override
    public int weighed() {
        return weighed;
    }
}
