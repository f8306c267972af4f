package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.atLeast;
import static dev.muster.coordinator.core.fixtures.Fixtures.behindAll;
import static dev.muster.coordinator.core.fixtures.Fixtures.gibi;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobSpec.DependsOn;
import dev.muster.coordinator.core.model.JobSpec.Milestone;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Topology;
import dev.muster.coordinator.core.model.WaitReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Small cases that other schedulers of training jobs are tested by, as tables. */
class PoolVectorsTest {
    private final JobId a = job("a", 1);

    /** Of each upstream role the phases of its pods; {@code -}: the pod is not made yet. */
    @ParameterizedTest
    @CsvSource({
        "'', '', true",
        "'-', '', false",
        "'PENDING', '', false",
        "'RUNNING', '', true",
        "'SUCCEEDED', '', true",
        "'FAILED', '', false",
        "'RUNNING', '-', false",
        "'-', 'RUNNING', false",
        "'RUNNING', 'PENDING', false",
        "'PENDING', 'RUNNING', false",
        "'RUNNING', 'FAILED', false",
        "'RUNNING', 'RUNNING', true",
        "'RUNNING -', '', false",
        "'RUNNING PENDING', '', false",
        "'RUNNING FAILED', '', false",
        "'RUNNING RUNNING', '', true",
        "'RUNNING SUCCEEDED', '', true",
        "'RUNNING RUNNING', 'RUNNING -', false"
    })
    void roleIsOrderedWhenAllThatItWaitsForRuns(String first, String second, boolean isOrdered) {
        var play = Play.withNodes(8);
        var phases = new TreeMap<>(Map.of("ps", first, "master", second));
        var roles = new ArrayList<JobSpec.Role>();
        phases.forEach((name, of) -> {
            if (!of.isEmpty()) {
                roles.add(role(name, of.split(" ").length, 1));
            }
        });
        var upstream =
                roles.stream()
                        .map(role -> new DependsOn(role.name(), Milestone.RUNNING))
                        .toArray(DependsOn[]::new);
        roles.add(behindAll(role("worker", 1, 1), upstream));
        play.on(new Event.Submitted(a, spec("default", roles.toArray(JobSpec.Role[]::new)), null));
        phases.forEach((name, of) -> {
            for (int i = 0; i < (of.isEmpty() ? 0 : of.split(" ").length); i++) {
                see(play, new RankId(name, i), of.split(" ")[i]);
            }
        });
        assertThat(ordered(play).contains("worker")).isEqualTo(isOrdered);
    }

    private void see(Play play, RankId id, String phase) {
        if (phase.equals("-")) {
            return;
        }
        var rank = play.ranks(a).stream().filter(known -> known.id().equals(id)).findFirst().get();
        var mark = Fixtures.mark(id.role(), id.index(), rank.making().incarnation());
        var is = PodPhase.valueOf(phase);
        var exit = is == PodPhase.FAILED ? Integer.valueOf(1) : is == PodPhase.SUCCEEDED ? 0 : null;
        seen(play, mark, is == PodPhase.SUCCEEDED ? PodPhase.RUNNING : PodPhase.PENDING, null);
        seen(play, mark, is, exit);
    }

    private void seen(Play play, Event.PodMark mark, PodPhase phase, @Nullable Integer exit) {
        var pod = Fixtures.pod(mark, 9 + phase.ordinal(), phase, "node-0", exit);
        play.on(new Event.PodSeen(WATCHER, a, pod));
    }

    private static List<String> ordered(Play play) {
        return play.take(Effect.RunPlan.class).stream()
                .flatMap(plan -> plan.pods().stream())
                .map(pod -> pod.rank().role())
                .toList();
    }

    /** By the number of the turn in which each queue was served last; 0: it is new. */
    @ParameterizedTest
    @CsvSource({"'0', 0", "'1 0 0', 1", "'1 2 3', 0", "'1 0 2 3', 1", "'4 2 3', 1"})
    void roundRobinServesWhomItServedLongestAgo(String served, int next) {
        var queues = numbers(served).stream().map(turn -> new Part(1, turn)).toList();
        assertThat(QueuePolicy.ROUND_ROBIN.next(queues, Amounts.NONE, 4).chosen()).isEqualTo(next);
    }

    @ParameterizedTest
    @CsvSource({
        "'5 1 1', '0 0 1 0 2 0 0'",
        "'4 3 2', '0 1 2 0 1 0 2 1 0'",
        "'6 3', '0 1 0'",
        "'2 4', '1 0 1'",
        "'1 1 1', '0 1 2 0 1 2'",
        "'0 2 1', '1 2 1 1 2 1'"
    })
    void smoothWeightedRoundRobinFollowsTheWeights(String weights, String turns) {
        var parts = new ArrayList<Part>();
        numbers(weights).forEach(weight -> parts.add(new Part((int) (long) weight, 0)));
        var chosen = new ArrayList<Long>();
        for (int i = 0; i < numbers(turns).size(); i++) {
            var turn = QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN.next(parts, Amounts.NONE, 0);
            chosen.add((long) turn.chosen());
            for (int k = 0; k < parts.size(); k++) {
                parts.set(k, new Part(parts.get(k).weight(), turn.credits()[k]));
            }
        }
        assertThat(chosen).isEqualTo(numbers(turns));
    }

