package dev.muster.coordinator.history.whatif;

import dev.muster.coordinator.core.model.Event.PodPhase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** How long pods took in a stretch of the log: half of them were quicker. */
final class UsualTimes {
    private static final Duration QUICK_START = Duration.ofSeconds(2);
    private static final Duration SHORT_RUN = Duration.ofMinutes(1);

    /** No queue has this name. */
    private static final String ALL = "";

    private final Map<String, Duration> starts;
    private final Map<String, Duration> runs;
    private final Map<String, Duration> hookStarts;
    private final Map<String, Duration> hookRuns;

    private interface Measure {
        @Nullable Duration of(RecordedMaking making);
    }

    UsualTimes(Collection<RecordedMaking> makings) {
        starts = medians(makings, RecordedMaking::trains, RecordedMaking::began);
        runs = medians(makings, RecordedMaking::trains, UsualTimes::run);
        hookStarts = medians(makings, making -> !making.trains(), RecordedMaking::began);
        hookRuns = medians(makings, making -> !making.trains(), UsualTimes::run);
    }

    private static Map<String, Duration> medians(
            Collection<RecordedMaking> makings, Predicate<RecordedMaking> which, Measure measure) {
        var took = new LinkedHashMap<String, List<Duration>>();
        for (var making : makings) {
            var its = which.test(making) ? measure.of(making) : null;
            if (its != null) {
                took.computeIfAbsent(ALL, _ -> new ArrayList<>()).add(its);
                took.computeIfAbsent(making.queue(), _ -> new ArrayList<>()).add(its);
            }
        }
        var medians = new LinkedHashMap<String, Duration>();
        took.forEach((queue, all) ->
                medians.put(queue, all.stream().sorted().toList().get(all.size() / 2)));
        return medians;
    }

    private static @Nullable Duration run(RecordedMaking making) {
        var began = making.began();
        var ended = making.after(PodPhase.SUCCEEDED);
        return began == null || ended == null ? null : ended.minus(began);
    }

    /** Until pods of a queue run; where it has none, those of all queues. */
    Duration start(String queue) {
        return of(starts, queue, QUICK_START);
    }

    /** How long they run until they succeed. */
    Duration run(String queue) {
        return of(runs, queue, SHORT_RUN);
    }

    /** Until hooks run, of whatever queue. */
    Duration hookStart() {
        return of(hookStarts, ALL, QUICK_START);
    }

    /** How long they run until they succeed; where none did, they do so at once. */
    Duration hookRun() {
        return of(hookRuns, ALL, Duration.ZERO);
    }

    private static Duration of(Map<String, Duration> medians, String queue, Duration none) {
        return medians.getOrDefault(queue, medians.getOrDefault(ALL, none));
    }
}
