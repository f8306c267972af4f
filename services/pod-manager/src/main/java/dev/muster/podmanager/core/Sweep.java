package dev.muster.podmanager.core;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is to be swept away of what the cluster holds.
 *
 * <p>Only on evidence: the submission's own plan says that nothing of it is left, or a newer
 * submission of the name has a plan. Mere absence of plans proves nothing and is only counted.
 *
 * @param unexplained objects of ours for which there is no plan at all
 */
public record Sweep(List<Swept> deletions, List<Found> unexplained) {
    /** An object of ours, with its job. */
    public record Found(JobName job, Seen object) {}

    /** One deletion, with its job. */
    public record Swept(JobName job, Action.Delete deletion) {
        /** Its place among all deletions. */
        public String place() {
            return "%s/%s/%s".formatted(deletion.kind(), job, deletion.name());
        }
    }

    /**
     * Looks for evidence about each object.
     *
     * @param plans all plans that are known of a name, the newest submission first
     */
    public static Sweep decide(List<Found> found, Function<JobName, List<Plan>> plans) {
        var deletions = new ArrayList<Swept>();
        var unexplained = new ArrayList<Found>();
        for (var each : found) {
            var mark = each.object().mark();
            if (mark == null || each.object().deleting()) {
                continue;
            }
            var known = plans.apply(each.job());
            if (known.isEmpty() || known.getFirst().job().offset() < mark.offset()) {
                unexplained.add(each);
            } else if (isOver(mark, known.getFirst())) {
                deletions.add(delete(each, grace(each.object(), mark, known.getFirst())));
            }
        }
        return new Sweep(deletions, unexplained);
    }

    /**
     * So many deletions, each in its turn: what is not let go does not take the others' places.
     *
     * @param last the place of the one that was tried last; empty: none was
     */
    public List<Swept> behind(String last, int atMost) {
        var all = new TreeMap<String, Swept>();
        deletions.forEach(each -> all.put(each.place(), each));
        return Turns.behind(all, last, atMost);
    }

    private static boolean isOver(Mark mark, Plan newest) {
        return newest.job().offset() > mark.offset() || newest.wanted() instanceof Plan.Gone;
    }

    /**
     * In seconds; null: what the object itself says. A submission of which nothing was left has a
     * pod only by somebody who was late; of one that was replaced it may still work.
     */
    private static @Nullable Long grace(Seen object, Mark mark, Plan newest) {
        boolean wasGone = newest.job().offset() == mark.offset();
        return wasGone && object.kind() == Kind.POD ? Reconcile.LATE : null;
    }

    private static Swept delete(Found found, @Nullable Long grace) {
        var object = found.object();
        return new Swept(
                found.job(),
                new Action.Delete(
                        object.kind(),
                        found.job().namespace(),
                        object.name(),
                        object.uid(),
                        grace));
    }
}
