package dev.muster.coordinator.core.simulation;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.NamedJobs;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Queues that are guaranteed cores, GPUs or both, and jobs that need the one or both: which of them
 * could start if there was more room is what a walk over everything finds; the seed is the row's
 * name.
 */
class GuaranteedQueuesSimulationTest {
    private static final List<String> QUEUES = List.of("a", "b", "c");
    private static final String GPU = "nvidia.com/gpu";

    static LongStream seeds() {
        return LongStream.range(0, 20);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatIsKeptIsWhatAWalkFinds(long seed) {
        new Course(seed).run();
    }

    @Test
    void someKeepToTheirGuaranteeBehindOneThatBorrows() {
        assertThat(new Course(0).run().passing).isPositive();
    }

    private static final class Course {
        private final Random random;
        private final Play play = Play.withNodes();
        private final NamedJobs jobs = new NamedJobs(play);
        private final List<Effect.Started> running = new ArrayList<>();
        private final Mirror mirror = new Mirror();
        private int names;

        private Course(long seed) {
            random = new Random(seed);
            play.on(new Event.NodeSeen(WATCHER, node("small", 4, 4)));
            QUEUES.forEach(name -> play.on(new Event.QueuePut(name, queue(), null)));
        }

        private Mirror run() {
            for (int i = 0; i < 150; i++) {
                play.takeEffects();
                event();
                running.addAll(play.take(Effect.Started.class));
                mirror.follow(withMoreRoom());
                mirror.compare();
            }
            return mirror;
        }

        /** A pool at rest has started what it can. */
        private List<Row> withMoreRoom() {
            var more = node("more", random.nextInt(8), random.nextInt(8));
            return Stream.concat(play.allRows(), Stream.of(more)).toList();
        }

        private void event() {
            switch (random.nextInt(8)) {
                case 0 -> play.on(new Event.QueuePut(QUEUES.get(random.nextInt(3)), queue(), null));
                case 1, 2, 3 -> end();
                default -> submit();
            }
        }

        private void end() {
            if (!running.isEmpty()) {
                var id = running.remove(random.nextInt(running.size())).job();
                jobs.end(id.name(), id.uid().offset());
            }
        }

        private void submit() {
            var demand = new TreeMap<String, Long>();
            demand.put("pods", 1L);
            demand.put("cpu", 1000L * random.nextInt(3));
            demand.put(GPU, (long) random.nextInt(4));
            var role =
                    Fixtures.role(
                            "worker", 1 + random.nextInt(2), Amounts.of(demand), NodeFilter.ANY);
            var spec = Fixtures.spec(QUEUES.get(random.nextInt(3)), role);
            jobs.submit("j" + names, ++names, Fixtures.at(random.nextInt(3), spec));
        }

        private QueueSpec queue() {
            var plain = QueueSpecs.queue(1 + random.nextInt(5), false, random.nextInt(6) > 0, 1000);
            var order =
                    new QueueSpec.Order(
                            random.nextInt(4) == 0 ? QueueSpec.Kind.FIFO : QueueSpec.Kind.PRIORITY,
                            0,
                            plain.order().backfill(),
                            Duration.ofMinutes(5));
            var guaranteed = new TreeMap<String, Long>();
            guaranteed.put("cpu", 1000L * random.nextInt(4));
            guaranteed.put(GPU, (long) random.nextInt(5));
            return QueueSpecs.with(QueueSpecs.guaranteed(plain, guaranteed), order);
        }

        private static Node node(String name, long cores, long gpus) {
            var plain = Fixtures.node(name, cores);
            var allocatable = plain.allocatable().with(GPU, gpus);
            return new Node(name, 1, plain.labels(), List.of(), false, true, allocatable, 0);
        }
    }
}
