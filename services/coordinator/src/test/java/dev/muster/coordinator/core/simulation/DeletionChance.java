package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Row;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Queues that are deleted, some with jobs, and made again: who leaves goes with its last job. */
final class DeletionChance implements Piece {
    private final Random random;
    private final TreeSet<String> leaving = new TreeSet<>();

    /** It was deleted where it should have been put. */
    private @Nullable QueueSpec deleted;

    private boolean isAgain;
    private int weighed;

    DeletionChance(long seed) {
        random = new Random(seed ^ 0xde1eL);
    }

    @Override
    public Event of(Event event) {
        deleted = null;
        return switch (event) {
            case Event.QueuePut(var name, var spec, _) -> of(event, name, spec);
            case Event.QueueChange(var name, var spec, _, _, _) -> of(event, name, spec);
            default -> event;
        };
    }

    /** What was put again stays, until it is changed once more. */
    private Event of(Event event, String name, QueueSpec spec) {
        boolean stays = isAgain || !name.equals("x") || random.nextInt(3) == 0;
        isAgain = false;
        if (stays) {
            return event;
        }
        deleted = spec;
        return new Event.QueueDelete(name, random.nextInt(4) > 0, null);
    }

    @Override
    public List<Later> echoes(Event told) {
        if (told instanceof Event.Submitted && random.nextInt(8) == 0) {
            var delete = new Event.QueueDelete("x", random.nextInt(4) > 0, null);
            var put = new Event.QueuePut("x", QueueSpecs.QUEUE, null);
            return List.of(
                    new Later(random.nextInt(3_000), delete),
                    new Later(3_000 + random.nextInt(30_000), put));
        }
        if (deleted == null) {
            return List.of();
        }
        isAgain = true;
        return List.of(new Later(random.nextInt(60_000), new Event.QueuePut("x", deleted, null)));
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        var queues = play.rows(Row.Table.QUEUE);
        weighed += (int) leaving.stream().filter(name -> !queues.containsKey(name)).count();
        leaving.clear();
        for (var row : queues.values()) {
            var queue = (Queue) row;
            if (queue.leaving()) {
                leaving.add(queue.name());
                hasJobs(play, queue);
            }
        }
    }

    private static void hasJobs(Play play, Queue queue) {
        boolean any =
                play.rows(Row.Table.JOB).values().stream()
                        .map(Job.class::cast)
                        .filter(job -> job.spec().queue().equals(queue.name()))
                        .anyMatch(job -> !job.state().phase().isEnd());
        if (!any) {
            throw new AssertionError("%s leaves, and nobody is in it".formatted(queue));
        }
    }

    /** How often a queue went with its last job. */
    @Override
    public int weighed() {
        return weighed;
    }
}
