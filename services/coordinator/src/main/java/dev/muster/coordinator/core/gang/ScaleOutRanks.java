package dev.muster.coordinator.core.gang;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Scaling;
import java.util.List;

/**
 * What a command of scale brings to a gang. What is lacking of the size before it is none of that:
 * it comes as ever, pod by pod, and stays when the command is given up.
 */
public final class ScaleOutRanks {
    private ScaleOutRanks() {}

    /** The command by which a rank of this role comes that is placed now; 0: by none. */
    public static long by(Job job, Gang gang, String role) {
        return lacksOfBefore(job, gang, role) ? 0 : Scaling.bringer(job, role);
    }

    /** All that the role lacks comes together, or none of it. */
    static boolean isTogether(Job job, Gang gang, String role) {
        return Scaling.isAtomic(job, role) && !lacksOfBefore(job, gang, role);
    }

    /** Another in this one's place would come together with all that the command lacks. */
    public static boolean isTogether(Job job, Gang gang, Rank rank) {
        var role = rank.id().role();
        return isOne(job, rank) && isTogether(job, gang, role);
    }

    /** It came by the command under way. */
    public static boolean isOne(Job job, Rank rank) {
        return rank.tenure().isBroughtBy(Scaling.bringer(job, rank.id().role()));
    }

    /** Members of a role that were there without the command under way, or are in their place. */
    public static List<Rank> besides(Job job, Gang gang, String role) {
        return gang.members(role).stream().filter(rank -> !isOne(job, rank)).toList();
    }

    /** Not all is there that was wished before the command under way. */
    private static boolean lacksOfBefore(Job job, Gang gang, String role) {
        var scaling = Scaling.underWay(job);
        return scaling != null
                && scaling.brings()
                && scaling.role().equals(role)
                && gang.count(role) - gang.brought(scaling.number()) < scaling.from();
    }
}
