package dev.muster.coordinator.core.simulation;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Row;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Pools that allow now more and now fewer ends of one job for others, and jobs that outdo each
 * other in turn. That pools keep to it {@link PreemptionPromises} say, here as everywhere; here it
 * comes to pass that jobs go on which were ended as often as that.
 */
final class BudgetChance implements Piece {
    private static final int MOST = 2;
    private static final int RAISES = 9;

    private final Random random;
    private final OtherRules rules = new OtherRules(this::allowing, this::impatient);
    private int highest;
    private int weighed;

    BudgetChance(long seed) {
        random = new Random(seed ^ 0xb0d6L);
    }

    /** All are in one queue, where nothing but room is lacking, and that soon. */
    @Override
    public Event of(Event event) {
        return switch (event) {
            case Event.NodeSeen(var watcher, var node) when !node.name().equals("node-0") ->
                    new Event.NodeSeen(watcher, Fixtures.node(node.name(), 0));
            case Event.NamespaceQuotaSeen _ -> new Event.NamespaceQuotaGone(WATCHER, "ml");
            case Event.Submitted(var id, var spec, var request) ->
                    new Event.Submitted(id, placed(spec), request);
            case Event.ChangeAsked(var id, Change.Prioritise _, var request) ->
                    new Event.ChangeAsked(id, new Change.Prioritise(++highest), request);
            case Event.ChangeAsked(var id, Change.Move _, var request) ->
                    new Event.ChangeAsked(id, new Change.Release(), request);
            default -> rules.of(event);
        };
    }

    @Override
    public List<Later> echoes(Event told) {
        if (told instanceof Event.Submitted(var id, _, _)) {
            var raise = new Event.ChangeAsked(id, new Change.Prioritise(0), null);
            var pool = new Event.PoolPut("default", PoolSpec.PLAIN, null);
            var raises =
                    IntStream.range(0, RAISES)
                            .mapToObj(_ -> new Later(random.nextInt(60_000), raise));
            return Stream.concat(raises, Stream.of(new Later(random.nextInt(60_000), pool)))
                    .toList();
        }
        return OtherRules.echoes(told, "x");
    }

    private PoolSpec allowing(PoolSpec spec) {
        int times = random.nextInt(MOST + 1);
        return OtherRules.with(
                spec, new PoolSpec.Preemption(PoolSpec.Mode.LOWER_PRIORITY, Duration.ZERO, times));
    }

    private QueueSpec impatient(QueueSpec spec) {
        return OtherRules.impatient(spec, Duration.ofMillis(random.nextInt(2000)));
    }

    private JobSpec placed(JobSpec spec) {
        var place = spec.place();
        return spec.with(
                new JobSpec.Place(
                        "x", ++highest, null, place.suspended(), place.after(), place.labels()));
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        int allowed = PreemptionPromises.allowed(play);
        for (var row : play.rows(Row.Table.JOB).values()) {
            var job = (Job) row;
            int times = job.past().preempted();
            weighed += job.state().keepsRoom() && times > 0 && times >= allowed ? 1 : 0;
        }
    }

    @Override
    public int weighed() {
        return weighed;
    }
}
