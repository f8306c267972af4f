package dev.muster.coordinator.core;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that are about to go: cordoned, or with a notice of their end by the pool's settings.
 * Elastic jobs leave them before, as far as they stay at their minima, and grow again elsewhere.
 * Gangs of fixed size that can save how far they have come do that, and start again elsewhere.
 */
final class GoingNodes {
    private final Tables tables;
    private final Jobs jobs;

    GoingNodes(Tables tables, Jobs jobs) {
        this.tables = tables;
        this.jobs = jobs;
    }

    void seen(@Nullable Node before, Node now) {
        boolean goes = isGoing(now) && (before == null || !isGoing(before));
        if (goes || isOther(before, now) && isAnyGoing()) {
            lookAtAll();
        }
    }

    /**
     * What could start nowhere else may be able to now: a node comes step by step, with taints that
     * go and devices that are told later.
     */
    private static boolean isOther(@Nullable Node before, Node now) {
        return now.takesPods() && (before == null || !before.seen(0).equals(now.seen(0)));
    }

    private boolean isAnyGoing() {
        return !tables.jobsWithRanks().isEmpty()
                && tables.capacity.nodes().stream().anyMatch(this::isGoing);
    }

    /** A node as the settings make of it what is written on it. */
    Node noted(Node node) {
        var spec = tables.settings().spec();
        // Who chooses the nodes himself knows taints alone, and would come back to it.
        boolean isAnnounced = !spec.backing().choosesNodes() && spec.notices().announce(node);
        return node.announced(isAnnounced);
    }

    /** Other settings make other nodes go. */
    void reconsider() {
        for (var node : tables.capacity.nodes()) {
            var noted = noted(node);
            if (!noted.equals(node)) {
                tables.put(noted);
            }
        }
        lookAtAll();
    }

    private void lookAtAll() {
        for (var id : tables.jobsWithRanks()) {
            look(id);
        }
    }

    private boolean isGoing(Node node) {
        var notices = tables.settings().spec().notices().taints();
        return node.unschedulable()
                || node.notes().announced()
                || node.taints().stream().anyMatch(taint -> notices.contains(taint.key()));
    }

    /**
     * Takes the ranks of an elastic job off nodes that go, the highest indices first, and a gang of
     * fixed size as a whole.
     */
    void look(JobId id) {
        var job = tables.job(id);
        var elastic = job == null ? null : job.spec().work().elastic();
        if (job == null || !job.state().isUp()) {
            return;
        }
        if (elastic == null) {
            lookAtWhole(job);
            return;
        }
        int least = Math.max(elastic.min(), tables.makeup(job).minimum(elastic.role()));
        var role = job.spec().role(elastic.role());
        var members = tables.gang(job).members(elastic.role());
        var leaving =
                members.reversed().stream()
                        .filter(rank -> !job.spec().isFirst(rank.id()))
                        .filter(rank -> isOnGoing(rank, role))
                        .limit(Math.max(0, members.size() - least))
                        .map(Rank::id)
                        .toList();
        if (!leaving.isEmpty()) {
            var choice = new Departures.Choice(Duration.ZERO, 0, "nodes of it are about to go");
            jobs.departures().leave(job, leaving, choice);
            jobs.scalings().look(id);
            tables.startsAreDue();
        }
    }

    /** What could not start elsewhere stays as long as it may. */
    private void lookAtWhole(Job job) {
        var goes =
                tables.gang(job).members().stream()
                        .filter(rank -> !rank.state().hasEnded())
                        .filter(rank -> isOnGoing(rank, job.spec().role(rank.id().role())))
                        .map(rank -> rank.making().node())
                        .findFirst();
        if (Checkpoints.asks(job) && goes.isPresent() && couldStartElsewhere(job)) {
            jobs.on(job, new JobEvent.NodesGo("its node %s is about to go".formatted(goes.get())));
        }
    }

    /** Where the pool knows nothing of room, some node at least has to take such pods. */
    private boolean couldStartElsewhere(Job job) {
        boolean isKnown = tables.capacity.couldEverFit(tables.makeup(job).start());
        if (!isKnown || !tables.settings().spec().backing().delegated()) {
            return isKnown;
        }
        return job.spec().roles().stream()
                .allMatch(role ->
                        tables.capacity.nodes().stream()
                                .anyMatch(node -> node.takesPods() && role.filter().accepts(node)));
    }

    /** And such a pod would not be placed there again. */
    private boolean isOnGoing(Rank rank, JobSpec.Role role) {
        var node = tables.capacity.node(rank.making().node());
        if (node == null || !isGoing(node)) {
            return false;
        }
        // Kubernetes' schedulers know a cordon by its taint, which a pod may tolerate.
        boolean isOpen =
                tables.settings().spec().backing().choosesNodes() ? node.ready() : node.takesPods();
        return !(isOpen && role.filter().accepts(node));
    }
}
