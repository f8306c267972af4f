package dev.muster.cli.text;

import dev.muster.coordinator.core.Standing;
import dev.muster.coordinator.core.Standing.Outlook;
import dev.muster.coordinator.core.Standing.Place;
import dev.muster.coordinator.core.Standing.Rival;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Past;
import dev.muster.coordinator.core.model.Uid;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.model.WaitReason.Shortage;
import dev.muster.coordinator.history.explain.Explanation;
import dev.muster.coordinator.history.explain.Explanation.Basis;
import dev.muster.coordinator.history.explain.Explanation.Estimate;
import dev.muster.coordinator.history.explain.Explanation.Start;
import dev.muster.coordinator.history.replay.Finding;
import dev.muster.coordinator.history.replay.RuleVersions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A job of which it is told how it stands, and the lines that tell it. */
final class Explained {
    static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final Moments MOMENTS = new Moments(NOON, ZoneOffset.UTC);
    static final Instant SINCE = NOON.minusSeconds(240);
    static final JobId RING = id("ring");
    static final WaitReason ROOM =
            new WaitReason(
                    Code.INSUFFICIENT_CAPACITY,
                    "cpu",
                    new Shortage(4000, 1000),
                    SINCE,
                    "3 more of cpu free",
                    "needs 4 of cpu, 1 are free",
                    List.of(new WaitReason.Lack("n1", "lacks 1 of cpu")));
    static final Rival OTHER = new Rival(id("other"), "research", 0, 1, 0, ROOM);

    private Explained() {}

    private static JobId id(String name) {
        return new JobId("ml", name, new Uid(0, 1));
    }

    /** What the rules need of a job's work is not needed to speak of it. */
    static Job job(JobState state, @Nullable Instant admitted) {
        return job(state, admitted, Past.of(SINCE));
    }

    static Job job(JobState state, @Nullable Instant admitted, Past past) {
        var place = new JobSpec.Place("research", 0, null, false, List.of(), new TreeMap<>());
        return new Job(
                RING,
                new JobSpec(place, null),
                1,
                state,
                new Job.Fences(admitted == null ? 0 : 1, 0, 0, 0),
                new Job.Times(SINCE, admitted, null, null, null, Duration.ZERO),
                1,
                new Job.Due(false, false),
                List.of(),
                past);
    }

    static Explanation told(Standing standing, Start start, Estimate estimate) {
        return told(standing, start, estimate, new RuleVersions(List.of("1"), "1"));
    }

    static Explanation told(Standing standing, Start start, Estimate estimate, RuleVersions rules) {
        return told(standing, start, estimate, rules, null);
    }

    static Explanation told(
            Standing standing,
            Start start,
            Estimate estimate,
            RuleVersions rules,
            Finding.NotTaken stop) {
        return new Explanation(
                RING,
                "default",
                NOON,
                start == null ? null : start.decision(),
                null,
                standing,
                start,
                estimate,
                new Basis(NOON.minusSeconds(600), 1234, Duration.ofMillis(1500), rules, stop));
    }

    static Standing waits(List<WaitReason> reasons, List<Rival> ahead) {
        return new Standing(
                job(new JobState.Queued(0, new JobState.Gate.Open(), null), null),
                new Place(ahead.size() + 1, 5),
                reasons,
                new Outlook(reasons.isEmpty(), true, null, null, null),
                ahead,
                List.of());
    }

    static List<String> lines(Explanation told) {
        return ExplanationText.of(told, MOMENTS);
    }

    static List<String> lines(Standing standing, Start start, Estimate estimate) {
        return ExplanationText.of(told(standing, start, estimate), MOMENTS);
    }
}
