package dev.muster.schemas.contract;

/** The names of jobs' pods, by which pods of others that have copied the labels are told apart. */
public final class PodNames {
    private PodNames() {}

    /** The name of every pod that ever has this rank of a job. */
    public static String of(String job, String role, int index) {
        return job + "-" + role + "-" + index;
    }
}
