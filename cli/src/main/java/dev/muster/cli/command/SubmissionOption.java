package dev.muster.cli.command;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.Context;
import dev.muster.cli.kafka.JobStatuses;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which submission of its job's name a command is about. */
final class SubmissionOption {
    @Option(
            names = "--uid",
            paramLabel = "UID",
            converter = UidText.class,
            description = "The submission of JOB (default: the newest of the name).")
    private @Nullable String uid;

    /**
     * The uid.
     *
     * @throws CommandFailedException when none is given and there is no such job
     */
    String of(Context at, String namespace, String job) {
        return uid == null ? JobStatuses.newest(at, namespace, job) : uid;
    }

    /** How the same command is given again: by then another submission may be the newest. */
    static String again(String uid) {
        return RequestOption.SAME + " --uid " + uid;
    }
}
