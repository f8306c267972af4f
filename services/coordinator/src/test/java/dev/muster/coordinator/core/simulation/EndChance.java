package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.AnotherWork;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Remains;
import dev.muster.coordinator.core.model.Row;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of which all, some or nothing is kept when they have ended, for a while, for ever or not at
 * all, and which protect their pods until then. That pools keep to it {@link EndPromises} say, here
 * as everywhere; here there is something to be kept.
 */
final class EndChance implements Piece {
    private final Random random;

    /** What has ended and is there. */
    private final Map<JobId, Job> ended = new TreeMap<>();

    /** What went at once, what went later, what runs on, and who is protected no more. */
    private final int[] weighed = new int[4];

    EndChance(long seed) {
        random = new Random(seed ^ 0xe4dL);
    }

    @Override
    public Event of(Event event) {
        return event instanceof Event.Submitted(var id, var spec, var request)
                ? new Event.Submitted(id, AnotherWork.of(spec, this::change), request)
                : event;
    }

    private void change(AnotherWork work) {
        work.cleanup = JobSpec.Cleanup.values()[random.nextInt(3)];
        work.ttl = ttl();
        work.keepsLeast = random.nextBoolean();
        work.success =
                random.nextBoolean()
                        ? work.success
                        : random.nextBoolean()
                                ? new JobSpec.Success.Any()
                                : new JobSpec.Success.OfRole(work.roles.getFirst().name());
    }

    private @Nullable Duration ttl() {
        return switch (random.nextInt(5)) {
            case 0 -> null;
            case 1 -> Duration.ZERO;
            case 2 -> Duration.ofHours(24);
            default -> Duration.ofMillis(1 + random.nextInt(40_000));
        };
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        var rows = play.rows(Row.Table.JOB);
        ended.values().removeIf(job -> !rows.containsKey(job.id().toString()) && hasGone(job));
        for (var row : rows.values()) {
            var job = (Job) row;
            if (job.state() instanceof JobState.Ended(_, var remains)) {
                ended.putIfAbsent(job.id(), job);
                boolean runsOn =
                        remains == Remains.KEPT
                                && job.spec().cleanup() == JobSpec.Cleanup.NONE
                                && play.ranks(job.id()).stream().anyMatch(r -> !r.sight().over());
                weighed[2] += runsOn ? 1 : 0;
            }
            boolean protectsFewer =
                    job.state().isUp()
                            && job.spec().work().keepsLeast()
                            && job.spec().work().elastic() == null
                            && job.spec().roles().stream()
                                    .anyMatch(role -> EndPromises.hasSucceeded(play, job, role));
            weighed[3] += protectsFewer ? 1 : 0;
        }
    }

    private boolean hasGone(Job job) {
        boolean wasKept =
                job.state() instanceof JobState.Ended(_, var remains) && remains == Remains.KEPT;
        weighed[wasKept ? 1 : 0]++;
        return true;
    }

    @Override
    public int weighed() {
        return IntStream.of(weighed).min().orElse(0);
    }
}
