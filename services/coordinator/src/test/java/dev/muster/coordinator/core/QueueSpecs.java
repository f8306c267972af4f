package dev.muster.coordinator.core;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Queues for tests of the core. */
public final class QueueSpecs {
    static final QueueSpec QUEUE = queue(1, false, true, 1000);

    private QueueSpecs() {}

    public static QueueSpec queue(int weight, boolean paused, boolean backfill, int maxWaiting) {
        return new QueueSpec(
                weight,
                new QueueSpec.Doors(paused, false, maxWaiting, Integer.MAX_VALUE, new TreeSet<>()),
                new QueueSpec.Order(QueueSpec.Kind.PRIORITY, 0, backfill, Duration.ofMinutes(5)),
                Quota.NONE);
    }

    /** A queue that is guaranteed so many cores, and may borrow. */
    static QueueSpec guaranteed(long cores) {
        return quota(cores, true, null, null);
    }

    /** A queue that is guaranteed so many cores. */
    static QueueSpec quota(
            long guaranteed, boolean borrowing, @Nullable Long borrow, @Nullable Long lend) {
        return with(
                QUEUE,
                new Quota(
                        Amounts.of(Map.of("cpu", guaranteed * 1000)),
                        new TreeMap<>(),
                        borrowing,
                        borrow == null
                                ? new TreeMap<>()
                                : new TreeMap<>(Map.of("cpu", borrow * 1000)),
                        lend == null ? new TreeMap<>() : new TreeMap<>(Map.of("cpu", lend * 1000)),
                        null));
    }

    /** A queue that never uses more cores. */
    static QueueSpec limited(long cores) {
        return with(
                QUEUE,
                new Quota(
                        Amounts.NONE,
                        new TreeMap<>(Map.of("cpu", cores * 1000)),
                        true,
                        new TreeMap<>(),
                        new TreeMap<>(),
                        null));
    }

    /** The same queue, of which so many jobs run at most. */
    static QueueSpec running(int most, QueueSpec spec) {
        return with(spec, new QueueSpec.Doors(false, false, 100, most, new TreeSet<>()));
    }

    static QueueSpec with(QueueSpec spec, Quota quota) {
        return new QueueSpec(spec.weight(), spec.doors(), spec.order(), quota);
    }

    static QueueSpec with(QueueSpec spec, QueueSpec.Order order) {
        return new QueueSpec(spec.weight(), spec.doors(), order, spec.quota());
    }

    static QueueSpec with(QueueSpec spec, QueueSpec.Doors doors) {
        return new QueueSpec(spec.weight(), doors, spec.order(), spec.quota());
    }
}
