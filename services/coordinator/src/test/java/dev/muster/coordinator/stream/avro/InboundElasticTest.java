package dev.muster.coordinator.stream.avro;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.stream.InboxRecords;
import dev.muster.v1.Framework;
import dev.muster.v1.JobSubmitted;
import dev.muster.v1.ScaleKind;
import dev.muster.v1.ScaleSpec;
import dev.muster.v1.ScalingPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranges, and commands of scale, as they come in. */
class InboundElasticTest {
    @ParameterizedTest
    @CsvSource({
        "NONE, 4, 4",
        "NONE, 1, 2",
        "NONE, 9, 8",
        "METRICS, 4, 4",
        "METRICS, 9, 8",
        "CAPACITY, 4, 8",
        "CAPACITY, 2, 8"
    })
    void sizeThatIsWishedAtFirstIsByThePolicy(ScalingPolicy policy, int said, int wished) {
        assertThat(worker(elastic(policy, said)).replicas()).isEqualTo(wished);
    }

    @Test
    void whatUsesIdleRoomStartsWithItsMinimum() {
        var submitted = elastic(ScalingPolicy.CAPACITY, 4);
        assertThat(worker(submitted).min()).isEqualTo(2);
        assertThat(InboundJobs.spec(submitted).work().elastic())
                .isEqualTo(new JobSpec.Elastic("worker", 2, 8, null));
    }

    @ParameterizedTest
    @CsvSource({"-1,", "0, 0", "30000, 30000"})
    void drainThatIsNotSaidIsNotNone(long said, Long millis) {
        var spec = ScaleSpec.newBuilder().setKind(ScaleKind.IN).setRole("worker").setCount(1);
        assertThat(terms(spec.setDrainMillis(said).build()).drain())
                .isEqualTo(millis == null ? null : Duration.ofMillis(millis));
    }

    @Test
    void recordThatDoesNotNameItsDrainSaysNone() {
        var spec = ScaleSpec.newBuilder().setKind(ScaleKind.IN).setRole("worker").build();
        assertThat(terms(spec).drain()).isNull();
    }

    @Test
    void graceOfATemplateMattersWhereThereIsAHostList() {
        var submitted = elastic(ScalingPolicy.NONE, 4);
        submitted.getNeeds().getFirst().setGraceMillis(90_000L);
        assertThat(worker(submitted).pod().grace()).isNull();
        submitted.getSpec().setFramework(Framework.HOROVOD);
        assertThat(worker(submitted).pod().grace()).isEqualTo(Duration.ofSeconds(90));
    }

    @Test
    void commandThatIsUnderWayIsTakenBack() {
        var spec = ScaleSpec.newBuilder().setKind(ScaleKind.CANCEL).setRole("");
        assertThat(InboundJobs.scale(spec.build())).isEqualTo(new Change.Withdraw(null));
        spec.setCommand("r1");
        assertThat(InboundJobs.scale(spec.build())).isEqualTo(new Change.Withdraw("r1"));
    }

    private static Change.Terms terms(ScaleSpec spec) {
        return ((Change.Scale) InboundJobs.scale(spec)).terms();
    }

    private static JobSpec.Role worker(JobSubmitted submitted) {
        return InboundJobs.spec(submitted).roles().getFirst();
    }

    private static JobSubmitted elastic(ScalingPolicy policy, int replicas) {
        var submitted = InboxRecords.elastic(replicas, 2, 8);
        submitted.getSpec().getElastic().setScaling(policy);
        return submitted;
    }
}
