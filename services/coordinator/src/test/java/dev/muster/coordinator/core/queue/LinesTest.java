package dev.muster.coordinator.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Seeds;
import dev.muster.coordinator.core.model.Clock;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.Use;
import dev.muster.coordinator.core.queue.Line.Likeness;
import dev.muster.coordinator.core.queue.Lines.Order;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Lines come in the order that sorting all of them gives; the seed is the row's name. */
class LinesTest {
    private static final Duration STEP = Duration.ofMinutes(1);

    static LongStream seeds() {
        return Seeds.first(60);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void linesComeInOrderFromAnyPlaceOn(long seed) {
        var random = new Random(seed);
        var lines = new Lines();
        var all = new ArrayList<Line>();
        var submitted = Fixtures.NOON;
        int count = 1 + random.nextInt(80);
        for (int i = 0; i < count; i++) {
            submitted = submitted.plusSeconds(random.nextInt(90));
            boolean letIn = random.nextInt(3) == 0;
            var use = Use.NONE;
            var line = lines.make(new Likeness(shape(i), use, priority(random), "ml", letIn));
            int jobs = 1 + random.nextInt(3);
            for (int j = 0; j < jobs; j++) {
                var later = letIn ? submitted.plusSeconds(random.nextInt(900)) : null;
                line.add(waiting(i * 3L + j, submitted, later));
            }
            lines.enter(line);
            all.add(line);
        }
        int most = random.nextInt(3) * 10;
        var aging =
                new PoolSpec.Priorities(
                        new TreeMap<>(), random.nextInt(4) == 0 ? Duration.ZERO : STEP, most);
        var order = new Order(random.nextInt(4) == 0, aging, submitted.plusSeconds(600));
        lines.first(order); // From now on heads are those of this order.
        all.sort(Comparator.comparing(order::of));
        assertThat(lines.after(null, order)).toIterable().isEqualTo(all);
        assertThat(lines.first(order)).isEqualTo(all);
        for (int i = 0; i < all.size(); i++) {
            List<Line> rest = all.subList(i + 1, all.size());
            assertThat(lines.after(order.of(all.get(i)), order)).toIterable().isEqualTo(rest);
        }
    }

    /** The second of priority 0 was worth as much at 12:10 as the place, and waited for longer. */
    @Test
    void afterAPlaceOthersAreLookedForThatWaitingHasMadeWorthLess() {
        var lines = new Lines();
        var seconds = List.of(540, 0, 300, 360, 570);
        for (int i = 0; i < seconds.size(); i++) {
            var submitted = Fixtures.NOON.plusSeconds(seconds.get(i));
            stand(lines, at(i == 0 ? 4 : 0, waiting(i, submitted, null)), 1 + i, false);
        }
        var order = new Order(false, aging(20), Fixtures.NOON.plusSeconds(600));
        var all = lines.first(order);
        assertThat(all.stream().map(Line::ticket)).containsExactly(1L, 2L, 0L, 3L, 4L);
        var rest = all.subList(3, 5);
        assertThat(lines.after(order.of(all.get(2)), order)).toIterable().isEqualTo(rest);
    }

    /** As one who began to look through all of them before those came. */
    @Test
    void afterAPlaceOfOneThatCameLaterThanTheOrderIsOfOnlyThoseBehindItAreLeft() {
        var lines = new Lines();
        for (int i = 0; i < 3; i++) {
            stand(lines, waiting(i, Fixtures.NOON.plusSeconds(i), null), 1 + i, false);
        }
        var order = new Order(false, aging(20), Fixtures.NOON);
        var all = lines.first(order);
        var rest = all.subList(2, 3);
        assertThat(lines.after(order.of(all.get(1)), order)).toIterable().isEqualTo(rest);
    }

    private static PoolSpec.Priorities aging(int most) {
        return new PoolSpec.Priorities(new TreeMap<>(), STEP, most);
    }

    /** What was found of them is used again for as long as it holds, and no longer. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void firstOnesAreInOrderAtAnyTime(long seed) {
        var random = new Random(seed);
        var lines = new Lines();
        var all = new ArrayList<Line>();
        int count = random.nextInt(3) == 0 ? Backlog.DEPTH - 20 : random.nextInt(20);
        var aging = new PoolSpec.Priorities(new TreeMap<>(), STEP, random.nextInt(3) * 10);
        int priorities = 1 + random.nextInt(4);
        var now = Fixtures.NOON;
        for (int i = 0; i < count + 60; i++) {
            boolean letIn = random.nextInt(3) == 0;
            var likeness =
                    new Likeness(shape(i), Use.NONE, random.nextInt(priorities), "ml", letIn);
            var line = lines.make(likeness);
            line.goByTime(true);
            line.add(waiting(i, now, letIn ? now : null));
            lines.enter(line);
            all.add(line);
            now = now.plusSeconds(random.nextInt(90));
            if (i >= count) {
                var order = new Order(false, aging, now);
                all.sort(Comparator.comparing(order::of));
                int most = Math.min(all.size(), Backlog.DEPTH);
                assertThat(lines.first(order)).isEqualTo(all.subList(0, most));
            }
        }
    }

    /** As the oldest of them is worth more next. */
    @Test
    void firstOnesAreKnownUntilWaitingAddsToOneOfThem() {
        var lines = new Lines();
        for (int priority = 0; priority < 2; priority++) {
            var line = lines.make(new Likeness(shape(1), Use.NONE, priority, "ml", false));
            line.goByTime(true);
            line.add(waiting(priority, Fixtures.NOON.plusSeconds(priority * 90), null));
            lines.enter(line);
        }
        var aging = new PoolSpec.Priorities(new TreeMap<>(), STEP, 3);
        lines.first(new Order(false, aging, Fixtures.NOON.plusSeconds(100)));
        assertThat(lines.firstUntil()).isEqualTo(Fixtures.NOON.plusSeconds(120));
        lines.first(new Order(false, aging, Fixtures.NOON.plusSeconds(120)));
        assertThat(lines.firstUntil()).isEqualTo(Fixtures.NOON.plusSeconds(150));
        lines.first(new Order(false, aging, Fixtures.NOON.plusSeconds(290)));
        assertThat(lines.firstUntil()).isEqualTo(Instant.MAX);
    }

    /** As many as sorting all of them says. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void jobsBeforeOneAreCounted(long seed) {
        var random = new Random(seed);
        var lines = new Lines();
        var jobs = new ArrayList<Job>();
        var now = Fixtures.NOON;
        for (int i = 0; i < 60; i++) {
            now = now.plusSeconds(random.nextInt(90));
            boolean letIn = random.nextInt(3) == 0;
            var job = waiting(i, now, letIn ? now.plusSeconds(random.nextInt(900)) : null);
            jobs.add(at(priority(random), job));
            stand(lines, jobs.getLast(), 1 + random.nextInt(4), letIn);
        }
        var step = random.nextInt(3) == 0 ? Duration.ZERO : STEP;
        var aging = new PoolSpec.Priorities(new TreeMap<>(), step, random.nextInt(3) * 10);
        var order = new Order(random.nextInt(4) == 0, aging, now.plusSeconds(600));
        jobs.sort(Comparator.comparing(order::of));
        for (int i = 0; i < jobs.size(); i++) {
            assertThat(lines.before(jobs.get(i), order, id -> known(jobs, id))).isEqualTo(i);
        }
    }

    /** A start costs no look at what stands behind it. */
    @Test
    void linesBehindAJobAreNotLookedAtToCountThoseBeforeIt() {
        var lines = new Lines();
        var jobs = new ArrayList<Job>();
        for (int i = 0; i < 400; i++) {
            jobs.add(waiting(i, Fixtures.NOON.plusSeconds(i), null));
            stand(lines, jobs.getLast(), 1 + i % 200, false);
        }
        var aging = new PoolSpec.Priorities(new TreeMap<>(), STEP, 10);
        var order = new Order(false, aging, Fixtures.NOON.plusSeconds(900));
        var asked = new TreeSet<Long>();
        int before =
                lines.before(
                        jobs.get(3),
                        order,
                        id -> {
                            asked.add(id.uid().offset());
                            return known(jobs, id);
                        });
        assertThat(before).isEqualTo(3);
        assertThat(asked).isSubsetOf(0L, 1L, 2L, 200L, 201L, 202L);
    }

    @Test
    void behindTheFirstLinesThoseOfTheFirstLinesAreCounted() {
        var lines = new Lines();
        var jobs = new ArrayList<Job>();
        for (int i = 0; i < Backlog.DEPTH + 50; i++) {
            jobs.add(waiting(i, Fixtures.NOON, null));
            stand(lines, jobs.getLast(), 1 + i, false);
        }
        var none = new PoolSpec.Priorities(new TreeMap<>(), Duration.ZERO, 0);
        var order = new Order(false, none, Fixtures.NOON);
        assertThat(before(lines, jobs, Backlog.DEPTH - 1, order)).isEqualTo(Backlog.DEPTH - 1);
        assertThat(before(lines, jobs, Backlog.DEPTH + 7, order)).isEqualTo(Backlog.DEPTH);
    }

    private static int before(Lines lines, List<Job> jobs, int at, Order order) {
        return lines.before(jobs.get(at), order, id -> known(jobs, id));
    }

    /** With all that need so many cores. */
    private static void stand(Lines lines, Job job, int cores, boolean letIn) {
        int priority = job.spec().place().priority();
        var line = lines.make(new Likeness(shape(cores), Use.NONE, priority, "ml", letIn));
        boolean isHead = line.isBeforeHead(job);
        if (isHead && !line.isEmpty()) {
            lines.leave(line);
        }
        line.add(job);
        if (isHead) {
            lines.enter(line);
        }
    }

    private static @Nullable Job known(List<Job> jobs, JobId id) {
        return jobs.stream().filter(job -> job.id().equals(id)).findFirst().orElse(null);
    }

    private static Job at(int priority, Job job) {
        return job.with(Fixtures.at(priority, job.spec()));
    }

    private static Job waiting(long ticket, Instant submitted, @Nullable Instant letIn) {
        var job =
                Job.submitted(
                        Fixtures.job("j" + ticket, ticket),
                        Fixtures.workers(1, 1),
                        new Clock(submitted, ticket, null));
        return letIn == null ? job : job.with(job.past().lettingIn(letIn));
    }

    private static int priority(Random random) {
        return random.nextInt(6) * 4 - 8;
    }

    private static Shape shape(int cores) {
        return Fixtures.shape(Fixtures.workers(1, cores));
    }
}
