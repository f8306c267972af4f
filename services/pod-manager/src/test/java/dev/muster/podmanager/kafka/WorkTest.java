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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WorkTest {
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final int HERE = Work.partitionOf(new JobName("ml", "resnet-0"));
    private static final int THERE = (HERE + 1) % 64;

    private final Work work = new Work(new Backoff(SHORT, SHORT), InstantSource.system());

    /** Whoever had them before has carried out the older ones, and nobody the newest. */
    @Test
    void ofWhatIsTakenOverTheNewestPlansOfEachPartitionAreFirstAndNewsBefore() throws Exception {
        var here = jobs(HERE, 4);
        var there = jobs(THERE, 1);
        here.subList(0, 3).forEach(this::accept);
        there.forEach(this::accept);
        open(List.of(HERE, THERE));

        accept(here.get(3));
        assertThat(next()).isEqualTo(here.get(3));
        assertThat(next()).isEqualTo(here.get(2));
        assertThat(next()).isEqualTo(there.get(0));
        assertThat(next()).isEqualTo(here.get(1));
        assertThat(next()).isEqualTo(here.get(0));
    }

    /** The pass of the time before knows nothing of it. */
    @Test
    void whatCameWhileItsPartitionWasAwayIsDoneAfterAPassThatWasNotOver() throws Exception {
        var job = jobs(HERE, 1).getFirst();
        accept(job);
        open(List.of(HERE));
        assertThat(next()).isEqualTo(job);
        work.close(List.of(HERE));
        accept(job);
        open(List.of(HERE));
        work.done(job);
        assertThat(next()).isEqualTo(job);
    }

    private static List<JobName> jobs(int partition, int count) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> new JobName("ml", "resnet-" + i))
                .filter(job -> Work.partitionOf(job) == partition)
                .limit(count)
                .toList();
    }

    private void open(List<Integer> partitions) {
        work.open(partitions, new Work.Seeds(Map.of(), Set.of(), work.nextOrder()));
    }

    private void accept(JobName job) {
        work.accept(Work.partitionOf(job), new PlanRecord.Known(Stopping.of(job, Keep.NONE)));
    }

    private JobName next() throws InterruptedException {
        return work.next().orElseThrow().job();
    }
}
