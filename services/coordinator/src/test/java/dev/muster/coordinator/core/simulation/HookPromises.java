package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.HookRun;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Scaling;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What holds of hooks whatever comes. */
final class HookPromises {
    private HookPromises() {}

    /** Between any two events: a hook is of a command under way, and somebody will look at it. */
    static void areKept(Play play) {
        var runs = play.rows.getOrDefault(Row.Table.HOOK, new TreeMap<>());
        for (var row : runs.values()) {
            var run = (HookRun) row;
            var job = play.job(run.job());
            var scaling = job.past().scaling();
            boolean isOfIt = scaling != null && scaling.number() == run.command();
            if (scaling == null || !isOfIt || scaling.isOver()) {
                throw new AssertionError("%s outlives its command: %s".formatted(run, scaling));
            }
            var making = run.making();
            boolean isFenced =
                    making == null
                            || job.state().isUp()
                                    && making.attempt() == job.fences().attempt()
                                    && making.incarnation() <= job.fences().incarnation();
            var hooked = scaling.hook();
            boolean isTried = hooked != null && hooked.tries() <= run.hook().retries() + 1;
            if (!isFenced || hooked != null && !isTried || making != null && hooked == null) {
                throw new AssertionError("%s of %s is not of now".formatted(run, job));
            }
            var alarm = Alarm.key(Alarm.Kind.HOOK, job.id().toString()).id();
            if (hooked != null && !play.rows.get(Row.Table.ALARM).containsKey(alarm)) {
                throw new AssertionError("nobody looks at " + run);
            }
        }
        for (var row : play.rows.getOrDefault(Row.Table.RANK, new TreeMap<>()).values()) {
            if (row instanceof Rank rank
                    && rank.isUntold()
                    && !runs.containsKey(rank.job().toString())) {
                throw new AssertionError(rank + " is never told to leave");
            }
        }
    }

    /** How the hook of a command stands, in a word. */
    static String end(Effect.Scaled scaled) {
        var hooked = scaled.scaling().hook();
        if (hooked == null) {
            return "";
        }
        if (hooked.done()) {
            return hooked.tries() > 1 ? "done after another try" : "done";
        }
        return scaled.scaling().isOver() ? scaled.scaling().reason() : hooked.reason();
    }

    /** What succeeded with a hook has had one that ended well; none is wanted after its command. */
    static void endWithTheirCommands(Map<JobId, List<Effect>> news) {
        news.forEach((job, ofJob) -> {
            long ended = 0;
            for (var effect : ofJob) {
                if (effect instanceof Effect.Scaled(_, _, _, var scaling) && scaling.isOver()) {
                    ended = scaling.number();
                    boolean isWell =
                            scaling.stage() != Scaling.Stage.SUCCEEDED
                                    || scaling.hook() == null
                                    || scaling.hook().done()
                                    || !scaling.isGrowth();
                    if (!isWell) {
                        throw new AssertionError("%s: %s without its hook".formatted(job, scaling));
                    }
                }
                if (effect instanceof Effect.RunPlan plan
                        && plan.hook() != null
                        && plan.hook().scaling().number() <= ended) {
                    throw new AssertionError("%s: %s comes too late".formatted(job, plan.hook()));
                }
            }
        });
    }
}
