package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.model.Event;
import java.util.Random;
import java.util.function.Supplier;

/**
 * How much a step of a simulation's pool may do, and what comes while one is full. What chance
 * makes of it is its own, so that all else comes as it did.
 */
final class StepChance {
    /** Of so many times sixty-four seeds the first ones have it: none of them found a fault. */
    private static final int ONE_OF = 6;

    private static final int BLOCK = 64;
    private static final int LARGEST = 30;
    private static final int CROWD = 8;

    private final Random random;
    private final boolean isSmall;

    /** How many effects a step has before the rest is left to the next. */
    final int most;

    /** How often several events waited. */
    int waited;

    StepChance(long seed) {
        random = new Random(~seed);
        isSmall = seed / BLOCK % ONE_OF == 0;
        most = isSmall ? 1 + random.nextInt(LARGEST) : Play.EFFECTS;
    }

    /**
     * Gives some of these to the pool before it has done what those before led to, and makes it
     * again in the middle of that.
     *
     * @return false: nothing was given, as mostly
     */
    boolean crowd(Play play, Supplier<Event> commands) {
        if (!isSmall || random.nextInt(4) > 0) {
            return false;
        }
        int crowd = 2 + random.nextInt(CROWD);
        for (int i = 0; i < crowd; i++) {
            play.onStep(commands.get());
            waited += play.isCrowded() ? 1 : 0;
            if (random.nextInt(4) == 0) {
                play.restart();
            }
        }
        play.goOn();
        return true;
    }
}
