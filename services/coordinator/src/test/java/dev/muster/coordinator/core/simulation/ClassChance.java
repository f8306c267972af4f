package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Settings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Priorities by the names of classes, which the pool's settings give values, other ones now and
 * then: a job has the value that its class had when it came, and keeps it.
 */
final class ClassChance implements Piece {
    private static final List<String> NAMES = List.of("low", "usual", "high");

    private final Random random;
    private final Map<JobId, String> asked = new HashMap<>();
    private final Map<JobId, Integer> given = new HashMap<>();
    private int weighed;

    ClassChance(long seed) {
        random = new Random(seed ^ 0xc1a55L);
    }

    @Override
    public Event of(Event event) {
        return switch (event) {
            case Event.PoolPut(var name, var spec, var request) ->
                    new Event.PoolPut(name, classes(spec), request);
            case Event.PoolChange(var name, var spec, var fields, var request) -> {
                var more = new TreeSet<>(fields);
                more.add("priorityClasses." + NAMES.get(random.nextInt(NAMES.size())));
                yield new Event.PoolChange(name, classes(spec), more, request);
            }
            case Event.Submitted(var id, var spec, var request) when random.nextInt(4) > 0 -> {
                var name = NAMES.get(random.nextInt(NAMES.size()));
                asked.put(id, name);
                yield new Event.Submitted(id, of(name, spec), request);
            }
            default -> event;
        };
    }

    private static JobSpec of(String name, JobSpec spec) {
        var place = spec.place();
        return spec.with(
                new JobSpec.Place(
                        place.queue(),
                        place.priority(),
                        name,
                        place.suspended(),
                        place.after(),
                        place.labels()));
    }

    /** Of some of the names, so that some have none. */
    private PoolSpec classes(PoolSpec spec) {
        var classes = new TreeMap<String, Integer>();
        for (var name : NAMES) {
            if (random.nextInt(6) > 0) {
                classes.put(name, random.nextInt(9) - 4);
            }
        }
        var step = Duration.ofSeconds(random.nextInt(2) * random.nextInt(5));
        return new PoolSpec(
                spec.nodeSelector(),
                spec.policy(),
                spec.preemption(),
                new PoolSpec.Priorities(classes, step, random.nextInt(4)),
                spec.spot(),
                spec.backing(),
                spec.notices(),
                spec.nodeHealth());
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        if (event instanceof Event.ChangeAsked || event instanceof Event.BulkAsked) {
            given.clear();
        }
        if (event instanceof Event.Submitted(var id, _, _)
                && play.rows(Row.Table.JOB).containsKey(id.toString())) {
            came(play, play.job(id));
        }
        for (var row : play.rows(Row.Table.JOB).values()) {
            var job = (Job) row;
            int priority = job.spec().place().priority();
            if (given.getOrDefault(job.id(), priority) != priority) {
                throw new AssertionError("%s had %s".formatted(job, given.get(job.id())));
            }
            given.put(job.id(), priority);
        }
    }

    /** Nobody is taken in whose class has no value. */
    private void came(Play play, Job job) {
        var name = asked.get(job.id());
        if (name == null || given.containsKey(job.id())) {
            return;
        }
        var settings = (Settings) play.rows(Row.Table.SETTINGS).get("");
        var value = settings.spec().priorities().classes().get(name);
        if (value == null || value != job.spec().place().priority()) {
            throw new AssertionError("%s came as %s, which is %s".formatted(job, name, value));
        }
        weighed++;
    }

    @Override
    public int weighed() {
        return weighed;
    }
}
