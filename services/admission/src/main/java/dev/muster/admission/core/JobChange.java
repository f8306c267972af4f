package dev.muster.admission.core;

import dev.muster.schemas.contract.Limits;
import dev.muster.schemas.contract.Paths;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done to a job, or to many.
 *
 * @param priority with {@code SET_PRIORITY}
 * @param queue with {@code MOVE}
 * @param gracePeriod with {@code CANCEL} and {@code SUSPEND}; null: the job's own
 * @param message with {@code CANCEL}, {@code HOLD} and {@code SUSPEND}, whose status shows it
 * @param node with {@code INCLUDE_NODE}; null: all that it avoids
 * @param scale with {@code SCALE}
 */
public record JobChange(
        Kind kind,
        @Nullable Integer priority,
        @Nullable String queue,
        @Nullable Duration gracePeriod,
        String message,
        @Nullable String node,
        @Nullable Scale scale) {

    private static final int MOST_PODS = 10_000;

    /** {@code UNKNOWN}: one that only a later release knows. */
    public enum Kind {
        UNKNOWN,
        CANCEL,
        HOLD,
        RELEASE,
        SET_PRIORITY,
        MOVE,
        SUSPEND,
        RESUME,
        FORCE_DELETE,
        INCLUDE_NODE,
        SCALE
    }

    /**
     * Another size for a role, or the end of the command that is under way.
     *
     * @param names with {@code IN}, instead of {@code count}
     * @param timeout zero: it has all the time
     * @param drain how long leaving processes have to end by themselves; null: as is usual
     * @param hook null: none
     * @param command with {@code CANCEL}: requestId of the one that is meant; null: whichever is
     *     under way
     */
    public record Scale(
            To to,
            String role,
            int count,
            List<String> names,
            Duration timeout,
            @Nullable Duration drain,
            boolean atomic,
            boolean dryRun,
            @Nullable Hook hook,
            @Nullable String command) {
        /** {@code UNKNOWN}: one that only a later release knows. */
        public enum To {
            UNKNOWN,
            SET,
            OUT,
            IN,
            /** Takes back the command that is under way, or the one that is named, if it is. */
            CANCEL
        }

        public Scale {
            names = List.copyOf(names);
        }

        /** Beside which command is meant. */
        private boolean saysNothing() {
            return role.isEmpty()
                    && count == 0
                    && names.isEmpty()
                    && timeout.isZero()
                    && drain == null
                    && atomic
                    && !dryRun
                    && hook == null;
        }
    }

    /**
     * What is run once the change is made.
     *
     * @param command the program and its arguments
     * @param timeout of one try
     */
    public record Hook(
            List<String> command, Map<String, String> env, Duration timeout, int retries) {
        public Hook {
            command = List.copyOf(command);
            env = Collections.unmodifiableSortedMap(new TreeMap<>(env));
        }
    }

    /**
     * Everything that is wrong with it, as far as it alone can tell.
     *
     * @param path where it stands in the request; empty: it is the request
     */
    public List<Problem> problems(String path) {
        var problems = new Problems();
        problems.unless(
                kind != Kind.UNKNOWN,
                Paths.field(path, "kind"),
                "",
                "must be Cancel, Hold, Release, SetPriority, Move, Suspend, Resume, ForceDelete,"
                        + " IncludeNode or Scale");
        checkPriority(Paths.field(path, "priority"), problems);
        checkQueue(Paths.field(path, "queue"), problems);
        checkGracePeriod(Paths.field(path, "gracePeriod"), problems);
        problems.unless(
                node == null || kind == Kind.INCLUDE_NODE,
                Paths.field(path, "node"),
                String.valueOf(node),
                "must be left out unless a node is to be included");
        checkScale(Paths.field(path, "scale"), problems);
        checkMessage(Paths.field(path, "message"), problems);
        return problems.all();
    }

    /**
     * Jobs do not move from pool to pool: what is wrong if this would, else null.
     *
     * @param pool where the job is
     * @param destination the pool of the queue that it is to move to; null: not known
     */
    @Nullable Problem leaves(String pool, @Nullable String destination, String path) {
        return queue == null || destination == null || destination.equals(pool)
                ? null
                : new Problem(
                        Paths.field(path, "queue"),
                        queue,
                        "must be a queue of pool %s; this one is of pool %s"
                                .formatted(pool, destination));
    }

    private void checkPriority(String path, Problems problems) {
        if (kind != Kind.SET_PRIORITY) {
            problems.unless(
                    priority == null,
                    path,
                    String.valueOf(priority),
                    "must be left out unless the priority is to be set");
        } else if (priority == null) {
            problems.add(path, "", "must be set");
        } else {
            new Numbers(problems).priority(path, priority);
        }
    }

    private void checkQueue(String path, Problems problems) {
        var given = queue == null ? "" : queue;
        if (kind == Kind.MOVE) {
            problems.unless(Names.isDnsLabel(given), path, given, Names.DNS_LABEL);
        } else {
            problems.unless(
                    queue == null, path, given, "must be left out unless the job is to move");
        }
    }

    private void checkScale(String path, Problems problems) {
        if (kind != Kind.SCALE) {
            problems.unless(
                    scale == null, path, "", "must be left out unless the job is to be scaled");
            return;
        }
        if (scale == null) {
            problems.add(path, "", "must be set");
            return;
        }
        if (scale.to() == Scale.To.CANCEL) {
            problems.unless(
                    scale.saysNothing(),
                    path,
                    "",
                    "must have nothing but its kind and command where a command is taken back");
            problems.unless(
                    scale.command() == null
                            || !scale.command().isEmpty()
                                    && scale.command().length() <= Limits.ID_CHARACTERS,
                    Paths.field(path, "command"),
                    String.valueOf(scale.command()),
                    "must be the requestId of a command, at most %,d characters"
                            .formatted(Limits.ID_CHARACTERS));
            return;
        }
        problems.unless(
                scale.command() == null,
                Paths.field(path, "command"),
                String.valueOf(scale.command()),
                "must be left out unless a command is taken back");
        var numbers = new Numbers(problems);
        problems.unless(
                Names.isRole(scale.role()),
                Paths.field(path, "role"),
                scale.role(),
                "must be 1 to 63 of a-z and 0-9");
        problems.unless(
                scale.to() != Scale.To.UNKNOWN,
                Paths.field(path, "kind"),
                "",
                "must be Set, Out, In or Cancel");
        if (scale.names().isEmpty()) {
            numbers.within(Paths.field(path, "count"), scale.count(), 1, MOST_PODS);
        } else {
            problems.unless(
                    scale.to() == Scale.To.IN && scale.count() == 0,
                    Paths.field(path, "names"),
                    scale.names().getFirst(),
                    "must be left out unless these are to leave, and then without a count");
        }
        numbers.notNegative(Paths.field(path, "timeout"), scale.timeout());
        if (scale.drain() != null) {
            numbers.notNegative(Paths.field(path, "drain"), scale.drain());
        }
        if (scale.hook() != null) {
            new HookChecks(scale.hook(), Paths.field(path, "hook"), problems).check();
        }
    }

    private void checkMessage(String path, Problems problems) {
        boolean isShown = kind == Kind.CANCEL || kind == Kind.HOLD || kind == Kind.SUSPEND;
        problems.unless(
                message.isEmpty() || isShown,
                path,
                message,
                "must be left out unless the job is to be cancelled, held or suspended");
        problems.unless(
                message.length() <= Limits.MESSAGE_CHARACTERS,
                path,
                message,
                "must have at most %,d characters".formatted(Limits.MESSAGE_CHARACTERS));
    }

    private void checkGracePeriod(String path, Problems problems) {
        if (gracePeriod == null) {
            return;
        }
        problems.unless(
                kind == Kind.CANCEL || kind == Kind.SUSPEND,
                path,
                Numbers.asWritten(gracePeriod),
                "must be left out unless pods are to go");
        new Numbers(problems).notNegative(path, gracePeriod);
    }
}
