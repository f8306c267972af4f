package dev.muster.bench.decider;

import dev.muster.bench.decider.FullPool.Size;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;

/** What the waiting jobs of a full pool take of the heap of this JVM. */
public final class Heap {
    private static final int COLLECTIONS = 3;

    private Heap() {}

    /** Bytes per waiting job: with and without the jobs, all garbage collected. */
    public static long perJob(int jobs, int queues, int nodes) {
        return (used(new Size(jobs, queues, nodes, 1)) - used(new Size(0, queues, nodes, 1)))
                / jobs;
    }

    private static long used(Size size) {
        long before = used();
        var pool = new FullPool(size, false);
        long after = used();
        Reference.reachabilityFence(pool);
        return after - before;
    }

    private static long used() {
        var memory = ManagementFactory.getMemoryMXBean();
        for (int i = 0; i < COLLECTIONS; i++) {
            memory.gc();
        }
        return memory.getHeapMemoryUsage().getUsed();
    }
}
