package dev.muster.podmanager.kafka;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.muster.podmanager.core.Hitch;
import dev.muster.podmanager.core.JobName;
import dev.muster.podmanager.core.Kind;
import dev.muster.podmanager.core.Listing;
import dev.muster.podmanager.core.Plan;
import dev.muster.podmanager.core.Seen;
import dev.muster.podmanager.core.Sweep.Found;
import dev.muster.podmanager.kubernetes.Cluster.ApiServerBusyException;
import dev.muster.schemas.contract.PlanHitch;
import dev.muster.schemas.crash.CrashPoint;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens partitions whose plans are known: one list of the whole installation shows for which of
 * them nothing is to be done.
 */
final class Seeding implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(Seeding.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** Of each pool, after each list that was denied. */
    private static final int TOLD_AT_ONCE = 500;

    /**
     * All that a plan may want to be gone: what is missing in the list counts as gone, while what a
     * plan wants to be there and the list does not show is looked up.
     */
    private static final List<Kind> KINDS =
            List.of(Kind.POD, Kind.SERVICE, Kind.DISRUPTION_BUDGET, Kind.VOLCANO_GROUP);

    private final Inventory inventory;
    private final Work work;
    private final Tenure tenure;
    private final Inbox inbox;
    private final Semaphore wanted = new Semaphore(0);
    private final Set<Integer> waiting = new TreeSet<>();
    private volatile boolean stopping;

    Seeding(Inventory inventory, Work work, Tenure tenure, Inbox inbox) {
        this.inventory = inventory;
        this.work = work;
        this.tenure = tenure;
        this.inbox = inbox;
    }

    /** These are to be opened soon. */
    synchronized void open(Collection<Integer> partitions) {
        waiting.addAll(partitions);
        wanted.release();
    }

    /** These are no longer ours; what is open is closed. */
    synchronized void close(Collection<Integer> partitions, Duration patience)
            throws InterruptedException {
        waiting.removeAll(partitions);
        tenure.close(partitions, patience);
        work.close(partitions);
    }

    synchronized boolean isIdle() {
        return waiting.isEmpty();
    }

    /** Opens what is wanted until {@link #stop}. */
    @Override
    public void run() {
        try {
            while (!stopping) {
                if (wanted.tryAcquire(1, TimeUnit.SECONDS)) {
                    seed();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void stop() {
        stopping = true;
    }

    private void seed() throws InterruptedException {
        List<Integer> partitions;
        synchronized (this) {
            partitions = List.copyOf(waiting);
        }
        if (partitions.isEmpty()) {
            return;
        }
        try {
            long asOf = work.nextOrder();
            // With phases no job whose ended pods are kept has to be listed by itself, of which
            // there may be as many as end in a day. A pod that ends after both lists counts as
            // living here: nothing is deleted for that, since a job for which anything is to be
            // done is listed by itself first.
            var all = inventory.of(KINDS, work.asksForPhases(partitions));
            var listings = listings(all.found());
            CrashPoint.POD_MANAGER_OPENING.pass(listings);
            open(partitions, new Work.Seeds(listings, all.hidden().keySet(), asOf));
            inbox.alive(tenure.partitions());
        } catch (IOException | RuntimeException e) {
            log.atWarn().addKeyValue("why", e.getMessage()).log("opening partitions went wrong");
            if (e instanceof ApiServerBusyException denial && denial.isDenial()) {
                tell(partitions, new Hitch(PlanHitch.RIGHT_MISSING, denial.words()));
            }
            var _ = new Semaphore(0).tryAcquire(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
            wanted.release();
        }
    }

    /**
     * Nobody can say whose plan this holds up. A pool knows which are carried out.
     *
     * <p>Waits for no inbox, and not for long: as soon as the right is there all is opened.
     */
    private void tell(List<Integer> partitions, Hitch hitch) {
        var plans =
                work.unfinished(partitions).stream()
                        .filter(plan -> work.isToBeTold(plan, hitch, false))
                        .collect(groupingBy(Plan::pool, TreeMap::new, toList()));
        plans.forEach((pool, its) -> {
            var silent = new AtomicBoolean();
            its.stream()
                    .limit(TOLD_AT_ONCE)
                    .takeWhile(_ -> tenure.isProven() && !silent.get())
                    .forEach(plan -> tell(plan, hitch, silent));
        });
    }

    /**
     * @param silent is set once something did not arrive
     */
    private void tell(Plan plan, Hitch hitch, AtomicBoolean silent) {
        work.told(plan);
        inbox.hindered(
                plan,
                hitch.reason(),
                hitch.message(),
                problem -> {
                    work.notTold(plan);
                    if (silent.compareAndSet(false, true)) {
                        log.atWarn()
                                .addKeyValue("pool", plan.pool())
                                .addKeyValue("why", problem.getMessage())
                                .log("a pool is told another time");
                    }
                });
    }

    /** Only what was not given away while the list was made. */
    private synchronized void open(List<Integer> partitions, Work.Seeds seeds) {
        var still = new ArrayList<>(partitions);
        still.retainAll(waiting);
        waiting.removeAll(still);
        tenure.open(still);
        work.open(still, seeds);
        log.atInfo().addKeyValue("partitions", still).log("partitions opened");
    }

    private static Map<JobName, Listing> listings(List<Found> found) {
        var objects = new HashMap<JobName, List<Seen>>();
        for (var each : found) {
            objects.computeIfAbsent(each.job(), _ -> new ArrayList<>()).add(each.object());
        }
        var listings = new HashMap<JobName, Listing>();
        objects.forEach((job, seen) -> listings.put(job, new Listing(seen)));
        return listings;
    }
}
