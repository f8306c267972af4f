package dev.muster.podmanager.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The newest plan of every submission, by partition, and whether it was carried out. For one
 * thread.
 */
public final class PlanBook {
    /**
     * A plan and where it stands.
     *
     * @param order grows with every plan that is accepted: what was accepted before what
     * @param open something is still to be done for it
     */
    public record Entry(Plan plan, long order, boolean open) {}

    private static final class Page {
        final Map<JobName, TreeMap<Long, Entry>> plans = new HashMap<>();

        /** Behind a record that could not be read; null: nothing has come since. */
        final Map<Submission, @Nullable Plan> held = new HashMap<>();
    }

    private final Map<Integer, Page> pages = new HashMap<>();
    private long orders;
    private String lastListed = "";

    /**
     * Takes in a plan.
     *
     * @return false when it changes nothing: a repeat, an older one, or one of a held submission
     */
    public boolean accept(int partition, Plan plan) {
        var page = page(partition);
        if (page.held.containsKey(plan.job())) {
            page.held.put(plan.job(), plan);
            return false;
        }
        var plans = page.plans.computeIfAbsent(plan.job().job(), _ -> new TreeMap<>());
        var known = plans.get(plan.job().offset());
        if (known != null && !plan.isNewerThan(known.plan())) {
            return false;
        }
        boolean open = !(plan.wanted() instanceof Plan.Gone);
        plans.put(plan.job().offset(), new Entry(plan, orders++, open));
        // Its own witness is no longer needed: the newer submission's plan is one.
        plans.headMap(plans.lastKey())
                .values()
                .removeIf(e -> e.plan().wanted() instanceof Plan.Gone);
        return true;
    }

    /**
     * A record of that submission could not be read: nothing is done for it any more, and what
     * comes later waits, until the record can be read (in a new assignment), is gone from the
     * topic, or somebody writes a null in its place.
     */
    public void hold(int partition, Submission job) {
        forget(partition, job);
        page(partition).held.putIfAbsent(job, null);
    }

    /** A null: the submission is forgotten, and is no longer held. */
    public void remove(int partition, Submission job) {
        forget(partition, job);
        page(partition).held.remove(job);
    }

    private void forget(int partition, Submission job) {
        page(partition)
                .plans
                .computeIfPresent(
                        job.job(),
                        (_, plans) -> {
                            plans.remove(job.offset());
                            return plans.isEmpty() ? null : plans;
                        });
    }

    /** All that is known of a name, the newest submission first. */
    public List<Entry> of(int partition, JobName job) {
        var page = pages.get(partition);
        var plans = page == null ? null : page.plans.get(job);
        return plans == null ? List.of() : new ArrayList<>(plans.descendingMap().values());
    }

    /** The names of a partition for which something is to be done. */
    public List<JobName> open(int partition) {
        return page(partition).plans.entrySet().stream()
                .filter(e -> e.getValue().values().stream().anyMatch(Entry::open))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** For some open plan of a partition it matters which pods have ended. */
    public boolean asksForPhases(int partition) {
        return page(partition).plans.values().stream()
                .flatMap(plans -> plans.values().stream())
                .anyMatch(e -> e.open() && Look.of(e.plan()).phases());
    }

    /**
     * So many names whose newest plan was carried out and keeps a host list, each in its turn:
     * nobody says when somebody deletes one.
     */
    public List<JobName> listed(int most) {
        var all = new TreeMap<String, JobName>();
        for (var page : pages.values()) {
            page.plans.forEach((job, plans) -> {
                var newest = plans.lastEntry();
                if (newest != null && keepsAList(newest.getValue())) {
                    all.put(job.toString(), job);
                }
            });
        }
        var these = Turns.behind(all, lastListed, most);
        lastListed = these.isEmpty() ? "" : these.getLast().toString();
        return these;
    }

    private static boolean keepsAList(Entry entry) {
        return !entry.open()
                && entry.plan().wanted() instanceof Plan.Run run
                && run.hosts() != null;
    }

    /** Nothing more is to be done for exactly this plan; a newer one is not touched. */
    public void close(int partition, Plan plan) {
        var page = pages.get(partition);
        var plans = page == null ? null : page.plans.get(plan.job().job());
        if (plans != null) {
            plans.computeIfPresent(
                    plan.job().offset(),
                    (_, e) ->
                            e.plan().version() == plan.version()
                                    ? new Entry(e.plan(), e.order(), false)
                                    : e);
        }
    }

    /** Of how many names anything is remembered. */
    int names() {
        return pages.values().stream().mapToInt(page -> page.plans.size()).sum();
    }

    /** How many submissions are held behind an unreadable record. */
    public int held() {
        return pages.values().stream().mapToInt(page -> page.held.size()).sum();
    }

    /** All plans accepted later have this order or a larger one. */
    public long nextOrder() {
        return orders;
    }

    /** The partition is somebody else's now. */
    public void dropPartition(int partition) {
        pages.remove(partition);
    }

    private Page page(int partition) {
        return pages.computeIfAbsent(partition, _ -> new Page());
    }
}
