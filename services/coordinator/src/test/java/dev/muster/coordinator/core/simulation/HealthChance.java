package dev.muster.coordinator.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.gang.GangRequirements;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Node.Trust;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.PoolSpec.NodeHealth;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Selector;
import dev.muster.coordinator.core.model.Topology;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** How pools of the simulation remember failures of nodes, and what holds of where pods then go. */
final class HealthChance {
    private final Random random;
    private int excluded;
    private int suspect;

    HealthChance(long seed) {
        random = new Random(seed + 77);
    }

    /** The same with another memory; at times somebody has it forget. */
    Event pool(Event event) {
        var health =
                new NodeHealth(
                        Duration.ofSeconds(random.nextInt(4) * random.nextInt(90)),
                        random.nextInt(3));
        return switch (event) {
            case Event.PoolPut(var name, _, _) when random.nextInt(4) == 0 ->
                    new Event.BulkAsked(
                            new Selector(null, null, new TreeMap<>()),
                            new Change.Include(random.nextBoolean() ? null : "node-0"),
                            new Event.Request("forget", name));
            case Event.PoolPut(var name, var spec, var request) ->
                    new Event.PoolPut(name, with(health, spec), request);
            case Event.PoolChange(var name, var spec, var fields, var request) -> {
                var more = new TreeSet<>(fields);
                more.add("nodeHealth");
                yield new Event.PoolChange(name, with(health, spec), more, request);
            }
            default -> event;
        };
    }

    private static PoolSpec with(NodeHealth health, PoolSpec spec) {
        return new PoolSpec(
                spec.nodeSelector(),
                spec.policy(),
                spec.preemption(),
                spec.priorities(),
                spec.spot(),
                spec.backing(),
                spec.notices(),
                health);
    }

    /**
     * A job that was submitted and starts at once goes to no excluded node, and to a suspect one
     * only for what trusted ones have no room for.
     */
    void suspectsComeLast(Play play, Event event) {
        if (!(event instanceof Event.Submitted(var id, var spec, _)) || !play.isUp(id)) {
            return;
        }
        var tables = new Tables(new Journal());
        play.allRows().forEach(tables::restore);
        var job = play.job(id);
        for (var rank : tables.gang(job).all()) {
            var trust = trust(tables, rank.making().node());
            if (trust == Trust.EXCLUDED) {
                throw new AssertionError("%s is on an excluded node".formatted(rank));
            }
            boolean isFree =
                    spec.gang().topology().policy() == Topology.Policy.NONE
                            && tables.makeup(job).repulsions().isEmpty();
            // What a job has beyond its minimum leaves room to whoever waits for it.
            boolean isNeeded = rank.id().index() < spec.roles().getFirst().min();
            if (trust == Trust.SUSPECT && spec.roles().size() == 1 && isFree && isNeeded) {
                suspect++;
                noTrustedOneHasRoom(tables, rank, spec.roles().getFirst());
            }
        }
        excluded += (int) tables.capacity.nodes().stream().filter(HealthChance::isExcluded).count();
    }

    private static boolean isExcluded(Node node) {
        return node.trust() == Trust.EXCLUDED;
    }

    private static @Nullable Trust trust(Tables tables, String name) {
        var node = tables.capacity.node(name);
        return node == null ? null : node.trust();
    }

    private static void noTrustedOneHasRoom(Tables tables, Rank rank, JobSpec.Role role) {
        var spot = tables.settings().spec().spot();
        var filter = GangRequirements.filter(role, rank.isSpot(role), spot);
        for (var node : tables.capacity.nodes()) {
            boolean isOpen =
                    node.trust() == Trust.TRUSTED
                            && node.takesPods()
                            && filter.accepts(node)
                            && !(isChoosy(tables, rank, role) && isOn(tables, rank.job(), node));
            if (isOpen && role.demand().timesIn(tables.capacity.free(node)) > 0) {
                throw new AssertionError(
                        "%s is on a suspect node, and %s has room".formatted(rank, node));
            }
        }
    }

    private static boolean isChoosy(Tables tables, Rank rank, JobSpec.Role role) {
        return role.pod().apart()
                || Objects.requireNonNull(tables.job(rank.job())).spec().roles().stream()
                        .anyMatch(any -> !any.pod().apartFrom().isEmpty());
    }

    private static boolean isOn(Tables tables, JobId job, Node node) {
        return tables.residents.of(node.name()).contains(job);
    }

    /** Some came to where the promise says something. */
    static void weighed(Iterable<HealthChance> all) {
        assertThat(all).anyMatch(one -> one.suspect > 0).anyMatch(one -> one.excluded > 0);
    }
}
