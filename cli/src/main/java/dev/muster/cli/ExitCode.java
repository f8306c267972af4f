package dev.muster.cli;

/** What the command's exit codes mean; scripts rely on them. */
public final class ExitCode {
    /** Done. */
    public static final int OK = 0;

    /** Something outside is missing, unreachable or broken. */
    public static final int FAILED = 1;

    /** The command line itself is wrong. */
    public static final int USAGE = 2;

    /** The request was understood and refused. */
    public static final int REFUSED = 3;

    /** There is no such job, queue or pool. */
    public static final int NOT_FOUND = 4;

    /** The job that was waited for did not succeed. */
    public static final int JOB_FAILED = 5;

    /** What was only looked at would change. */
    public static final int DIFFERS = 6;

    private ExitCode() {}
}
