package dev.muster.coordinator.core.simulation;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.WaitReason;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A backend that says of groups that it cannot bind them, and takes that back: a job that starts
 * has its last word, and one that is of an older attempt is none.
 */
final class GroupChance implements Piece {
    private final Random random;
    private final Map<JobId, Job> jobs = new TreeMap<>();
    private int told;
    private int takenBack;
    private int old;

    GroupChance(long seed) {
        random = new Random(seed ^ 0x960bL);
    }

    /** Some of what it says comes when the job is on by an attempt. */
    @Override
    public List<Later> echoes(Event event) {
        if (!(event instanceof Event.PodSeen(_, var job, var pod)) || random.nextInt(6) > 0) {
            return List.of();
        }
        int attempt = pod.mark().attempt() - random.nextInt(4) / 3;
        var group = pod.mark().rank().role();
        long first = random.nextInt(1500);
        return List.of(
                new Later(first, group(job, attempt, group, true)),
                new Later(
                        first + random.nextInt(20_000),
                        group(job, attempt, group, random.nextInt(4) == 0)));
    }

    private Event group(JobId job, int attempt, String group, boolean isUnschedulable) {
        var reason = isUnschedulable ? "NotEnoughResources" : "";
        var message = isUnschedulable ? random.nextInt(3) + " of 4 nodes would do" : "";
        return new Event.GroupSeen(WATCHER, job, attempt, group, isUnschedulable, reason, message);
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        if (event instanceof Event.GroupSeen said) {
            isHeard(said, play.rows(Row.Table.JOB).get(said.job().toString()));
        }
        jobs.clear();
        for (var row : play.rows(Row.Table.JOB).values()) {
            jobs.put(((Job) row).id(), (Job) row);
        }
    }

    private void isHeard(Event.GroupSeen said, @Nullable Row now) {
        var before = jobs.get(said.job());
        if (before == null || !(now instanceof Job job)) {
            return;
        }
        if (said.attempt() != before.fences().attempt()) {
            old++;
            if (!before.state().equals(job.state())) {
                throw new AssertionError("%s was believed: %s".formatted(said, job));
            }
        } else if (before.state() instanceof JobState.Starting(_, _, _, var was, _)
                && job.state() instanceof JobState.Starting(_, _, _, var waits, _)) {
            boolean isOf = isOf(waits, said.group());
            told += said.unschedulable() ? 1 : 0;
            takenBack += !said.unschedulable() && isOf(was, said.group()) ? 1 : 0;
            if (isOf != said.unschedulable()) {
                throw new AssertionError("%s, and it waits for %s".formatted(said, waits));
            }
        }
    }

    private static boolean isOf(@Nullable WaitReason waits, String group) {
        return waits != null
                && waits.code() == WaitReason.Code.NOT_SCHEDULED
                && group.equals(waits.scope());
    }

    @Override
    public int weighed() {
        return Math.min(old, Math.min(told, takenBack));
    }
}
