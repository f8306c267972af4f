package dev.muster.coordinator.core.model;

import org.jspecify.annotations.Nullable;

/** What all pods of a job may use together, whatever its size. */
public final class ResourceLimits {
    private ResourceLimits() {}

    /**
     * A limit that would be passed.
     *
     * @param used what all pods would use
     */
    public record Passed(String resource, long used, long most) {}

    /** With so many pods of a role; null: none. */
    public static @Nullable Passed passed(JobSpec.Work work, String role, int replicas) {
        var used = Amounts.NONE;
        for (var each : work.sized(role, replicas).roles()) {
            used = used.plus(each.demand().times(each.replicas()));
        }
        for (var limit : work.limits().byName().entrySet()) {
            if (used.get(limit.getKey()) > limit.getValue()) {
                return new Passed(limit.getKey(), used.get(limit.getKey()), limit.getValue());
            }
        }
        return null;
    }

    /**
     * So many pods of a role may be wished at most: of an elastic one never less than its least.
     */
    public static int most(JobSpec.Work work, JobSpec.Role role) {
        var elastic = work.elastic();
        if (elastic == null || !elastic.role().equals(role.name())) {
            return role.replicas();
        }
        return (int) Math.max(elastic.min(), Math.min(role.replicas(), fitting(work, role)));
    }

    /** So many pods of an elastic role may ever be wished: never less than its least. */
    public static int most(JobSpec.Work work, JobSpec.Elastic range) {
        long fitting = fitting(work, work.role(range.role()));
        return (int) Math.max(range.min(), Math.min(range.max(), fitting));
    }

    /**
     * Whether so many pods of a role may be there beside others of it that leave by choice; as many
     * as an elastic one has at least may in any case.
     */
    public static boolean allow(JobSpec.Work work, JobSpec.Role role, int pods, int leaving) {
        var elastic = work.elastic();
        return leaving == 0
                || elastic == null
                || !elastic.role().equals(role.name())
                || pods <= elastic.min()
                || pods + leaving <= fitting(work, role);
    }

    /** So many pods of a role are within the limits. */
    private static long fitting(JobSpec.Work work, JobSpec.Role role) {
        long most = Integer.MAX_VALUE;
        for (var limit : work.limits().byName().entrySet()) {
            long each = role.demand().get(limit.getKey());
            long others = others(work, role, limit.getKey());
            most = each == 0 ? most : Math.min(most, (limit.getValue() - others) / each);
        }
        return most;
    }

    private static long others(JobSpec.Work work, JobSpec.Role role, String resource) {
        long others = 0;
        for (var other : work.roles()) {
            if (!other.name().equals(role.name())) {
                long all = Wide.product(other.demand().get(resource), other.replicas());
                others = Wide.sum(others, all);
            }
        }
        return others;
    }

    /** The same job, which wishes no more than its limits allow. */
    public static JobSpec within(JobSpec spec) {
        var work = spec.work();
        var elastic = work.elastic();
        if (elastic == null) {
            return spec;
        }
        var role = work.role(elastic.role());
        int most = most(work, role);
        return most == role.replicas() ? spec : spec.with(work.sized(role.name(), most));
    }
}
