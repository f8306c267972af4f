package dev.muster.coordinator.core.simulation;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.model.Event;
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
 * newest any more. What is said of an older plan changes nothing of its job.
 */
final class ApplyChance implements Piece {
    private final Random random;
    private final List<Event> late = new ArrayList<>();
    private Map<String, Row> before = new TreeMap<>();
    private int weighed;

    ApplyChance(long seed) {
        random = new Random(seed ^ 0xa991L);
    }

    @Override
    public Event of(Event event) {
        if (event instanceof Event.PlanApplied && random.nextInt(4) == 0) {
            late.add(event);
            return new Event.WatcherAlive(WATCHER);
        }
        return event;
    }

    @Override
    public List<Later> echoes(Event told) {
        var echoes = new ArrayList<Later>();
        late.forEach(event -> echoes.add(new Later(random.nextInt(40_000), event)));
        late.clear();
        if (told instanceof Event.PlanApplied && random.nextInt(3) == 0) {
            echoes.add(new Later(random.nextInt(8_000), told));
        }
        return echoes;
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        var now = play.rows.getOrDefault(Row.Table.JOB, new TreeMap<>());
        if (event instanceof Event.PlanApplied(var id, var version, _, _)
                && before.get(id.toString()) instanceof Job job
                && version != job.fences().plan()) {
            weighed++;
            assertThat(now.get(id.toString())).as("after %s", event).isEqualTo(job);
        }
        before = new TreeMap<>(now);
    }

    @Override
    public int weighed() {
        return weighed;
    }
}
