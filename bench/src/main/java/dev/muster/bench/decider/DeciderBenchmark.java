package dev.muster.bench.decider;

import dev.muster.bench.decider.FullPool.Size;
import dev.muster.coordinator.core.Pool;
import dev.muster.coordinator.core.model.Row;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What one event of a full pool takes. Every shot is timed by itself, since a shot uses room up.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
public class DeciderBenchmark {
    /** Per shot; all shots together must have nodes enough. */
    private static final int NODES = 2;

    private static final int GANG = 20;
    private static final int SUBMISSIONS = 1_000;
    private static final int CANCELS = 1_000;
    private static final int STIRRED = 100;

    /** How much waits for what. */
    @State(Scope.Benchmark)
    @SuppressWarnings("NullAway.Init") // JMH fills it first
    public static class Sizes {
        @Param("1000000")
        public int jobs;

        @Param("1000")
        public int queues;

        @Param("1000")
        public int nodes;

        @Param("1")
        public int shapes;

        @Param("PLAIN")
        public Variant variant;

        FullPool withGangsOf(int pods, boolean keepsRows) {
            return new FullPool(new Size(jobs, queues, nodes, pods, shapes), variant, keepsRows);
        }
    }

    /** Jobs of one pod wait. */
    @State(Scope.Benchmark)
    public static class Singles {
        @SuppressWarnings("NullAway.Init") // JMH fills it first
        private FullPool pool;

        @Setup(Level.Trial)
        public void fill(Sizes sizes) {
            pool = sizes.withGangsOf(1, false);
        }
    }

    /** Jobs of twenty pods wait. */
    @State(Scope.Benchmark)
    public static class Gangs {
        @SuppressWarnings("NullAway.Init") // JMH fills it first
        private FullPool pool;

        @Setup(Level.Trial)
        public void fill(Sizes sizes) {
            pool = sizes.withGangsOf(GANG, false);
        }
    }

    /** What a takeover reads. */
    @State(Scope.Benchmark)
    public static class Rows {
        @SuppressWarnings("NullAway.Init") // JMH fills it first
        private List<Row> rows;

        @Setup(Level.Trial)
        public void fill(Sizes sizes) {
            rows = sizes.withGangsOf(1, true).rows();
        }
    }

    /** Room for one pod after the other, until it is used up. */
    @Benchmark
    @OperationsPerInvocation(NODES * Contents.PODS_PER_NODE)
    @Warmup(iterations = 300)
    @Measurement(iterations = 100)
    public int startOfASinglePod(Singles singles) {
        return singles.pool.makeRoom(NODES);
    }

    /** The same where every job needs room for twenty pods. */
    @Benchmark
    @OperationsPerInvocation(NODES * Contents.PODS_PER_NODE / GANG)
    @Warmup(iterations = 300)
    @Measurement(iterations = 100)
    public int startOfAGangOfTwenty(Gangs gangs) {
        return gangs.pool.makeRoom(NODES);
    }

    /** One more job that has to wait. */
    @Benchmark
    @OperationsPerInvocation(SUBMISSIONS)
    @Warmup(iterations = 10)
    @Measurement(iterations = 20)
    public void submit(Singles singles) {
        singles.pool.submit(SUBMISSIONS);
    }

    /** A node that has a little more room, or less, and still none for any job. */
    @Benchmark
    @OperationsPerInvocation(STIRRED)
    @Warmup(iterations = 50)
    @Measurement(iterations = 50)
    public void roomForNobody(Singles singles) {
        singles.pool.stir(STIRRED);
    }

    /** One waiting job less. */
    @Benchmark
    @OperationsPerInvocation(CANCELS)
    @Warmup(iterations = 5)
    @Measurement(iterations = 10)
    public void cancel(Singles singles) {
        singles.pool.cancel(CANCELS);
    }

    /** From the rows to a pool that can go on. */
    @Benchmark
    @Warmup(iterations = 3)
    @Measurement(iterations = 5)
    public Pool restore(Rows rows) {
        return Pool.restore(rows.rows);
    }
}
