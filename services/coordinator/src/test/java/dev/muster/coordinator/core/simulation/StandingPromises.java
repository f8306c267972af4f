package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.Pool;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Settings;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a pool says of how its jobs stand, whatever has come. */
final class StandingPromises {
    private StandingPromises() {}

    /**
     * Of every job it says how it stands, and the same once it is made again from its rows. Of
     * those that wait no two have one place, and none comes before itself.
     */
    static void everyoneStandsSomewhere(Play play) {
        var places = new TreeMap<String, TreeSet<Integer>>();
        var restored = Pool.restore(play.allRows().toList());
        for (var id : play.jobs()) {
            var standing = play.explain(id).orElseThrow(() -> new AssertionError(id.toString()));
            if (!standing.equals(restored.explain(id).orElse(null))) {
                throw new AssertionError(
                        "a restored pool says otherwise: %s, and not %s"
                                .formatted(restored.explain(id), standing));
            }
            var place = standing.place();
            var job = play.job(id);
            if (place == null) {
                continue;
            }
            boolean isOne =
                    !job.state().takesPart()
                            || places.computeIfAbsent(job.spec().queue(), _ -> new TreeSet<>())
                                    .add(place.position());
            boolean isBehindItself =
                    standing.ahead().stream().anyMatch(rival -> rival.job().equals(id));
            if (!isOne || place.position() > place.of() || isBehindItself) {
                throw new AssertionError("%s has no place of its own".formatted(standing));
            }
        }
    }

    /** When everything was looked at, who waits for a start is told why. */
    static void whoWaitsKnowsWhy(Play play) {
        if (((Settings) play.rows.get(Row.Table.SETTINGS).get("")).startsDue()) {
            return;
        }
        for (var row : play.rows(Row.Table.JOB).values()) {
            var job = (Job) row;
            var standing = play.explain(job.id()).orElseThrow();
            if (job.state() instanceof JobState.Queued && standing.reasons().isEmpty()) {
                throw new AssertionError("%s waits for nothing: %s".formatted(job.id(), standing));
            }
        }
    }
}
