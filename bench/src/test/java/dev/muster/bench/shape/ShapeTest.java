package dev.muster.bench.shape;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.bench.shape.Shape.Arrival;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ShapeTest {
    private final Shape whole = Shape.kueues(100);

    @Test
    void wholeShapeIsKueues() {
        var arrivals = whole.arrivals();
        assertThat(whole.queues()).hasSize(30).doesNotHaveDuplicates();
        assertThat(arrivals).hasSize(15_000);
        assertThat(arrivals).extracting(Arrival::job).doesNotHaveDuplicates();
        assertThat(arrivals.getLast().after()).isEqualTo(Duration.ofMillis(49 * 1200));
    }

    @Test
    void byRunTimeAndQuotaAloneItFitsIn66Seconds() {
        assertThat(whole.cpuSeconds() / whole.cpus()).isEqualTo(66);
    }

    @Test
    void smallerShareKeepsThePace() {
        var share = Shape.kueues(10);
        assertThat(share.arrivals()).hasSize(1_500);
        assertThat(whole.arrivals()).containsAll(share.arrivals());
    }

    @Test
    void everyArrivalHasAText() {
        assertThat(whole.texts().keySet())
                .containsAll(whole.arrivals().stream().map(Arrival::kind).toList());
    }

    @Test
    void jobsNameTellsItsSize() {
        assertThat(whole.arrivals())
                .allSatisfy(job -> assertThat(Size.of(job.job())).isEqualTo(job.size()));
    }
}
