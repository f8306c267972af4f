package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Settings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * No job is ended for others once that has come to pass as often as its pool allows then, whatever
 * the pool allowed before. The ends are counted by what is told of them.
 */
final class PreemptionPromises {
    /** Else it only gives some of its ranks back, which no budget limits. */
    private static final String ENDED = "it makes room for ";

    private final Map<JobId, Integer> ends = new TreeMap<>();
    private int allowed = PoolSpec.PLAIN.preemption().budget();

    /**
     * @param effects all that followed from one event, or from alarms alone
     */
    void areKept(Play play, List<Effect> effects) {
        int before = allowed;
        allowed = allowed(play);
        // Of alarms that were due before the pool was changed, the budget was that of before.
        int most = Math.max(before, allowed);
        for (var effect : effects) {
            if (effect instanceof Effect.Preempted(var job, _, var by, var message)
                    && message.startsWith(ENDED)
                    && ends.merge(job, 1, Integer::sum) > most) {
                throw new AssertionError(
                        "%s was ended %d times, now for %s: its pool allows %d"
                                .formatted(job, ends.get(job), by, most));
            }
        }
        play.rows(Row.Table.JOB).values().forEach(row -> isRemembered((Job) row));
    }

    private void isRemembered(Job job) {
        int times = ends.getOrDefault(job.id(), 0);
        if (job.past().preempted() != times) {
            throw new AssertionError("ended %d times: %s".formatted(times, job));
        }
    }

    static int allowed(Play play) {
        var settings = (Settings) play.rows(Row.Table.SETTINGS).get("");
        return settings == null
                ? PoolSpec.PLAIN.preemption().budget()
                : settings.spec().preemption().budget();
    }
}
