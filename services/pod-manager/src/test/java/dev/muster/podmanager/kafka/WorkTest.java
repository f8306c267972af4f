package dev.muster.podmanager.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.podmanager.core.Backoff;
import dev.muster.podmanager.core.JobName;
import dev.muster.podmanager.core.Plan.Keep;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WorkTest {
    private static final Duration SHORT = Duration.ofMillis(1);

    private final Work work = new Work(new Backoff(SHORT, SHORT), InstantSource.system());

    /** The one before has carried out the older ones, and nobody the newest. */
    @Test
    void ofWhatIsTakenOverTheNewestPlanIsFirst() throws Exception {
        var jobs = List.of(job(0), job(1), job(2));
        jobs.forEach(this::accept);
        var partitions = jobs.stream().map(Work::partitionOf).toList();
        work.open(partitions, new Work.Seeds(Map.of(), Set.of(), work.nextOrder()));

        var news = job(3);
        work.open(
                List.of(Work.partitionOf(news)),
                new Work.Seeds(Map.of(), Set.of(), work.nextOrder()));
        accept(news);
        assertThat(next()).isEqualTo(news);
        assertThat(next()).isEqualTo(jobs.get(2));
        assertThat(next()).isEqualTo(jobs.get(1));
        assertThat(next()).isEqualTo(jobs.get(0));
    }

    /** Each in a partition of its own. */
    private static JobName job(int number) {
        return new JobName("ml", "resnet-" + number);
    }

    private void accept(JobName job) {
        work.accept(Work.partitionOf(job), new PlanRecord.Known(Stopping.of(job, Keep.NONE)));
    }

    private JobName next() throws InterruptedException {
        return work.next().orElseThrow().job();
    }
}