    /** Drained: no turn is left, under any policy, and the next job goes at once. */
    @ParameterizedTest
    @CsvSource({"SMOOTH_WEIGHTED_ROUND_ROBIN", "ROUND_ROBIN", "FIFO", "DOMINANT_SHARE"})
    void queuesThatAreAllDrainedGiveNobodyATurn(QueuePolicy policy) {
        var play = Play.withNodes(2);
        var spec = Fixtures.pool(policy, PoolSpec.Preemption.OFF);
        play.on(new Event.PoolPut("default", spec, null));
        play.on(new Event.QueuePut("four", QueueSpecs.queue(4, false, true, 10), null));
        play.on(new Event.QueuePut("two", QueueSpecs.queue(2, false, true, 10), null));
        play.on(new Event.Submitted(a, spec("four", role("worker", 1, 1)), null));
        assertThat(play.take(Effect.Started.class)).hasSize(1);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("more", 9)));
        assertThat(play.take(Effect.Started.class)).isEmpty();
        play.on(new Event.Submitted(job("b", 2), spec("two", role("worker", 1, 1)), null));
        assertThat(play.take(Effect.Started.class))
                .extracting(Effect.Started::queue)
                .containsExactly("two");
    }

    private record Part(int weight, long credit) implements QueuePolicy.Contender {
        @Override
        public long ticket() {
            return 0;
        }

        @Override
        public Amounts used() {
            return Amounts.NONE;
        }
    }

    private static List<Long> numbers(String all) {
        return List.of(all.split(" ")).stream().map(Long::valueOf).toList();
    }

    /** Each replica needs 1 cpu, 1 GiB and 1 GPU; 5 cpu and 5 GiB are used already. */
    @ParameterizedTest
    @CsvSource({
        "'', 1, true, ''",
        "'', 6, true, ''",
        "'cpu memory', 1, true, ''",
        "'cpu memory', 5, true, ''",
        "'cpu memory', 6, false, 'requests.cpu'",
        "'gpu', 5, true, ''",
        "'gpu', 6, false, 'requests.nvidia.com/gpu'",
        "'cpu memory gpu', 1, true, ''",
        "'cpu memory gpu', 6, false, 'requests.cpu'"
    })
    void quotaOfANamespaceIsNeverPassed(String hard, int replicas, boolean starts, String scope) {
        var play = Play.withNodes(1);
        play.on(new Event.NodeSeen(WATCHER, large()));
        var most = new TreeMap<String, Long>();
        var used = new TreeMap<String, Long>();
        if (hard.contains("cpu")) {
            most.putAll(Map.of("requests.cpu", 10_000L, "requests.memory", gibi(20)));
            used.putAll(Map.of("requests.cpu", 5000L, "requests.memory", gibi(5)));
        }
        if (hard.contains("gpu")) {
            most.put("requests.nvidia.com/gpu", 5L);
        }
        play.on(new Event.NamespaceQuotaSeen(WATCHER, "ml", Amounts.of(most), Amounts.of(used)));
        var demand = Fixtures.cpu(1).with("memory", gibi(1)).with("nvidia.com/gpu", 1);
        var workers = role("worker", replicas, demand, NodeFilter.ANY);
        play.on(new Event.Submitted(a, spec("default", workers), null));
        assertThat(play.ranks(a)).hasSize(starts ? replicas : 0);
        if (!starts) {
            assertThat(play.explain(a).orElseThrow().reasons())
                    .extracting(WaitReason::scope)
                    .contains("namespace ml " + scope);
        }
    }

    private static Node large() {
        var node = Fixtures.node("large", 64);
        return new Node(
                "large",
                1,
                node.labels(),
                List.of(),
                false,
                true,
                node.allocatable().with("nvidia.com/gpu", 64),
                0);
    }

    /** What starts together is what there must be room for, and no less. */
    @ParameterizedTest
    @CsvSource({
        "1, 1, 1, 0, 2",
        "1, 3, 3, 0, 4",
        "1, 3, 1, 2, 2",
        "1, 3, 1, 3, 3",
        "0, 1, 1, 0, 1",
        "0, 3, 3, 0, 3",
        "0, 3, 1, 2, 2"
    })
    void gangStartsWithItsMinimum(int masters, int workers, int min, int total, int least) {
        var roles = new ArrayList<JobSpec.Role>();
        if (masters > 0) {
            roles.add(role("master", masters, 1));
        }
        roles.add(atLeast(min, role("worker", workers, 1)));
        var plain = spec("default", roles.toArray(JobSpec.Role[]::new));
        var work = plain.work();
        var gang = new JobSpec.Gang(total, work.gang().timeout(), Topology.NONE);
        var spec =
                Fixtures.with(
                        plain,
                        gang,
                        work.failure(),
                        work.deadlines(),
                        work.limits(),
                        work.elastic());
        assertThat(started(least, spec)).isEqualTo(least);
        assertThat(started(least - 1, spec)).isZero();
    }

    private int started(int cores, JobSpec spec) {
        var play = Play.withNodes(cores);
        play.on(new Event.Submitted(a, spec, null));
        return play.ranks(a).size();
    }
}
