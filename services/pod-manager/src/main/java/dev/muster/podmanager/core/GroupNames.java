package dev.muster.podmanager.core;

import org.jspecify.annotations.Nullable;

/** The names of groups. Those of two jobs never meet: no job's name has a dot. */
final class GroupNames {
    private GroupNames() {}

    /**
     * @param role null: of all roles
     */
    static String of(JobName job, int attempt, @Nullable String role) {
        var whole = job.name() + "-a" + attempt;
        return role == null ? whole : whole + "." + role;
    }

    static boolean isOne(JobName job, int attempt, String name) {
        var whole = of(job, attempt, null);
        return name.equals(whole) || name.startsWith(whole + ".");
    }
}
