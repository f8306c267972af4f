package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Newcomers;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.fixtures.SpotPods;
import dev.muster.coordinator.core.gang.GangRequirements;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Spot nodes, and roles with spot pods, whatever becomes of their size: a scheduler would bind
 * every pod, as its plan has it, to the node that it is placed on, and no role has more spot pods
 * than it may.
 */
final class SpotChance implements Piece {
    private final Random random;
    private final Newcomers newcomers = new Newcomers();
    private int weighed;

    SpotChance(long seed) {
        random = new Random(seed ^ 0x5b07L);
    }

    @Override
    public Event of(Event event) {
        return switch (event) {
            case Event.PoolPut(var name, var spec, var request) ->
                    new Event.PoolPut(name, SpotPods.pool(spec), request);
            case Event.NodeSeen(var by, var node) -> new Event.NodeSeen(by, node(node));
            case Event.Submitted(var id, var spec, var request) ->
                    new Event.Submitted(id, Respec.roles(spec, this::role), request);
            default -> event;
        };
    }

    /** Every other one, mostly. */
    private Node node(Node node) {
        boolean isOdd = node.name().charAt(node.name().length() - 1) % 2 == 1;
        return isOdd != (random.nextInt(10) == 0) ? SpotPods.onSpot(node) : node;
    }

    private JobSpec.Role role(JobSpec.Role role) {
        return SpotPods.spot(random.nextInt(role.replicas() + 1), role);
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        for (var came : newcomers.of(play)) {
            var job = play.job(came.now().job());
            if (came.isElsewhere()) {
                isBound(play, job, came.now());
            }
            hasNotTooMany(play, job, job.spec().role(came.now().id().role()));
        }
    }

    private void isBound(Play play, Job job, Rank rank) {
        var role = job.spec().role(rank.id().role());
        var node = (Node) play.rows.get(Row.Table.NODE).get(rank.making().node());
        boolean isSpot = Boolean.TRUE.equals(rank.making().spot());
        var asked = GangRequirements.filter(role, isSpot, SpotPods.SPOT);
        weighed += isSpot ? 1 : 0;
        if (node == null || !asked.accepts(node)) {
            throw new AssertionError("%s is not bound to %s: %s".formatted(rank, node, asked));
        }
    }

    private static void hasNotTooMany(Play play, Job job, JobSpec.Role role) {
        long spots =
                play.ranks(job.id()).stream()
                        .filter(rank -> rank.id().role().equals(role.name()) && !rank.isLeaving())
                        .filter(rank -> rank.isSpot(role))
                        .count();
        if (spots > role.spot()) {
            throw new AssertionError("%s has %d spot pods of %s".formatted(job.id(), spots, role));
        }
    }

    @Override
    public int weighed() {
        return weighed;
    }
}
