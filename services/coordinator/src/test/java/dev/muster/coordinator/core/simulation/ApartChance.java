package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.fixtures.Zones;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Row;
import java.util.HashSet;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Roles no two pods of which may be on one node, and are not, whenever they came. */
final class ApartChance implements Piece {
    private final Random random;
    private int weighed;

    ApartChance(long seed) {
        random = new Random(seed ^ 0xa9a7L);
    }

    @Override
    public Event of(Event event) {
        return event instanceof Event.Submitted(var id, var spec, var request)
                ? new Event.Submitted(id, Respec.roles(spec, this::role), request)
                : event;
    }

    private JobSpec.Role role(JobSpec.Role role) {
        return random.nextInt(3) == 0 ? role : Zones.apart(role);
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        for (var row : play.rows.getOrDefault(Row.Table.JOB, new TreeMap<>()).values()) {
            var job = (Job) row;
            for (var role : job.spec().roles()) {
                if (role.pod().apart()) {
                    isApart(play, job, role.name());
                }
            }
        }
    }

    private void isApart(Play play, Job job, String role) {
        var nodes =
                play.ranks(job.id()).stream()
                        .filter(rank -> rank.id().role().equals(role) && !rank.sight().over())
                        .map(rank -> rank.making().node())
                        .toList();
        weighed += nodes.size() / 2;
        if (new HashSet<>(nodes).size() < nodes.size()) {
            throw new AssertionError("%s of %s are on %s".formatted(role, job.id(), nodes));
        }
    }

    @Override
    public int weighed() {
        return weighed;
    }
}
