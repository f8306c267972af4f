package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Newcomers;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.NodeFilter.Operator;
import dev.muster.coordinator.core.model.NodeFilter.Requirement;
import dev.muster.coordinator.core.model.NodeFilter.Term;
import dev.muster.coordinator.core.model.NodeFilter.Toleration;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Nodes whose labels and taints change, and roles that ask for some of them: no pod is placed where
 * it may not be at that time.
 */
final class PickyChance implements Piece {
    private static final Node.Taint TEAM = new Node.Taint("team", "ml", Node.Effect.NO_SCHEDULE);
    private static final Node.Taint DIRTY = new Node.Taint("dirty", "", Node.Effect.NO_EXECUTE);

    private final Random random;
    private final Newcomers newcomers = new Newcomers();
    private int weighed;

    PickyChance(long seed) {
        random = new Random(seed ^ 0x91c4L);
    }

    @Override
    public Event of(Event event) {
        return switch (event) {
            case Event.NodeSeen(var by, var node) -> new Event.NodeSeen(by, node(node));
            case Event.Submitted(var id, var spec, var request) when random.nextInt(3) > 0 ->
                    new Event.Submitted(id, Respec.roles(spec, this::role), request);
            default -> event;
        };
    }

    /** Mostly as it always is. */
    private Node node(Node node) {
        int last = node.name().charAt(node.name().length() - 1);
        boolean isChanged = random.nextInt(6) == 0;
        var labels = new TreeMap<>(node.labels());
        labels.put("disk", (last % 2 == 0) != isChanged ? "ssd" : "hdd");
        if (random.nextInt(8) > 0) {
            labels.put("gpus", "" + last % 4);
        }
        var taints = new ArrayList<>(node.taints());
        if (last % 3 == 2 || random.nextInt(8) == 0) {
            taints.add(random.nextBoolean() ? TEAM : DIRTY);
        }
        return Nodes.looking(node, labels, taints);
    }

    private JobSpec.Role role(JobSpec.Role role) {
        var selector = new TreeMap<String, String>();
        if (random.nextInt(4) == 0) {
            selector.put("disk", random.nextBoolean() ? "ssd" : "hdd");
        }
        var affinity = new ArrayList<Term>();
        for (int i = random.nextInt(3); i > 0; i--) {
            affinity.add(new Term(List.of(requirement())));
        }
        var tolerations = new ArrayList<Toleration>();
        if (random.nextInt(3) == 0) {
            tolerations.add(new Toleration("team", random.nextBoolean(), "ml", null));
        }
        if (random.nextInt(3) == 0) {
            tolerations.add(new Toleration("", true, "", Node.Effect.NO_EXECUTE));
        }
        var filter = NodeFilter.of(selector, affinity, tolerations);
        return Respec.pods(role, filter, role.pod().apart());
    }

    private Requirement requirement() {
        return switch (random.nextInt(6)) {
            case 0 -> new Requirement("disk", Operator.IN, List.of("ssd", "nvme"), false);
            case 1 -> new Requirement("disk", Operator.NOT_IN, List.of("hdd"), false);
            case 2 -> new Requirement("gpus", Operator.EXISTS, List.of(), false);
            case 3 -> new Requirement("gpus", Operator.DOES_NOT_EXIST, List.of(), false);
            case 4 -> new Requirement("gpus", Operator.GT, List.of("1"), false);
            default -> new Requirement("", Operator.IN, List.of("node-0", "node-1"), true);
        };
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        for (var came : newcomers.of(play)) {
            if (came.isElsewhere()) {
                mayBeThere(play, came.now());
            }
        }
    }

    private void mayBeThere(Play play, Rank rank) {
        var node = (Node) play.rows.get(Row.Table.NODE).get(rank.making().node());
        var asked = play.job(rank.job()).spec().role(rank.id().role()).filter();
        weighed++;
        if (node == null
                || !node.ready()
                || node.unschedulable()
                || !has(node.labels(), asked.selector())
                || !asked.affinity().isEmpty()
                        && asked.affinity().stream().noneMatch(term -> term.accepts(node))
                || node.taints().stream().anyMatch(taint -> !isTolerated(taint, asked))) {
            throw new AssertionError("%s may not be on %s: %s".formatted(rank, node, asked));
        }
    }

    private static boolean has(Map<String, String> labels, Map<String, String> asked) {
        return labels.entrySet().containsAll(asked.entrySet());
    }

    private static boolean isTolerated(Node.Taint taint, NodeFilter asked) {
        return switch (taint.effect()) {
            case NO_SCHEDULE, NO_EXECUTE ->
                    asked.tolerations().stream().anyMatch(one -> one.tolerates(taint));
            case PREFER_NO_SCHEDULE -> true;
        };
    }

    @Override
    public int weighed() {
        return weighed;
    }
}
