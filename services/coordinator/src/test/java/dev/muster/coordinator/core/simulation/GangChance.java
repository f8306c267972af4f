package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Row;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Gangs whose least size is told for all roles together: no fewer start, and the rest follows by
 * itself.
 */
final class GangChance implements Piece {
    private final Random random;
    private int weighed;

    GangChance(long seed) {
        random = new Random(seed ^ 0x6a46L);
    }

    @Override
    public Event of(Event event) {
        return event instanceof Event.Submitted(var id, var spec, var request)
                        && spec.work().elastic() == null
                ? new Event.Submitted(id, gang(spec), request)
                : event;
    }

    private JobSpec gang(JobSpec plain) {
        var spec = Respec.roles(plain, this::role);
        var work = spec.work();
        var gang =
                new JobSpec.Gang(
                        1 + random.nextInt(spec.pods()),
                        work.gang().timeout(),
                        work.gang().topology());
        return Fixtures.with(
                spec, gang, work.failure(), work.deadlines(), work.limits(), work.elastic());
    }

    private JobSpec.Role role(JobSpec.Role role) {
        return role.replicas() == 1 || random.nextBoolean() ? role : Fixtures.atLeast(1, role);
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        for (var row : play.rows.getOrDefault(Row.Table.JOB, new TreeMap<>()).values()) {
            var job = (Job) row;
            int least = job.spec().work().gang().min();
            boolean isWhole =
                    job.spec().roles().stream()
                            .flatMap(role -> role.dependsOn().stream())
                            .noneMatch(on -> on.until() == JobSpec.Milestone.SUCCEEDED);
            if (job.state() instanceof JobState.Starting && isWhole && least > 0) {
                weighed++;
                int there = play.ranks(job.id()).size();
                if (there < least) {
                    throw new AssertionError(
                            "%s starts with %d of %d".formatted(job.id(), there, least));
                }
            }
        }
    }

    @Override
    public int weighed() {
        return weighed;
    }
}
