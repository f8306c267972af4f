package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Node.Trust;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Topology;
import dev.muster.coordinator.core.model.Topology.Policy;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Nodes in racks, and jobs that lie in them in some way, whenever their pods come. */
final class TopologyChance implements Piece {
    private static final String RACK = "rack";
    private static final Policy[] POLICIES = {
        Policy.SPREAD, Policy.PACK, Policy.PREFER, Policy.REQUIRE, Policy.REQUIRE
    };
    private static final String[] KEYS = {RACK, RACK, "kubernetes.io/hostname", null};

    private final Random random;
    private boolean isEmpty = true;

    /** Who was on a node that the pool did not have. */
    private final Set<String> cutOff = new HashSet<>();

    private Set<JobId> placed = Set.of();

    /** Some room is kept for one job: what is free is not what it finds. */
    private boolean isHeld;

    private int weighed;

    TopologyChance(long seed) {
        random = new Random(seed ^ 0x70b0L);
    }

    @Override
    public Event of(Event event) {
        return switch (event) {
            case Event.NodeSeen(var by, var node) -> new Event.NodeSeen(by, inRack(node));
            case Event.Submitted(var id, var spec, var request) when isFirst(spec) ->
                    new Event.Submitted(id, large(spec), request);
            case Event.Submitted(var id, var spec, var request) when random.nextInt(3) > 0 ->
                    new Event.Submitted(id, Fixtures.lying(topology(), sized(spec)), request);
            default -> event;
        };
    }

    /** It finds the nodes empty, or nearly so. */
    private boolean isFirst(JobSpec spec) {
        boolean isFirst = isEmpty && isPlain(spec);
        isEmpty &= !isFirst;
        return isFirst;
    }

    /** Too large for most nodes, and not for their racks. */
    private JobSpec large(JobSpec spec) {
        int pods = 2 + random.nextInt(2);
        var policy = random.nextBoolean() ? Policy.PREFER : Policy.PACK;
        return Fixtures.lying(
                new Topology(policy, RACK),
                Respec.roles(spec, role -> Fixtures.role(role.name(), pods, 3)));
    }

    /** Some gangs are too large for one node. */
    private JobSpec sized(JobSpec spec) {
        return isPlain(spec) && random.nextBoolean()
                ? Respec.roles(spec, role -> Fixtures.role(role.name(), role.replicas(), 3))
                : spec;
    }

    private static boolean isPlain(JobSpec spec) {
        return spec.roles().size() == 1 && spec.work().elastic() == null;
    }

    private Topology topology() {
        var policy = POLICIES[random.nextInt(POLICIES.length)];
        return new Topology(policy, KEYS[random.nextInt(KEYS.length)]);
    }

    /** The last node of some clusters is in none. */
    private static Node inRack(Node node) {
        int last = node.name().charAt(node.name().length() - 1);
        var labels = new TreeMap<>(node.labels());
        if (last % 4 < 3) {
            labels.put(RACK, "r" + last % 2);
        }
        return Nodes.labelled(node, labels);
    }

    @Override
    public int weighed() {
        return weighed;
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        for (var row : play.rows.getOrDefault(Row.Table.JOB, new TreeMap<>()).values()) {
            if (((Job) row).spec().gang().topology().policy() == Policy.REQUIRE) {
                liesTogether(play, (Job) row);
            }
        }
        // While only time passes, room may come after a start and look as if it had been there.
        if (event != null && !isHeld) {
            started(play).forEach(job -> liesAsAsked(play, job));
        }
        placed = Set.copyOf(play.ranks().keySet());
        isHeld = !rows(play, Row.Table.HOLD).isEmpty();
    }

    private static Collection<Row> rows(Play play, Row.Table table) {
        return play.rows.getOrDefault(table, new TreeMap<>()).values();
    }

    /** By this event, with what they need to start and no more. */
    private List<Job> started(Play play) {
        return rows(play, Row.Table.JOB).stream()
                .map(Job.class::cast)
                .filter(job -> job.state() instanceof JobState.Starting)
                .filter(job -> !placed.contains(job.id()) && job.spec().roles().size() == 1)
                .filter(job -> play.ranks(job.id()).size() == play.makeup(job).start().pods())
                .toList();
    }

