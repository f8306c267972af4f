package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankRange;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.placement.Apart;
import java.util.ArrayList;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Roles some of which may not be on a node with some pods of others, or of their own, and are not,
 * whenever they came.
 */
final class ShunChance implements Piece {
    private final Random random;
    private int weighed;

    ShunChance(long seed) {
        random = new Random(seed ^ 0x54a7L);
    }

    @Override
    public Event of(Event event) {
        return event instanceof Event.Submitted(var id, var spec, var request)
                ? new Event.Submitted(id, Respec.roles(spec, role -> role(spec, role)), request)
                : event;
    }

    private JobSpec.Role role(JobSpec spec, JobSpec.Role role) {
        var ranges = new ArrayList<RankRange>();
        for (int i = random.nextInt(3); i > 0; i--) {
            var other = spec.roles().get(random.nextInt(spec.roles().size()));
            ranges.add(
                    switch (random.nextInt(4)) {
                        case 0 -> new RankRange(other.name(), 0, 1);
                        case 1 -> new RankRange(other.name(), 1, 3);
                        default -> Apart.all(other.name());
                    });
        }
        return Apart.from(role, ranges.toArray(RankRange[]::new));
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        for (var row : play.rows.getOrDefault(Row.Table.JOB, new TreeMap<>()).values()) {
            var job = (Job) row;
            var there = play.ranks(job.id()).stream().filter(rank -> !rank.sight().over()).toList();
            for (int i = 0; i < there.size(); i++) {
                for (var other : there.subList(0, i)) {
                    areApart(job, there.get(i), other);
                }
            }
        }
    }

    private void areApart(Job job, Rank one, Rank other) {
        if (Apart.areApart(job.spec(), one.id(), other.id())) {
            weighed++;
            if (one.making().node().equals(other.making().node())) {
                throw new AssertionError("%s and %s are on one node".formatted(one, other));
            }
        }
    }

    @Override
    public int weighed() {
        return weighed;
    }
}
