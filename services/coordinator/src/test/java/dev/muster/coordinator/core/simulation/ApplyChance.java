package dev.muster.coordinator.core.simulation;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Hitch;
import dev.muster.coordinator.core.model.Event.PlanApplied;
import dev.muster.coordinator.core.model.Event.PlanHindered;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reports of plans that come again, or long after: when their pods are gone, or the plan is not the
 * newest any more. What is said of an older plan changes nothing of its job, and what keeps one is
 * told and changes nothing else.
 */
final class ApplyChance implements Piece {
    /** Milliseconds until it is told what keeps a plan. */
    private static final int HINDERED = 150;

    private final Random random;
    private final List<Event> late = new ArrayList<>();
    private Map<String, Row> before = new TreeMap<>();
    private int weighed;

    ApplyChance(long seed) {
        random = new Random(seed ^ 0xa991L);
    }

    @Override
    public Event of(Event event) {
        if (event instanceof PlanApplied && random.nextInt(4) == 0) {
            late.add(event);
            return new Event.WatcherAlive(WATCHER);
        }
        return event;
    }

    @Override
    public List<Later> echoes(Event told) {
        var echoes = new ArrayList<Later>();
        late.forEach(event -> echoes.add(new Later(random.nextInt(40_000), event)));
        late.forEach(event -> echoes.add(new Later(HINDERED, hindered((PlanApplied) event))));
        late.clear();
        if (told instanceof PlanApplied && random.nextInt(3) == 0) {
            echoes.add(new Later(random.nextInt(8_000), told));
        }
        return echoes;
    }

    /** What keeps that plan so long; of attempts that are over, too. */
    private static PlanHindered hindered(PlanApplied late) {
        var hitch = late.confirm() ? Hitch.NOT_TAKEN : Hitch.EARLIER_PODS;
        return new PlanHindered(late.job(), 1 + (int) (late.version() % 2), hitch, "not yet");
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        var now = play.rows.getOrDefault(Row.Table.JOB, new TreeMap<>());
        if (event instanceof PlanApplied(var id, var version, _, _)
                && before.get(id.toString()) instanceof Job job
                && version != job.fences().plan()) {
            weighed++;
            assertThat(now.get(id.toString())).as("after %s", event).isEqualTo(job);
        }
        if (event instanceof PlanHindered(var id, _, _, _)
                && before.get(id.toString()) instanceof Job job) {
            weighed++;
            assertThat(unhindered((Job) now.get(id.toString()))).isEqualTo(unhindered(job));
        }
        before = new TreeMap<>(now);
    }

    private static Job unhindered(Job job) {
        var fences = job.fences();
        return job.with(
                        new Job.Fences(
                                fences.attempt(),
                                fences.incarnation(),
                                fences.plan(),
                                fences.applied()))
                .with(Job.Due.NOTHING);
    }

    @Override
    public int weighed() {
        return weighed;
    }
}
