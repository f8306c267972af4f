package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.sandbox.service.ServiceProcess;
import dev.muster.sandbox.service.ServiceSpec;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Watchers that count other shards come and go for good while jobs of all namespaces start,
 * restart, are cancelled, are suspended and shrink.
 */
@Isolated
@Tag("crash")
@Tag("only-in-profile-crash")
class WatcherShardsIT {
    private static final Duration TAKEN_OVER = Duration.ofMinutes(1);

    /** These begin while the count grows, the others while it shrinks again. */
    private static final List<Situation> FIRST =
            List.of(Situation.STARTING, Situation.RESTARTING, Situation.SHRINKING);

    private static final List<Situation> ALL =
            List.of(
                    Situation.STARTING,
                    Situation.RESTARTING,
                    Situation.SHRINKING,
                    Situation.SUSPENDED,
                    Situation.CANCELLED);

    @Test
    void jobsNoticeNothingWhenTheShardsBecomeTwoAndOneAgain() throws Exception {
        var one = TheSystem.get().services().get("watcher").spec();
        try (var of0 = JobsInSituations.ofShard("shard-0", 0);
                var of1 = JobsInSituations.ofShard("shard-1", 1)) {
            var both = List.of(of0, of1);
            both.forEach(jobs -> ALL.forEach(s -> prepare(jobs, s)));
            both.forEach(jobs -> ALL.forEach(s -> awaitPrepared(jobs, s)));

            var second = start(one.named("watcher-2").with("watcher.shards", 2));
            var third = start(one.named("watcher-3").with("watcher.shards", 2));
            try {
                both.forEach(jobs -> FIRST.forEach(situation -> begin(jobs, situation)));
                TheSystem.kill("watcher");
                await().atMost(TAKEN_OVER).until(() -> areHeldBy(second, third));

                var holder = HeldShards.of(second).isEmpty() ? third : second;
                var other = holder == second ? third : second;
                TheSystem.signal(holder.process(), "STOP");
                await().atMost(TAKEN_OVER).until(() -> HeldShards.of(other).size() == 2);
                TheSystem.signal(holder.process(), "CONT");

                var first = start(one);
                both.forEach(jobs -> begin(jobs, Situation.SUSPENDED));
                second.kill();
                third.kill();
                both.forEach(jobs -> begin(jobs, Situation.CANCELLED));
                await().atMost(TAKEN_OVER).until(() -> HeldShards.of(first).size() == 1);
            } finally {
                second.kill();
                third.kill();
                var _ = start(one);
            }
            for (var jobs : both) {
                jobs.awaitEnds();
                assertThat(jobs.ends()).isEmpty();
                assertThat(jobs.broken()).isEmpty();
                jobs.awaitNothingLeft();
            }
        }
    }

    private static ServiceProcess start(ServiceSpec spec) {
        return ServiceProcess.start(TheSystem.get().sandbox().place(), spec);
    }

    private static void prepare(JobsInSituations jobs, Situation situation) {
        jobs.prepare(situation.word(), situation);
    }

    private static void awaitPrepared(JobsInSituations jobs, Situation situation) {
        jobs.awaitPrepared(situation.word());
    }

    private static void begin(JobsInSituations jobs, Situation situation) {
        jobs.begin(situation.word(), false);
    }

    /** Each of the two shards has a holder. */
    private static boolean areHeldBy(ServiceProcess one, ServiceProcess other) {
        return HeldShards.of(one).size() + HeldShards.of(other).size() == 2;
    }
}
