package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.NamespaceQuota;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import java.util.Set;
import java.util.TreeMap;

/** Nobody comes to use more than queues and namespaces may, of any resource. */
public final class QuotaPromises {
    private final Play play;
    private final TreeMap<String, Amounts> ofQueues = new TreeMap<>();
    private final TreeMap<String, Amounts> ofNamespaces = new TreeMap<>();
    private final Set<String> grown;

    private QuotaPromises(Play play, Set<String> grown) {
        this.play = play;
        this.grown = grown;
    }

    /**
     * What was set while more was used is kept from then on. It is to be asked before anything else
     * is set: what came before that was kept within what was set then.
     */
    public static void areKept(Play play) {
        var grown = play.grown.takeShares();
        if (grown.isEmpty()) {
            return;
        }
        var promises = new QuotaPromises(play, grown);
        for (var row : play.rows.getOrDefault(Row.Table.RANK, new TreeMap<>()).values()) {
            promises.count((Rank) row);
        }
        for (var row : play.rows.getOrDefault(Row.Table.QUEUE, new TreeMap<>()).values()) {
            promises.limitIsKept((Queue) row);
        }
        for (var row : play.rows.getOrDefault(Row.Table.NAMESPACE, new TreeMap<>()).values()) {
            promises.quotaIsKept((NamespaceQuota) row);
        }
    }

    private void count(Rank rank) {
        var requests = play.use(rank).requests();
        ofQueues.merge(play.job(rank.job()).spec().queue(), requests, Amounts::plus);
        ofNamespaces.merge(rank.job().namespace(), requests, Amounts::plus);
    }

    private void limitIsKept(Queue queue) {
        var used = ofQueues.getOrDefault(queue.name(), Amounts.NONE);
        most(queue)
                .forEach((resource, limit) -> {
                    if (used.get(resource) > limit && isGrown(queue, resource)) {
                        throw new AssertionError(
                                "%s uses %s, and %d of %s is its limit"
                                        .formatted(queue.name(), used, limit, resource));
                    }
                });
        int most = queue.spec().doors().maxRunning();
        if (isGrown(queue, "maxRunning") && play.started(queue.name()) > most) {
            throw new AssertionError(
                    "%s runs %d jobs, and %d is its most"
                            .formatted(queue.name(), play.started(queue.name()), most));
        }
    }

    private boolean isGrown(Queue queue, String what) {
        return grown.contains("queue " + queue.name() + " " + what);
    }

    /** Its limit, and what it may borrow of what anybody is guaranteed. */
    private TreeMap<String, Long> most(Queue queue) {
        var quota = queue.spec().quota();
        var most = new TreeMap<>(quota.limit());
        for (var row : play.rows.getOrDefault(Row.Table.QUEUE, new TreeMap<>()).values()) {
            var guaranteed = ((Queue) row).spec().quota().guaranteed();
            for (var resource : guaranteed.byName().keySet()) {
                var borrowed =
                        quota.borrowing() ? quota.borrowLimit().get(resource) : Long.valueOf(0);
                if (borrowed != null) {
                    most.merge(resource, quota.guaranteed().get(resource) + borrowed, Math::min);
                }
            }
        }
        return most;
    }

    /** What may be requested; all else that some simulations' say is {@link NamespaceChance}'s. */
    private void quotaIsKept(NamespaceQuota quota) {
        var used = ofNamespaces.getOrDefault(quota.namespace(), Amounts.NONE);
        quota.most()
                .forEach((name, hard) -> {
                    var resource = name.replaceFirst("^requests\\.", "");
                    if (!resource.equals(name)
                            && used.get(resource) > hard
                            && grown.contains("namespace " + quota.namespace() + " " + resource)) {
                        throw new AssertionError("%s is exceeded by %s".formatted(quota, used));
                    }
                });
    }
}
