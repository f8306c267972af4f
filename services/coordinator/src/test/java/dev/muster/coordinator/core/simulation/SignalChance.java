package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.CheckpointJobs;
import dev.muster.coordinator.core.fixtures.Made;
import dev.muster.coordinator.core.model.CheckpointPolicy;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobSpec;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * Which jobs of the simulation are asked to save, and what they say: some at once, some late, some
 * that they cannot, some nothing. Its chance is its own, so that all else comes as it did.
 */
final class SignalChance {
    private final Random random;

    SignalChance(long seed) {
        random = new Random(seed ^ 0x5167_4a11L);
    }

    /** Something that comes so many milliseconds later. */
    record Said(long millis, Event event) {}

    JobSpec spec(JobSpec spec) {
        return random.nextInt(5) < 3
                ? spec
                : CheckpointJobs.asked(
                        new CheckpointPolicy(
                                random.nextBoolean(), Duration.ofSeconds(1 + random.nextInt(20))),
                        spec);
    }

    List<Said> answers(Effect.CheckpointTold told) {
        var asked = told.checkpoint();
        if (!asked.isOpen()) {
            return List.of();
        }
        return switch (random.nextInt(7)) {
            case 0 -> List.of();
            case 1 -> List.of(answer(told, 0, false));
            case 2 -> List.of(answer(told, 30_000, true), answer(told, 40_000, false));
            case 3 -> List.of(answer(told, 1, true), answer(told, -1, true));
            default -> List.of(answer(told, 0, true));
        };
    }

    /**
     * @param late at least so many milliseconds; -1: to another ask
     */
    private Said answer(Effect.CheckpointTold told, long late, boolean saved) {
        long id = told.checkpoint().id() - (late < 0 ? 1 : 0);
        var attempt = random.nextBoolean() ? null : Integer.valueOf(told.attempt());
        return new Said(
                Math.max(0, late) + random.nextInt(4000),
                new Event.CheckpointAnswered(told.job(), attempt, id, saved, ""));
    }

    /** Some rank says that it has drained, whether it leaves or not. */
    Event drained(Made made) {
        return new Event.Drained(made.job(), null, null, made.pod().mark().rank());
    }

    boolean speaks() {
        return random.nextInt(30) == 0;
    }
}
