package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Row;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Elastic jobs that wish all they may have and are limited to less: all pods that stay never have
 * more together.
 */
final class LimitChance implements Piece {
    private final Random random;
    private int weighed;

    LimitChance(long seed) {
        random = new Random(seed ^ 0x11_317L);
    }

    @Override
    public Event of(Event event) {
        return event instanceof Event.Submitted(var id, var spec, var request)
                        && spec.work().elastic() != null
                ? new Event.Submitted(id, limited(spec.work().elastic(), spec), request)
                : event;
    }

    private JobSpec limited(JobSpec.Elastic range, JobSpec spec) {
        int size = range.min() + random.nextInt(range.max() - range.min() + 1);
        var limits = used(spec.with(spec.work().sized(range.role(), size)));
        return Fixtures.limited(
                Amounts.of(Map.of("cpu", limits.get("cpu"))),
                spec.with(spec.work().sized(range.role(), range.max())));
    }

    private static Amounts used(JobSpec spec) {
        var used = Amounts.NONE;
        for (var role : spec.roles()) {
            used = used.plus(role.demand().times(role.replicas()));
        }
        return used;
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        for (var row : play.rows.getOrDefault(Row.Table.JOB, new TreeMap<>()).values()) {
            var job = (Job) row;
            long most = job.spec().work().limits().get("cpu");
            long used =
                    play.ranks(job.id()).stream()
                            .filter(rank -> !rank.isLeaving())
                            .mapToLong(rank -> job.spec().podOf(rank).demand().get("cpu"))
                            .sum();
            weighed += most > 0 && used == most ? 1 : 0;
            if (most > 0 && used > most) {
                throw new AssertionError("%s has %d of %d".formatted(job.id(), used, most));
            }
        }
    }

    @Override
    public int weighed() {
        return weighed;
    }
}
