package dev.muster.coordinator.core.nodes;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject.Named;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Node.Trust;
import dev.muster.coordinator.core.model.PoolSpec.NodeHealth;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Suspicion;
import dev.muster.coordinator.core.state.Tables;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Nodes on which something failed that was no job's fault. The pool remembers it over jobs, chooses
 * them last or, by its settings, not at all, until that fades or somebody has it forgotten.
 *
 * <p>What happens to a node that was known to go is not held against it.
 */
public record SuspectNodes(Tables tables) {
    /** Changes gather so long before they are published. */
    public static final Duration GATHER_WITHIN = Duration.ofSeconds(1);

    private static final int LONGEST_MESSAGE = 250;

    /** A node as it was seen, with what is held against it. */
    public Node noted(Node node) {
        var known = tables.suspicions.get(node.name());
        return node.trusted(known == null ? Trust.TRUSTED : known.trust());
    }

    /** One that was ready is not, which nobody had announced. */
    public void seen(@Nullable Node before, Node now) {
        if (before != null && before.ready() && !now.ready()) {
            if (!tables.settings().isGoing(before)) {
                blame(now, "NotReady", "it was ready, and was not any more");
            }
        }
    }

    /** A rank has failed; where its node is not ready, that is known already. */
    public void failed(Rank rank) {
        var failure = rank.sight().failure();
        if (failure != null && failure.isItsNodes()) {
            failed(rank, failure.reason(), failure.message());
        }
    }

    /** The same of one whose job's policy says that its node is at fault. */
    public void failed(Rank rank, String reason, String message) {
        var node = rank.failedOn();
        if (node != null) {
            failed(node, rank.job(), reason, message);
        }
    }

    /** The same of a node that is to blame for what failed on others. */
    public void failed(String name, JobId job, String reason, String message) {
        var node = tables.capacity.node(name);
        if (node != null && node.ready()) {
            blame(node, reason, job.fullName() + ": " + message);
        }
    }

    private void blame(Node node, String reason, String message) {
        var rule = rule();
        if (!rule.remembers() || tables.settings().isGoing(node)) {
            return;
        }
        var known = tables.suspicions.get(node.name());
        var words = message.substring(0, Math.min(message.length(), LONGEST_MESSAGE));
        var next =
                known == null
                        ? Suspicion.first(node.name(), reason, words, rule, tables.now())
                        : known.failed(reason, words, rule, tables.now());
        if (!next.equals(known)) {
            put(next);
        }
    }

    private NodeHealth rule() {
        return tables.settings().spec().nodeHealth();
    }

    private void put(Suspicion suspicion) {
        if (suspicion.trust() == Trust.TRUSTED) {
            forget(suspicion);
            return;
        }
        tables.put(suspicion);
        var node = new Named(suspicion.node());
        tables.wakings.at(Alarm.Kind.NODE_HEALTH, node, suspicion.until(rule()));
        changed(suspicion.node(), suspicion.trust());
    }

    private void forget(Suspicion suspicion) {
        tables.remove(suspicion);
        tables.wakings.none(Alarm.Kind.NODE_HEALTH, new Named(suspicion.node()));
        changed(suspicion.node(), Trust.TRUSTED);
    }

    private void changed(String name, Trust trust) {
        PoolStates.tell(tables);
        var node = tables.capacity.node(name);
        if (node != null && node.trust() != trust) {
            var noted = node.trusted(trust);
            tables.put(noted);
            if (!noted.looksLike(node)) {
                tables.startsAreDue();
            }
        }
    }

    /** What is held against it has faded. */
    public void faded(String node) {
        var known = tables.suspicions.get(node);
        if (known != null) {
            put(known.at(tables.now(), rule(), rule()));
        }
    }

    /**
     * Nothing is held against it any more.
     *
     * @param node null: against none
     * @return against how many something was held
     */
    public int include(@Nullable String node) {
        int included = 0;
        for (var suspicion : List.copyOf(tables.suspicions.values())) {
            if (node == null || node.equals(suspicion.node())) {
                forget(suspicion);
                included++;
            }
        }
        return included;
    }

    /**
     * Other settings make other nodes suspect.
     *
     * @param before what they were
     */
    public void reconsider(NodeHealth before) {
        var rule = rule();
        if (!rule.remembers()) {
            include(null);
        } else if (!rule.equals(before)) {
            List.copyOf(tables.suspicions.values())
                    .forEach(suspicion -> put(suspicion.at(tables.now(), before, rule)));
        }
    }
}
