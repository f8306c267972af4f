package dev.muster.coordinator.core;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Throughput;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a job stands at one moment of its pool, and why. Found out when asked, never stored.
 *
 * @param place in its queue; null: it does not wait
 * @param reasons all that is in its way now, the widest first: its queue, itself, its quota, room
 * @param ahead the first of those that wait and come before it in its queue; of a started job: that
 *     it passed
 * @param rivals the heads of other queues, those whose turn the pool's policy has come first
 * @param autoscaling what is made of how fast it trains; null: nothing
 */
public record Standing(
        Job job,
        @Nullable Place place,
        List<WaitReason> reasons,
        Outlook outlook,
        List<Rival> ahead,
        List<Rival> rivals,
        Throughput.@Nullable Verdict autoscaling) {
    /** Of a job whose size follows commands alone. */
    public Standing(
            Job job,
            @Nullable Place place,
            List<WaitReason> reasons,
            Outlook outlook,
            List<Rival> ahead,
            List<Rival> rivals) {
        this(job, place, reasons, outlook, ahead, rivals, null);
    }

    /**
     * @param position 1 is next
     * @param of how many of the queue take part in turns, itself among them
     */
    public record Place(int position, int of) {}

    /**
     * @param fits its gang fits into what is free and what its queue may use, now
     * @param everFits it would fit if none of our jobs ran
     * @param nextTry when it takes part again; null: it does now, or nobody knows when
     * @param mayHoldFrom when it will have waited long enough to keep room; null: it may not as
     *     things are, or is not the first of its queue
     * @param holder for whom the pool keeps room; null: nobody
     */
    public record Outlook(
            boolean fits,
            boolean everFits,
            @Nullable Instant nextTry,
            @Nullable Instant mayHoldFrom,
            @Nullable JobId holder) {}

    /**
     * Another job that waits.
     *
     * @param priority with what waiting has added where that counts
     * @param weight of its queue
     * @param credit of its queue
     * @param reason why it could not start now; null: it could
     */
    public record Rival(
            JobId job,
            String queue,
            long priority,
            int weight,
            long credit,
            @Nullable WaitReason reason) {}

    /** While one of these holds it does not start, whoever ends and however long it waits. */
    private static final Set<Code> SHUT =
            EnumSet.of(
                    Code.QUEUE_PAUSED,
                    Code.POOL_UNAVAILABLE,
                    Code.EXCEEDS_MAX_QUOTA,
                    Code.NO_MATCHING_NODE);

    public Standing {
        reasons = List.copyOf(reasons);
        ahead = List.copyOf(ahead);
        rivals = List.copyOf(rivals);
    }

    /** It waits for others to end, or for its turn; else something has to be changed before. */
    public boolean isOnItsWay() {
        return outlook.everFits()
                && reasons.stream().map(WaitReason::code).noneMatch(SHUT::contains);
    }
}
