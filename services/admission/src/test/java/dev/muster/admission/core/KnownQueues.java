package dev.muster.admission.core;

import dev.muster.admission.core.Queues.Queue;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What admission knows of queues, in tests. */
final class KnownQueues {
    private KnownQueues() {}

    /** These and no others. */
    static Queues of(Queue... queues) {
        return new Queues() {
            @Override
            public @Nullable Queue find(String name) {
                return Arrays.stream(queues)
                        .filter(queue -> queue.name().equals(name))
                        .findFirst()
                        .orElse(null);
            }

            @Override
            public List<Queue> of(String pool) {
                return Arrays.stream(queues).filter(queue -> queue.pool().equals(pool)).toList();
            }

            @Override
            public @Nullable Set<String> priorityClasses(String pool) {
                return pool.equals("gpus") ? Set.of("high") : null;
            }

            @Override
            public boolean hasBackend(String pool) {
                return pool.equals("volcano");
            }
        };
    }
}
