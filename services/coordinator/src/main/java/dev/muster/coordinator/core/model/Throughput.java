package dev.muster.coordinator.core.model;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How fast a job trains at each size, as far as it was measured, and what its autoscaler makes of
 * it.
 *
 * @param attempt in which it has the size
 * @param size of its elastic role when it was last heard of; 0: its size was changing then
 * @param since when it was first heard of at that size
 * @param points of the sizes that it has had, the smallest first
 * @param verdict what was decided last; null: nothing yet
 */
public record Throughput(
        JobId job,
        int attempt,
        int size,
        Instant since,
        List<Point> points,
        @Nullable Verdict verdict)
        implements Row {
    /** So many sizes are remembered: those next to the one that it has. */
    public static final int MOST_SIZES = 16;

    /** So many digests are remembered of a size, the newest. */
    static final int MOST_DIGESTS = 5;

    /** So many must be there before a size is judged. */
    public static final int LEAST_DIGESTS = 3;

    /**
     * One size.
     *
     * @param speeds that were told of it, in millionths, the oldest first
     */
    public record Point(int size, List<Long> speeds) {
        public Point {
            speeds = List.copyOf(speeds);
        }

        public boolean isSure() {
            return speeds.size() >= LEAST_DIGESTS;
        }

        public long median() {
            return speeds.stream().sorted().toList().get((speeds.size() - 1) / 2);
        }

        private Point with(long speed) {
            var kept = Stream.concat(speeds.stream(), Stream.of(speed));
            return new Point(
                    size, kept.skip(Math.max(0, speeds.size() + 1L - MOST_DIGESTS)).toList());
        }
    }

    /**
     * Why a job is left at its size, or what was done.
     *
     * @param since when the code began to hold
     */
    public record Verdict(Code code, String message, Instant since) {}

    public enum Code {
        MEASURING("Measuring"),
        INCOMPLETE("Incomplete"),
        COMMAND_UNDER_WAY("CommandUnderWay"),
        COOLING_DOWN("CoolingDown"),
        ROOM_WANTED("RoomWanted"),
        REFUSED("Refused"),
        AT_MAXIMUM("AtMaximum"),
        BEST_SIZE("BestSize"),
        SCALED("Scaled");

        private final String label;

        Code(String label) {
            this.label = label;
        }

        /** As users read it. */
        public String label() {
            return label;
        }
    }

    public Throughput {
        points = List.copyOf(points);
    }

    public static Throughput unknown(JobId job, Instant now) {
        return new Throughput(job, 0, 0, now, List.of(), null);
    }

    /**
     * It has another size, or the same in another attempt: what was told of that is forgotten. Of
     * the others all stays, whichever attempt told it: one that restarts often could not learn.
     */
    public Throughput at(int attempt, int size, Instant now) {
        var others = points.stream().filter(point -> point.size() != size).toList();
        return new Throughput(job, attempt, size, now, others, verdict);
    }

    /** One more digest of the size that it has. */
    public Throughput measured(long speed) {
        var now = point(size).orElse(new Point(size, List.of())).with(speed);
        var kept = new ArrayList<>(points);
        kept.removeIf(point -> point.size() == size);
        kept.add(now);
        kept.sort(Comparator.comparingInt((Point point) -> Math.abs(point.size() - size)));
        var nearest = kept.subList(0, Math.min(MOST_SIZES, kept.size()));
        return new Throughput(
                job,
                attempt,
                size,
                since,
                nearest.stream().sorted(Comparator.comparingInt(Point::size)).toList(),
                verdict);
    }

    public Throughput deciding(Code code, String message, Instant now) {
        boolean isSame = verdict != null && verdict.code() == code;
        var from = isSame && verdict != null ? verdict.since() : now;
        var next = new Verdict(code, message, from);
        return new Throughput(job, attempt, size, since, points, next);
    }

    public Optional<Point> point(int size) {
        return points.stream().filter(point -> point.size() == size).findFirst();
    }

    @Override
    public Key key() {
        return new Key(Table.THROUGHPUT, job.toString());
    }
}
