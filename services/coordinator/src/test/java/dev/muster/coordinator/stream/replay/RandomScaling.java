package dev.muster.coordinator.stream.replay;

import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Digest;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.RankId;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Jobs that change their size, what they say of themselves, and nodes that are about to go. */
final class RandomScaling {
    private static final String WORKER = "worker";

    private final Random random;

    RandomScaling(Random random) {
        this.random = random;
    }

    /** Of half the jobs that have workers, the range of their sizes; null: they are fixed. */
    JobSpec.@Nullable Elastic elastic(List<JobSpec.Role> roles) {
        var workers = roles.getLast();
        if (!workers.name().equals(WORKER) || random.nextBoolean()) {
            return null;
        }
        int max = workers.replicas() + random.nextInt(4);
        return random.nextBoolean()
                ? new JobSpec.Elastic(WORKER, workers.min(), max, null)
                : new JobSpec.Elastic(WORKER, workers.min(), max, Duration.ofSeconds(20));
    }

    Change change() {
        var terms =
                new Terms(
                        Duration.ofSeconds(random.nextInt(2) * 60L),
                        random.nextBoolean(),
                        random.nextInt(4) == 0 ? null : Duration.ofSeconds(random.nextInt(20)),
                        random.nextInt(8) == 0);
        return switch (random.nextInt(5)) {
            case 0 -> new Change.SetReplicas(WORKER, 1 + random.nextInt(8), terms);
            case 1 -> new Change.ScaleOut(WORKER, 1 + random.nextInt(3), terms);
            case 2 -> new Change.ScaleIn(WORKER, 1 + random.nextInt(2), new TreeSet<>(), terms);
            case 3 -> new Change.Withdraw(null);
            default ->
                    new Change.ScaleIn(
                            WORKER,
                            0,
                            new TreeSet<>(Set.of(WORKER + "-" + random.nextInt(6))),
                            terms);
        };
    }

    /** Mostly of a job that is there, and now and then true. */
    Event said(JobId job) {
        return switch (random.nextInt(3)) {
            case 0 ->
                    new Event.Drained(
                            job,
                            random.nextBoolean() ? null : 1,
                            random.nextBoolean() ? null : random.nextInt(9),
                            new RankId(WORKER, random.nextInt(6)));
            case 1 -> new Event.CheckpointAnswered(job, null, random.nextInt(20), true, "");
            default ->
                    new Event.Trained(
                            job,
                            new Digest(
                                    null,
                                    null,
                                    random.nextBoolean() ? null : 1 + random.nextInt(6),
                                    4,
                                    Duration.ofSeconds(1),
                                    random.nextInt(1000),
                                    1_000_000L * (1 + random.nextInt(50))));
        };
    }

    /** Now and then it is cordoned, or has a notice of its end. */
    Node mayGo(Node node) {
        int fate = random.nextInt(12);
        var notice =
                new Node.Taint(
                        "aws-node-termination-handler/spot-itn", "", Node.Effect.NO_SCHEDULE);
        return new Node(
                node.name(),
                node.resourceVersion(),
                node.labels(),
                fate == 0 ? List.of(notice) : List.of(),
                fate == 1,
                node.ready(),
                node.allocatable(),
                node.seenAt());
    }
}
