package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Hook;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.simulation.SignalChance.Said;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Commands of scale of the simulation. Which of them take back the one under way, and which do not
 * say how long who leaves has, is a chance of its own, so that all else comes as it did.
 */
final class ScaleChance {
    private final Random random;
    private final Random own;

    ScaleChance(Random random, long seed) {
        this.random = random;
        this.own = new Random(seed ^ 0x5ca1_eL);
    }

    /** Some of them ask for what cannot be. */
    Change next() {
        var scale = scale(random);
        return own.nextInt(8) == 0 ? Change.Withdraw.ANY : scale;
    }

    /** Now and then two more for a job that is asked to save, while it is or soon after. */
    List<Said> meanwhile(Effect.CheckpointTold told) {
        boolean isSaid = told.checkpoint().isOpen() && own.nextInt(3) == 0;
        return isSaid ? List.of(said(told.job()), said(told.job())) : List.of();
    }

    private Said said(JobId job) {
        return new Said(own.nextInt(3000), new Event.ChangeAsked(job, scale(own), null));
    }

    private Change scale(Random random) {
        var terms =
                new Change.Terms(
                        Duration.ofSeconds(random.nextBoolean() ? 0 : random.nextInt(20)),
                        random.nextBoolean(),
                        drain(random),
                        random.nextInt(10) == 0,
                        random.nextInt(3) == 0 ? hook(random) : null);
        var names = new TreeSet<String>();
        if (random.nextBoolean()) {
            names.add("worker-" + random.nextInt(5));
        }
        return switch (random.nextInt(3)) {
            case 0 -> new Change.SetReplicas("worker", random.nextInt(8), terms);
            case 1 -> new Change.ScaleOut("worker", random.nextInt(4), terms);
            default -> new Change.ScaleIn("worker", random.nextInt(3), names, terms);
        };
    }

    private @Nullable Duration drain(Random random) {
        var said = Duration.ofSeconds(random.nextBoolean() ? 0 : random.nextInt(10));
        return own.nextInt(3) == 0 ? null : said;
    }

    private Hook hook(Random random) {
        return new Hook(
                List.of("tell"),
                new TreeMap<>(),
                Duration.ofSeconds(1 + random.nextInt(90)),
                random.nextInt(3));
    }
}
