package dev.muster.coordinator.core.turns;

import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.lying;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.fixtures.Seeds;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Others;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.Topology;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same happens to two pools, in one of which every shape is asked about at any time: the same
 * queues are marked in both. The seed is the name.
 */
class ShapeFitsWalkTest {
    private static final int STEPS = 80;
    private static final int JOBS = 16;
    private static final List<String> QUEUES = List.of("a", "b", "c");
    private static final List<String> NODES =
            IntStream.range(0, 5).mapToObj(i -> "node-" + i).toList();

    static LongStream seeds() {
        return Seeds.first(400);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whoIsNotAskedAboutWouldMarkNothing(long seed) {
        var walk = new Walk(seed);
        for (int i = 0; i < STEPS; i++) {
            for (int steps = walk.random.nextInt(3); steps > 0; steps--) {
                walk.change();
            }
            walk.look();
        }
    }

    /** The rows of a pool of which only those are asked about whom something concerns, or all. */
    private static final class Side {
        private final Tables tables = new Tables(new Journal());
        private final ShapeFits fits = new ShapeFits(tables);
        private final boolean asksAll;

        Side(boolean asksAll) {
            this.asksAll = asksAll;
        }

        void happen(Consumer<Tables> change) {
            change.accept(tables);
            for (var name : QUEUES) {
                var queue = tables.queue(name);
                tables.backlog.lines(name, tables.eligibility.order(queue, tables.now()));
            }
        }

        /** What it says, and which queues it marks for whom. */
        List<Object> look(Function<ShapeFits, Object> how) {
            if (asksAll) {
                fits.concernAll();
            }
            var looked = new ArrayList<Object>();
            looked.add(how.apply(fits));
            var marks = tables.marks;
            Stream.of(
                            marks.forTurns,
                            marks.forLess,
                            marks.forHolds,
                            marks.forReasons,
                            marks.forWanting,
                            marks.forReserves)
                    .map(marked -> marked.take(QUEUES))
                    .forEach(looked::add);
            return looked;
        }
    }

    private static final class Walk {
        private static final Topology.Policy[] POLICIES = Topology.Policy.values();

        final Random random;
        private final Side side = new Side(false);
        private final Side other = new Side(true);
        private final List<Job> jobs = new ArrayList<>();
        private final List<Job> waiting = new ArrayList<>();
        private final List<Shape> further = new ArrayList<>();
        private final Map<String, Node> nodes = new TreeMap<>();
        private final List<Held> held = new ArrayList<>();

        private record Held(String node, Amounts amounts) {}

        Walk(long seed) {
            random = new Random(seed);
            var play = Play.withNodes();
            QUEUES.forEach(name -> play.on(new Event.QueuePut(name, QueueSpecs.QUEUE, null)));
            var first = play.allRows().toList();
            happen(tables -> first.forEach(tables::restore));
            for (int i = 1; i <= JOBS; i++) {
                play.on(new Event.Submitted(job("job-" + i, i), gang(), null));
                further.add(Fixtures.shape(gang()));
            }
            play.jobs().stream().map(play::job).forEach(jobs::add);
            NODES.forEach(this::node);
            for (int i = 0; i < JOBS; i++) {
                submit();
            }
        }

        private void happen(Consumer<Tables> change) {
            side.happen(change);
            other.happen(change);
        }

        private <T> T any(List<T> of) {
            return of.get(random.nextInt(of.size()));
        }

        private JobSpec gang() {
            var roles = new ArrayList<JobSpec.Role>();
            int count = random.nextInt(3) == 0 ? 2 + random.nextInt(2) : 1;
            for (int i = 0; i < count; i++) {
                roles.add(role("role-" + i, 1 + random.nextInt(4), demand(), filter()));
            }
            var policy = random.nextInt(3) == 0 ? any(List.of(POLICIES)) : Topology.Policy.NONE;
            var key = random.nextBoolean() ? "zone" : null;
            var spec = spec(any(QUEUES), roles.toArray(JobSpec.Role[]::new));
            return lying(new Topology(policy, key), spec);
        }

        private Amounts demand() {
            var demand = new TreeMap<>(Map.of("pods", 1L, "cpu", 500L + 250 * random.nextInt(14)));
            if (random.nextInt(5) == 0) {
                demand.put("gpu", 1L + random.nextInt(2));
            }
            return Amounts.of(demand);
        }

        private NodeFilter filter() {
            var zone = new TreeMap<>(Map.of("zone", any(List.of("a", "b"))));
            return random.nextInt(4) == 0
                    ? NodeFilter.of(zone, List.of(), List.of())
                    : NodeFilter.ANY;
        }

        void change() {
            switch (random.nextInt(13)) {
                case 0, 1 -> node(any(NODES));
                case 2 -> lose(any(NODES));
                case 3, 4 -> others(any(NODES));
                case 5, 6 -> occupy(any(NODES));
                case 7, 8 -> release();
                case 9, 10 -> submit();
                case 11 -> end();
                default -> delegate(random.nextInt(3) == 0);
            }
        }

        private void node(String name) {
            var amounts = new TreeMap<>(Map.of("pods", 6L, "cpu", 250L * random.nextInt(30)));
            if (random.nextInt(3) == 0) {
                amounts.put("gpu", 3L);
            }
            var zone = new TreeMap<>(Map.of("zone", any(List.of("a", "b"))));
            var like = Fixtures.node(name, 1);
            var node =
                    new Node(
                            name,
                            1,
                            zone,
                            List.of(),
                            random.nextInt(8) == 0,
                            true,
                            Amounts.of(amounts),
                            0,
                            like.notes());
            nodes.put(name, node);
            happen(tables -> tables.restore(node));
        }

        private void lose(String name) {
            var node = nodes.remove(name);
            if (node != null) {
                happen(tables -> tables.remove(node));
            }
        }

        private void others(String node) {
            var cpu = Amounts.of(Map.of("cpu", 250L * random.nextInt(12)));
            happen(tables -> tables.restore(new Others(node, 0, cpu, 0)));
        }

        private void occupy(String node) {
            var some = new Held(node, demand());
            held.add(some);
            happen(tables -> tables.capacity.occupy(some.node(), some.amounts()));
        }

        /** Mostly what came last, so that room is as it was. */
        private void release() {
            if (!held.isEmpty()) {
                int last = held.size() - 1;
                var some = held.remove(random.nextInt(3) == 0 ? random.nextInt(last + 1) : last);
                happen(tables -> tables.capacity.release(some.node(), some.amounts()));
            }
        }

        private void submit() {
            var job = any(jobs);
            if (!waiting.contains(job)) {
                waiting.add(job);
                happen(tables -> tables.restore(job));
            }
        }

        private void end() {
            if (!waiting.isEmpty()) {
                var job = waiting.remove(random.nextInt(waiting.size()));
                happen(tables -> tables.remove(job));
            }
        }

        private void delegate(boolean delegated) {
            happen(tables -> tables.capacity.delegate(delegated));
        }

        void look() {
            var shape = any(further);
            switch (random.nextInt(6)) {
                case 0, 1 -> same(ShapeFits::refresh);
                case 2, 3 -> same(ShapeFits::fewerFit);
                case 4 -> same(fits -> fits.of(shape).fits());
                default ->
                        same(fits -> {
                            fits.judge();
                            return true;
                        });
            }
        }

        private void same(Function<ShapeFits, Object> how) {
            assertThat(side.look(how)).isEqualTo(other.look(how));
        }
    }
}
