package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.pod;
import static dev.muster.coordinator.stream.InboxRecords.podSeen;
import static dev.muster.coordinator.stream.InboxRecords.seen;

import dev.muster.coordinator.history.log.PretendedTopics;
import dev.muster.coordinator.history.replay.PoolCopy;
import dev.muster.coordinator.history.replay.Published;
import dev.muster.coordinator.history.replay.Replay;
import dev.muster.coordinator.history.replay.Stretch;
import dev.muster.coordinator.history.whatif.Alteration;
import dev.muster.coordinator.history.whatif.WhatIf;
import dev.muster.schemas.Topic;
import dev.muster.schemas.Topics;
import dev.muster.v1.JobRef;
import dev.muster.v1.PodPhase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A pool of which all that was sent to it is played again, as it was or otherwise. */
final class PlayedAgain implements AutoCloseable {
    final Stage stage = new Stage();

    /** Its only pod runs for so long, and then succeeds. */
    void run(JobRef job, Duration time) {
        runs(job);
        stage.pass(time);
        ends(job);
    }

    /** Its only pod runs. */
    void runs(JobRef job) {
        stage.send(InboxRecords.aliveWatcher());
        stage.send(podSeen(job, seen(pod(job, 0), PodPhase.RUNNING).build()));
    }

    /** Its only pod succeeds. */
    void ends(JobRef job) {
        stage.send(InboxRecords.aliveWatcher());
        var ended =
                seen(pod(job, 0), PodPhase.SUCCEEDED)
                        .setContainers(List.of(InboxRecords.ended("main", 0)));
        stage.send(podSeen(job, ended.build()));
    }

    /** What becomes of all that was sent, with something altered from the beginning. */
    WhatIf.Result tried(Alteration alteration) {
        return tried(null, alteration);
    }

    /** The same, with what is altered so from a time on. */
    WhatIf.Result tried(@Nullable Instant from, Alteration alteration) {
        var stretch =
                new Stretch(
                        "default",
                        () -> new PoolCopy(Stage.POOL, null, stage.wire::event, new TreeSet<>()),
                        _ -> stage.records().iterator(),
                        from);
        return WhatIf.run(stretch, alteration, "").orElseThrow();
    }

    /**
     * What comes of comparing what was published with what follows from all that was sent.
     *
     * @param from when that begins
     * @param coreVersion of the rules that compare
     */
    Replay.Result replayed(Instant from, List<Stage.Published> published, String coreVersion) {
        var topics = new PretendedTopics();
        for (var one : published) {
            var record = one.record();
            topics.add(
                    topic(one.topic()),
                    new String(record.key(), StandardCharsets.UTF_8),
                    record.timestamp(),
                    record.value());
        }
        var copy = new PoolCopy(Stage.POOL, null, stage.wire::event, new TreeSet<>());
        try (var there = new Published(topics, stage.registryConfig(), Stage.POOL, from)) {
            return new Replay(copy, there, coreVersion)
                    .run(stage.records().iterator(), from, (_, _) -> {});
        }
    }

    private static Topic<?> topic(String name) {
        return Topics.all().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        stage.close();
    }
}
