package dev.muster.coordinator.core;

import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Hold;
import dev.muster.coordinator.core.model.HookRun;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Settings;
import dev.muster.coordinator.core.state.JobIndex;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Nobody waits for ever who could start: while nothing new comes, whoever comes first by the rules
 * (first of his queue and of his namespace, having waited for long) has what his queue and his
 * namespace may use, and who holds has room, too, at the latest when all those have ended that had
 * started before he came first: within as many ends. What starts later leaves him what he needs.
 */
final class PatiencePromises {
    /** Of each who came first: those who had started before, and have not ended yet. */
    private final Map<JobId, Set<JobId>> ahead = new HashMap<>();

    /** The same of who holds. */
    private final Map<JobId, Set<JobId>> aheadOfHolder = new HashMap<>();

    private Set<JobId> up = Set.of();

    /** Nobody was looked at since all began anew. */
    private boolean isNew = true;

    private int weighed;

    /** How often it said anything. */
    int weighed() {
        return weighed;
    }

    /** Where something else is asked for, or nodes and quotas are others, all begins anew. */
    void hears(Event event) {
        if (event instanceof Event.Command
                || event instanceof Event.OthersUse
                || event instanceof Event.NamespaceQuotaSeen
                || event instanceof Event.NodeSeen
                || event instanceof Event.NodeReleased) {
            ahead.clear();
            aheadOfHolder.clear();
            isNew = true;
        }
    }

    /** Whenever something has happened of itself. */
    void areKept(Play play) {
        var now = up(play);
        boolean hasEnded = !now.containsAll(up);
        up = now;
        if (!hasEnded && !isNew || !isSettled(play) || !anybodyWaits(play)) {
            return;
        }
        isNew = false;
        var naive = new NaiveQueues(play.allRows().toList());
        var first = naive.firstOfAll();
        follow(ahead, first.keySet());
        first.forEach((id, job) -> {
            if (isOver(ahead.get(id)) && naive.lacksQuota(job)) {
                throw new AssertionError("%s starves for quota: %s".formatted(id, now));
            }
        });
        var holder = holder(play);
        follow(aheadOfHolder, holder == null ? Set.of() : Set.of(holder));
        if (holder != null && naive.waits(holder) && isOver(aheadOfHolder.get(holder))) {
            throw new AssertionError("%s holds and starves: %s".formatted(holder, now));
        }
    }

    private boolean isOver(Set<JobId> ahead) {
        weighed++;
        ahead.retainAll(up);
        return ahead.isEmpty();
    }

    private void follow(Map<JobId, Set<JobId>> known, Set<JobId> now) {
        known.keySet().retainAll(now);
        now.forEach(id -> known.computeIfAbsent(id, _ -> new HashSet<>(up)));
    }

    /** All that use room or count as running. */
    private static Set<JobId> up(Play play) {
        var up = new HashSet<JobId>();
        for (var row : play.rows(Row.Table.JOB).values()) {
            var job = (Job) row;
            if (JobIndex.Counts.isRunning(job.state())) {
                up.add(job.id());
            }
        }
        play.ranks()
                .forEach((id, ranks) -> {
                    if (ranks.stream().anyMatch(rank -> !rank.sight().gone())) {
                        up.add(id);
                    }
                });
        for (var row : play.rows(Row.Table.HOOK).values()) {
            up.add(((HookRun) row).job());
        }
        return up;
    }

    private static boolean isSettled(Play play) {
        var settings = (Settings) play.rows(Row.Table.SETTINGS).get("");
        return !settings.startsDue();
    }

    private static boolean anybodyWaits(Play play) {
        return play.rows(Row.Table.JOB).values().stream()
                .anyMatch(row ->
                        ((Job) row).state() instanceof JobState.Queued queued && queued.isOpen());
    }

    private static @Nullable JobId holder(Play play) {
        return play.rows(Row.Table.HOLD).values().stream()
                .map(row -> ((Hold) row).job())
                .findFirst()
                .orElse(null);
    }
}