    private void liesAsAsked(Play play, Job job) {
        var tables = new Tables(new Journal());
        play.allRows().forEach(tables::restore);
        new Started(tables, job).liesAsAsked();
    }

    private void liesTogether(Play play, Job job) {
        var topology = job.spec().gang().topology();
        var nodes = play.rows.get(Row.Table.NODE);
        for (var rank : play.ranks(job.id())) {
            if (!nodes.containsKey(rank.making().node())) {
                cutOff.add(making(rank));
            }
        }
        var domains =
                play.ranks(job.id()).stream()
                        .filter(rank -> !rank.sight().over() && !rank.isLeaving())
                        // Whoever is made again may have to follow another one elsewhere.
                        .filter(rank -> rank.state() != RankState.RETURNING)
                        // Others do not follow where no node is, and it may come back with its
                        // pods.
                        .filter(rank -> !cutOff.contains(making(rank)))
                        .map(rank -> (Node) nodes.get(rank.making().node()))
                        .map(topology::domainOf)
                        .distinct()
                        .toList();
        weighed += domains.size();
        if (domains.size() > 1) {
            throw new AssertionError("%s lies in %s".formatted(job.id(), domains));
        }
    }

    private static String making(Rank rank) {
        return rank.job() + " " + rank.id() + " " + rank.making().incarnation();
    }

    /** A job of pods that are alike, which has just started in what was free for all. */
    private final class Started {
        private final Tables tables;
        private final Topology topology;
        private final List<Rank> ranks;
        private final JobSpec.Role role;
        private final TreeMap<String, Integer> pods = new TreeMap<>();
        private final TreeMap<String, Long> left = new TreeMap<>();
        private boolean isOutside;

        Started(Tables tables, Job job) {
            this.tables = tables;
            this.topology = job.spec().gang().topology();
            this.ranks = tables.gang(job).all();
            this.role = job.spec().roles().getFirst();
            boolean isTrusting = ranks.stream().allMatch(rank -> trusts(rank.making().node()));
            for (var node : tables.capacity.nodes()) {
                var domain = topology.domainOf(node);
                boolean isOpen =
                        node.takesPods()
                                && role.filter().accepts(node)
                                && (!isTrusting || node.trust() == Trust.TRUSTED);
                if (domain != null && isOpen) {
                    left.merge(domain, room(node), Long::sum);
                }
            }
            for (var rank : ranks) {
                var node = Objects.requireNonNull(tables.capacity.node(rank.making().node()));
                var domain = topology.domainOf(node);
                isOutside |= domain == null;
                if (domain != null) {
                    pods.merge(domain, 1, Integer::sum);
                }
            }
        }

        private long room(Node node) {
            long room = role.demand().timesIn(tables.capacity.free(node));
            boolean isOn =
                    ranks.stream().anyMatch(rank -> rank.making().node().equals(node.name()));
            return !role.pod().apart() ? room : isOn ? 0 : Math.min(1, room);
        }

        private boolean trusts(String name) {
            var node = tables.capacity.node(name);
            return node != null && node.trust() == Trust.TRUSTED;
        }

        void liesAsAsked() {
            switch (topology.policy()) {
                case SPREAD -> isEven();
                case PREFER, PACK -> isInOneIfOneHadRoom();
                case NONE, REQUIRE -> {}
            }
        }

        /** Of two domains the one with two pods less had room for no more. */
        private void isEven() {
            pods.forEach((full, most) ->
                    left.forEach((other, room) -> {
                        weighed++;
                        if (most > pods.getOrDefault(other, 0) + 1 && room > 0) {
                            throw new AssertionError(
                                    "%s is spread %s, and %s has room"
                                            .formatted(role, pods, other));
                        }
                    }));
        }

        /** Those outside are there only where no domain has room for all. */
        private void isInOneIfOneHadRoom() {
            if (pods.size() == 1 && !isOutside) {
                return;
            }
            left.forEach((domain, room) -> {
                weighed++;
                if (room + pods.getOrDefault(domain, 0) >= ranks.size()) {
                    throw new AssertionError(
                            "%s lies in %s, and %s has room".formatted(role, pods, domain));
                }
            });
        }
    }
}
