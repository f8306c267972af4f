package dev.muster.coordinator.core.gang;

import dev.muster.coordinator.core.model.JobSpec.Role;
import dev.muster.coordinator.core.model.JobSpec.Work;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Which roles the pods are of that a gang's total asks for beyond the minima of its roles. A mix
 * says of each role how many more than its minimum start together, in the order of the roles.
 */
public final class Mixes {
    /** So many of one gang are tried. */
    static final int MOST = 16;

    private Mixes() {}

    /**
     * How many of each role start together: with the mix that was chosen, else the first. Where a
     * role's size is another since, so much of the chosen one stays as it can be: it says which
     * pods the gang has.
     */
    static List<Integer> minima(Work work) {
        var mix = filledUp(work, work.gang().mix());
        var minima = new ArrayList<Integer>();
        for (int i = 0; i < mix.size(); i++) {
            minima.add(work.roles().get(i).min() + mix.get(i));
        }
        return minima;
    }

    /** What a role lacks of it is of the first roles that can have more. */
    private static List<Integer> filledUp(Work work, List<Integer> chosen) {
        int roles = work.roles().size();
        var mix = new ArrayList<>(Collections.nCopies(roles, 0));
        int left = more(work);
        for (int i = 0; i < roles && chosen.size() == roles; i++) {
            mix.set(i, Math.clamp(left, 0, Math.min(chosen.get(i), spare(work.roles().get(i)))));
            left -= mix.get(i);
        }
        for (int i = 0; i < roles; i++) {
            int further = Math.clamp(left, 0, spare(work.roles().get(i)) - mix.get(i));
            mix.set(i, mix.get(i) + further);
            left -= further;
        }
        return mix;
    }

    private static boolean isOne(Work work, List<Integer> mix) {
        if (mix.size() != work.roles().size()) {
            return false;
        }
        int sum = 0;
        for (int i = 0; i < mix.size(); i++) {
            if (mix.get(i) < 0 || mix.get(i) > spare(work.roles().get(i))) {
                return false;
            }
            sum += mix.get(i);
        }
        return sum == more(work);
    }

    /** There is more than one. */
    static boolean areSeveral(Work work) {
        int more = more(work);
        if (more <= 0) {
            return false;
        }
        long with = work.roles().stream().filter(role -> spare(role) > 0).count();
        return with > 1 && more < work.roles().stream().mapToInt(Mixes::spare).sum();
    }

    /**
     * In the order in which they are tried: as many as can be of the first role, and the rest of
     * the others in their order, then fewer of it; then the same of the second role. Of large gangs
     * some are left out.
     */
    public static List<List<Integer>> of(Work work) {
        int roles = work.roles().size();
        int each = Math.max(1, MOST / roles);
        var mixes = new LinkedHashSet<List<Integer>>();
        for (int role = 0; role < roles && mixes.size() < MOST; role++) {
            int most = Math.min(more(work), spare(work.roles().get(role)));
            int step = Math.max(1, Math.ceilDiv(most, each));
            for (int pods = most; pods >= 0 && mixes.size() < MOST; pods -= step) {
                var mix = mix(work, role, pods);
                if (isOne(work, mix)) {
                    mixes.add(mix);
                }
            }
        }
        return List.copyOf(mixes);
    }

    /** The same, but those behind the one that it has come first, and that one last. */
    public static List<List<Integer>> behind(Work work) {
        var mixes = of(work);
        int next = mixes.indexOf(filledUp(work, work.gang().mix())) + 1;
        var behind = new ArrayList<>(mixes.subList(next, mixes.size()));
        behind.addAll(mixes.subList(0, next));
        return List.copyOf(behind);
    }

    /** At most so many of a role; the rest of the others in their order, as far as they go. */
    private static List<Integer> mix(Work work, int first, int pods) {
        int left = more(work);
        var mix = new ArrayList<>(Collections.nCopies(work.roles().size(), 0));
        mix.set(first, Math.clamp(left, 0, Math.min(pods, spare(work.roles().get(first)))));
        left -= mix.get(first);
        for (int i = 0; i < mix.size(); i++) {
            if (i != first) {
                mix.set(i, Math.clamp(left, 0, spare(work.roles().get(i))));
                left -= mix.get(i);
            }
        }
        return mix;
    }

    private static int spare(Role role) {
        return role.replicas() - role.min();
    }

    /** What the total asks for beyond the minima; less than 0: it asks for nothing. */
    private static int more(Work work) {
        return work.gang().min() - work.roles().stream().mapToInt(Role::min).sum();
    }
}
