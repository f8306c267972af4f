package dev.muster.coordinator.core.model;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One deadline: what is to be looked at when the pool's time has come to {@code at}.
 *
 * @param subject the text of what it is about, by which rows and the order of alarms know it
 */
public record Alarm(Kind kind, String subject, Instant at) implements Row {
    /**
     * After so long what is in a pod's way is looked at once more: one that is pinned to its node
     * may be unschedulable for a moment, while the scheduler's cache catches up.
     */
    public static final Duration RETRY_INTERVAL = Duration.ofSeconds(5);

    /** What cannot be judged or done now is tried again after so long. */
    public static final Duration SOON = Duration.ofSeconds(1);

    /** Then, and not at once. */
    public static Instant again(Instant at, Instant now) {
        var soon = now.plus(SOON);
        return at.isAfter(soon) ? at : soon;
    }

    public enum Kind {
        /** A job must have answered what it was asked: before anything else happens then. */
        CHECKPOINT,
        /** A job's gang must run; the subject is the job. */
        GANG_TIMEOUT,
        /** A job's back-off is over. */
        BACKOFF,
        /** What has gathered of a job is published. */
        GATHER,
        /** What is kept of an ended job is deleted. */
        TTL,
        /** How a job ended of which nothing else is left is not known any more. */
        ENDED,
        /** Nothing is remembered of an ended job. */
        FORGET,
        /** The first failures of a job have settled. */
        SETTLE,
        /** The same where a node of its gang was not heard of. */
        NODE_SETTLE,
        /** What the kubelet restarted of a job has settled. */
        RESTARTS,
        /** The next delay of ranks of a job that failed is over: they are made again. */
        REMAKE,
        /** Ranks of a job that failed find no room; they are also tried whenever some is free. */
        ROOM,
        /** Containers of a job that were asked for in their pods must have started again. */
        IN_PLACE,
        /** A container of a pod does not start; the subject is the rank. */
        HINDERED,
        /** Evidence of a job against a node has faded. */
        EXCLUSION,
        /** A job has waited for so long as it may. */
        QUEUE_DEADLINE,
        /** A job's gang must run. */
        START_DEADLINE,
        /** A job has run for so long as it may. */
        RUN_DEADLINE,
        /** A node has been silent for too long for a role; the subject is job, node and role. */
        NODE_LOST,
        /** A command that changes a job's size must have come to its end. */
        SCALE_DEADLINE,
        /** Ranks that leave have had their time to end by themselves. */
        DRAIN,
        /** Nodes of a job are about to go, and it may have somewhere else to be. */
        GOING,
        /** A try of a job's hook must have come to its end, or the next one is due. */
        HOOK,
        /** A pinned pod stays unschedulable; the subject is the rank. */
        PLACE_AGAIN,
        /** A job's plan is published again. */
        REPAIR,
        /** Failures of a node are forgotten so far that it is relied on more; the subject is it. */
        NODE_HEALTH,
        /** What is published of the pool has gathered; no subject. */
        POOL,
        /** A queue's counts have gathered; the subject is the queue. */
        QUEUE,
        /**
         * A head has waited long enough to hold capacity; no subject. Or what its queue lacks of
         * its own quotas is looked for again; the subject is the queue.
         */
        RESERVE,
        /** Pods of a job that were told to go have had the time for that, and more. */
        STUCK,
        /** The same of pods of ranks that left a job which goes on. */
        LEFT;

        /**
         * What an alarm of this kind is about.
         *
         * @throws IllegalArgumentException when the text is not that of such a subject
         */
        public Subject subject(String text) {
            return switch (this) {
                case HINDERED, PLACE_AGAIN -> Subject.OfRank.parse(text);
                case NODE_LOST -> Subject.OnNode.parse(text);
                case NODE_HEALTH, POOL, QUEUE, RESERVE -> new Subject.Named(text);
                case CHECKPOINT, GANG_TIMEOUT, BACKOFF, GATHER, TTL, ENDED, FORGET, SETTLE ->
                        new Subject.OfJob(JobId.parse(text));
                case NODE_SETTLE, RESTARTS, REMAKE, ROOM, IN_PLACE, EXCLUSION, QUEUE_DEADLINE ->
                        new Subject.OfJob(JobId.parse(text));
                case START_DEADLINE, RUN_DEADLINE, SCALE_DEADLINE, DRAIN, GOING, HOOK, REPAIR ->
                        new Subject.OfJob(JobId.parse(text));
                case STUCK, LEFT -> new Subject.OfJob(JobId.parse(text));
            };
        }
    }

    /** What an alarm is about: of one kind there is one of each. */
    public sealed interface Subject {
        /** As rows name it. */
        String text();

        /** A job, or something of it. */
        sealed interface Owned extends Subject {
            JobId job();
        }

        record OfJob(JobId job) implements Owned {
            @Override
            public String text() {
                return job.toString();
            }
        }

        record OfRank(JobId job, RankId rank) implements Owned {
            public static OfRank of(Rank rank) {
                return new OfRank(rank.job(), rank.id());
            }

            public static OfRank parse(String text) {
                int slash = text.lastIndexOf('/');
                var job = JobId.parse(text.substring(0, Math.max(slash, 0)));
                return new OfRank(job, RankId.parse(text.substring(slash + 1)));
            }

            @Override
            public String text() {
                return Rank.id(job, rank);
            }
        }

        /**
         * What a job has on a node.
         *
         * @param role whose ranks there are meant; null: those of all, as somebody's word means
         *     them
         */
        record OnNode(JobId job, String node, @Nullable String role) implements Owned {
            /** Those of its role, where it is. */
            public static OnNode of(Rank rank) {
                return new OnNode(rank.job(), rank.whereabouts(), rank.id().role());
            }

            public static OnNode parse(String text) {
                var parts = text.split(" ");
                if (parts.length < 2) {
                    throw new IllegalArgumentException("not a job and a node: " + text);
                }
                var role = parts.length == 2 ? null : parts[2];
                return new OnNode(JobId.parse(parts[0]), parts[1], role);
            }

            public boolean has(Rank rank) {
                return rank.whereabouts().equals(node)
                        && (role == null || rank.id().role().equals(role));
            }

            @Override
            public String text() {
                return job + " " + node + (role == null ? "" : " " + role);
            }
        }

        /** A node, a queue, or the pool. */
        record Named(String text) implements Subject {
            public static final Named POOL = new Named("");
        }
    }

    public Alarm(Kind kind, Subject subject, Instant at) {
        this(kind, subject.text(), at);
    }

    /**
     * @throws IllegalArgumentException when the row's text is not that of what its kind is about
     */
    public Subject about() {
        return kind.subject(subject);
    }

    /**
     * Whose it is.
     *
     * @throws IllegalArgumentException when it is no job's, or cannot be read
     */
    public JobId job() {
        return switch (about()) {
            case Subject.Owned owned -> owned.job();
            case Subject.Named _ ->
                    throw new IllegalArgumentException("no job's alarm: " + key().id());
        };
    }

    @Override
    public Key key() {
        return key(kind, subject);
    }

    public static Key key(Kind kind, String subject) {
        return new Key(Table.ALARM, kind + " " + subject);
    }
}
