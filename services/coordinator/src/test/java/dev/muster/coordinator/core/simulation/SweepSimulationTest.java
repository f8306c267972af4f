package dev.muster.coordinator.core.simulation;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.queue.Backlog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Queues of more kinds of jobs than every round looks at: when all is done nothing waits that could
 * start, whatever came while it was under way; the seed is the row's name.
 */
class SweepSimulationTest {
    private static final List<String> QUEUES = List.of("a", "b");

    static LongStream seeds() {
        return LongStream.range(0, 3);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void nothingStartableWaitsHoweverFarBehind(long seed) {
        new Course(seed).run();
    }

    @Test
    void someJobsStartFromFarBehind() {
        assertThat(new Course(5).run()).isPositive();
    }

    private static final class Course {
        private final Random random;
        private final Play play;
        private final List<JobId> running = new ArrayList<>();
        private long version = 10;
        private int names;
        private int far;

        private Course(long seed) {
            random = new Random(seed);
            play = Play.withNodes(64, 64, 32, 32);
            boolean ages = seed % 3 == 1;
            var step = ages ? Duration.ofSeconds(20) : Duration.ZERO;
            play.on(new Event.PoolPut("default", Fixtures.aging(step, 30), null));
            QUEUES.forEach(name -> play.on(new Event.QueuePut(name, queue(), null)));
        }

        /** Returns how many jobs started that stood behind the first lines. */
        private int run() {
            for (int i = 0; i < 4; i++) {
                play.on(new Event.OthersUse(WATCHER, "node-" + i, Fixtures.cpu(i < 2 ? 64 : 32)));
            }
            int kinds = Backlog.DEPTH + 400 + random.nextInt(600);
            for (int i = 0; i < kinds; i++) {
                play.on(submit());
            }
            for (int i = 0; i < 40; i++) {
                play.takeEffects();
                play.onStep(event());
                if (random.nextInt(3) > 0) {
                    play.on(new Event.TimePassed(play.now()));
                    Promises.nothingStartableWaits(play);
                }
                if (random.nextInt(4) == 0) {
                    play.restart();
                }
                play.take(Effect.Started.class).forEach(this::note);
            }
            return far;
        }

        private void note(Effect.Started started) {
            running.add(started.job());
            far += started.passed() >= Backlog.DEPTH ? 1 : 0;
        }

        private QueueSpec queue() {
            var kind = random.nextBoolean() ? QueueSpec.Kind.FIFO : QueueSpec.Kind.PRIORITY;
            boolean backfill = random.nextInt(4) > 0;
            var order = new QueueSpec.Order(kind, 0, backfill, Duration.ofMinutes(5));
            var plain = QueueSpecs.queue(1 + random.nextInt(3), false, true, 10_000);
            return QueueSpecs.with(
                    random.nextInt(3) > 0
                            ? plain
                            : QueueSpecs.with(
                                    plain, QueueSpecs.limited(8 + random.nextInt(60)).quota()),
                    order);
        }

        private Event event() {
            return switch (random.nextInt(8)) {
                case 0, 1 -> submit();
                case 2 -> cancel(random.nextInt(names));
                case 3 -> new Event.QueuePut(QUEUES.get(random.nextInt(2)), queue(), null);
                case 4 -> running.isEmpty() ? submit() : end();
                default -> {
                    int node = random.nextInt(4);
                    int most = node < 2 ? 64 : 32;
                    var used = Fixtures.cpu(most - random.nextInt(random.nextBoolean() ? 5 : most));
                    yield new Event.OthersUse(WATCHER, "node-" + node, used);
                }
            };
        }

        private Event submit() {
            boolean isLarge = names < Backlog.DEPTH + 100 && random.nextInt(200) > 0;
            long milli = 500L * (isLarge ? 30 + random.nextInt(4_000) : 1 + random.nextInt(40));
            var demand = Amounts.of(Map.of("cpu", milli, "pods", 1L));
            int pods = 1 + random.nextInt(3);
            var role = Fixtures.role("worker", pods, demand, NodeFilter.ANY);
            var spec = Fixtures.spec(QUEUES.get(random.nextInt(8) / 7), role);
            var id = Fixtures.job("j" + names, ++names);
            return new Event.Submitted(id, Fixtures.at(random.nextInt(40), spec), null);
        }

        private static Event cancel(int name) {
            return Fixtures.cancel(Fixtures.job("j" + name, name + 1L), "", null);
        }

        private Event end() {
            var id = running.remove(random.nextInt(running.size()));
            var pod = Fixtures.mark("worker", 0, 1);
            return new Event.PodSeen(
                    WATCHER, id, Fixtures.pod(pod, version++, PodPhase.FAILED, "node-0", 42));
        }
    }
}
