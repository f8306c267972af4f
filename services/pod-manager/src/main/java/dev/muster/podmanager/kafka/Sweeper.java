package dev.muster.podmanager.kafka;

import dev.muster.podmanager.core.Kind;
import dev.muster.podmanager.core.Sweep;
import dev.muster.podmanager.kubernetes.Cluster;
import dev.muster.schemas.crash.CrashPoint;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.IntPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes what the cluster still holds of submissions that are over, and has those looked at whose
 * host list somebody may have deleted.
 */
final class Sweeper {
    private static final Logger log = LoggerFactory.getLogger(Sweeper.class);

    /** Host lists that one pass has looked at, each with a request. */
    private static final int LISTS = 100;

    /** Deletions without an answer after which a pass ends. */
    private static final int SILENT = 3;

    /** What else there is goes with the service that owns it. */
    private static final List<Kind> SWEPT = List.of(Kind.POD, Kind.SERVICE, Kind.VOLCANO_GROUP);

    private final Cluster cluster;
    private final Work work;
    private final Tenure tenure;
    private final int atMost;
    private final Duration closelyFor;
    private final Inventory inventory;
    private final Turn all = new Turn();
    private final Turn closely = new Turn();

    /** Where the next pass of a sweep begins. For its one thread. */
    private static final class Turn {
        private String last = "";
    }

    /**
     * @param atMost deletions of one pass
     * @param closelyFor after partitions were taken over, somebody who had them may wake up and
     *     make a pod
     */
    Sweeper(
            Cluster cluster,
            Inventory inventory,
            Work work,
            Tenure tenure,
            int atMost,
            Duration closelyFor) {
        this.cluster = cluster;
        this.work = work;
        this.tenure = tenure;
        this.atMost = atMost;
        this.closelyFor = closelyFor;
        this.inventory = inventory;
    }

    /** One pass; what goes wrong is left to the next. */
    void sweep() {
        work.offerLists(LISTS);
        var unexplained = swept(SWEPT, tenure::holds, all);
        if (!unexplained.isEmpty()) {
            log.atWarn()
                    .addKeyValue("objects", unexplained.size())
                    .addKeyValue("first", unexplained.getFirst().job())
                    .addKeyValue("why", "no plan is known for them")
                    .log("left alone");
        }
    }

    /** The same for pods alone, while somebody may wake up late. */
    void sweepClosely() {
        var young = tenure.takenOverWithin(closelyFor);
        if (!young.isEmpty()) {
            swept(
                    List.of(Kind.POD),
                    number -> young.contains(number) && tenure.holds(number),
                    closely);
        }
    }

    /**
     * @param partitions whose objects are meant
     * @return for what no plan is known
     */
    private List<Sweep.Found> swept(List<Kind> kinds, IntPredicate partitions, Turn turn) {
        try {
            var found =
                    inventory.of(kinds, false).found().stream()
                            .filter(f -> partitions.test(Work.partitionOf(f.job())))
                            .toList();
            var sweep = Sweep.decide(found, work::plansOf);
            delete(sweep.behind(turn.last, atMost), turn);
            return sweep.unexplained();
        } catch (IOException e) {
            log.atWarn().addKeyValue("why", e.getMessage()).log("sweep broke off");
            return List.of();
        }
    }

    /** One without an answer ends nothing; several one after the other have no server. */
    private void delete(List<Sweep.Swept> deletions, Turn turn) {
        int silent = 0;
        for (var each : deletions) {
            turn.last = each.place();
            try {
                delete(each);
                silent = 0;
            } catch (IOException e) {
                log.atWarn()
                        .addKeyValue("jobId", each.job())
                        .addKeyValue("object", each.place())
                        .addKeyValue("why", e.getMessage())
                        .log("left to another sweep");
                if (++silent == SILENT) {
                    return;
                }
            }
        }
    }

    private void delete(Sweep.Swept each) throws IOException {
        var deletion = each.deletion();
        CrashPoint.POD_MANAGER_SWEEPING.pass(each.job());
        int partition = Work.partitionOf(each.job());
        var written =
                cluster.write(
                        each.job(), deletion, sending -> tenure.write(partition, sending::send));
        CrashPoint.POD_MANAGER_SWEPT.pass(each.job());
        log.atInfo()
                .addKeyValue("jobId", each.job())
                .addKeyValue("event", "swept")
                .addKeyValue("object", deletion.kind() + "/" + deletion.name())
                .addKeyValue("to", written.answer())
                .log("sweep");
    }
}
