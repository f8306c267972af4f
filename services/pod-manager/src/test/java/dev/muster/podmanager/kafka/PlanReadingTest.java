package dev.muster.podmanager.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.podmanager.core.Forced;
import dev.muster.podmanager.core.JobName;
import dev.muster.podmanager.core.Plan;
import dev.muster.podmanager.core.Rank;
import dev.muster.podmanager.core.Submission;
import dev.muster.podmanager.kafka.PlanRecord.Known;
import dev.muster.podmanager.kafka.PlanRecord.Removed;
import dev.muster.podmanager.kafka.PlanRecord.Unreadable;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topics;
import dev.muster.schemas.contract.CheckpointId;
import dev.muster.schemas.serde.RegistryUnavailableException;
import dev.muster.schemas.serde.UnreadableRecordException;
import dev.muster.v1.ForcedRank;
import dev.muster.v1.JobPlan;
import dev.muster.v1.KeepPods;
import dev.muster.v1.PlanKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class PlanReadingTest {
    private static final Orders ORDERS = new Orders("ml", "resnet", "3-10");
    private static final Submission JOB = new Submission(new JobName("ml", "resnet"), "3-10");
    private static final String KEY = "ml/resnet@3-10";

    @Test
    void aStoppingPlanIsRead() {
        assertThat(read(ORDERS.stop(7, KeepPods.FINISHED, true)))
                .isEqualTo(
                        new Known(
                                new Plan(
                                        JOB,
                                        "default",
                                        "team-a",
                                        1,
                                        7,
                                        true,
                                        "3-7/1",
                                        new Plan.Stop(
                                                Duration.ofSeconds(20),
                                                Plan.Keep.FINISHED,
                                                new Forced(Map.of()),
                                                Plan.Backend.NONE,
                                                false,
                                                null))));
    }

    @Test
    void forcedRanksOfAStoppingPlanAreRead() {
        var plan = ORDERS.stop(7, KeepPods.NONE, true);
        plan.getStop().setForced(List.of(new ForcedRank("worker", 1, null)));
        assertThat(((Known) read(plan)).plan().wanted())
                .isEqualTo(
                        new Plan.Stop(
                                Duration.ofSeconds(20),
                                Plan.Keep.NONE,
                                new Forced(Map.of(new Rank("worker", 1), Forced.ALL)),
                                Plan.Backend.NONE,
                                false,
                                null));
    }

    @Test
    void whatAStoppingPlanKeepsIsRead() {
        var plan = ORDERS.stop(7, KeepPods.ALL, true);
        assertThat(stop(plan).kept()).isNull();
        plan.getStop().setKept(List.of("u-1"));
        assertThat(stop(plan).kept()).containsExactly("u-1");
    }

    private static Plan.Stop stop(JobPlan plan) {
        return (Plan.Stop) ((Known) read(plan)).plan().wanted();
    }

    @Test
    void forcedRanksOfARunningPlanAreRead() {
        var plan = ORDERS.run(1, 1, 2);
        plan.getRun()
                .setForced(
                        List.of(new ForcedRank("worker", 5, null), new ForcedRank("worker", 6, 9)));
        assertThat(run(plan).forced().before())
                .isEqualTo(Map.of(new Rank("worker", 5), Forced.ALL, new Rank("worker", 6), 9));
    }

    @Test
    void howLongPodsMayTakeToEndIsReadOfARunningPlan() {
        var plan = ORDERS.run(1, 1, 2);
        assertThat(run(plan).grace()).isNull();
        assertThat(run(plan).repeats()).isFalse();
        plan.getRun().setGracePeriodMillis(90_000L);
        plan.getRun().setRepeats(true);
        assertThat(run(plan).grace()).isEqualTo(Duration.ofSeconds(90));
        assertThat(run(plan).repeats()).isTrue();
    }

    @Test
    void whatAJobIsAskedIsOfItsSubmission() {
        var plan = ORDERS.run(1, 1, 2);
        assertThat(run(plan).checkpoint().asked()).isNull();
        plan.getRun().setCheckpoint("17");
        assertThat(run(plan).checkpoint().asked()).isEqualTo(new CheckpointId("3-10", 17));
    }

    private static Plan.Run run(JobPlan plan) {
        return (Plan.Run) ((Known) read(plan)).plan().wanted();
    }

    @Test
    void aRunningPlanIsRead() {
        var plan = ((Known) read(ORDERS.run(1, 1, 2))).plan();
        var run = (Plan.Run) plan.wanted();
        assertThat(run.framework()).isEqualTo(Plan.Framework.PYTORCH);
        assertThat(run.pods())
                .containsExactly(
                        new Plan.PlannedPod(new Rank("worker", 0), 1, "node-a", null),
                        new Plan.PlannedPod(new Rank("worker", 1), 2, "node-a", null));
        assertThat(
                        run.roles()
                                .getFirst()
                                .template()
                                .getSpec()
                                .getContainers()
                                .getFirst()
                                .getImage())
                .isEqualTo("none");
    }

    @Test
    void aTemplateThatIsNoneMakesThePlanImpossibleNotTheRecord() {
        var plan = ((Known) read(ORDERS.run(1, 1, 1, "{"))).plan();
        assertThat(plan.wanted()).isInstanceOf(Plan.Impossible.class);
        assertThat(((Plan.Impossible) plan.wanted()).message()).startsWith("role worker: ");
    }

    @Test
    void aTemplateWithoutTheMainContainerMakesThePlanImpossible() {
        var plan = ((Known) read(ORDERS.run(1, 1, 1, "{}"))).plan();
        assertThat(plan.wanted())
                .isEqualTo(
                        new Plan.Impossible(
                                "InvalidPlan",
                                "the template of role worker has no container main"));
    }

    @Test
    void aNullForgets() {
        assertThat(reading(_ -> ORDERS.gone(1)).read(record(KEY, null)))
                .isEqualTo(new Removed(JOB));
    }

    @Test
    void whatIsNoRecordIsUnreadable() {
        var reading =
                reading(_ -> {
                    throw new UnreadableRecordException("no Avro");
                });
        assertThat(reading.read(record(KEY, new byte[1])))
                .isEqualTo(new Unreadable(JOB, "no Avro"));
    }

    @Test
    void anUnreachableRegistryIsNoFaultOfTheRecord() {
        var reading =
                reading(_ -> {
                    throw new RegistryUnavailableException("down");
                });
        assertThatThrownBy(() -> reading.read(record(KEY, new byte[1])))
                .isInstanceOf(RegistryUnavailableException.class);
    }

    @Test
    void aPlanOfAKindThatIsNotKnownYetIsUnreadable() {
        var plan = ORDERS.gone(1);
        plan.setKind(PlanKind.UNKNOWN);
        assertThat(read(plan))
                .isEqualTo(
                        new Unreadable(
                                JOB, "says something that is not known here: a kind of plan"));
    }

    @Test
    void aPlanWithoutItsContentIsUnreadable() {
        var plan = ORDERS.stop(1, KeepPods.NONE, false);
        plan.setStop(null);
        assertThat(read(plan)).isInstanceOf(Unreadable.class);
    }

    @Test
    void aKeyThatNamesAnotherJobIsUnreadable() {
        assertThat(reading(_ -> ORDERS.newer("3-11").gone(1)).read(record(KEY, new byte[1])))
                .isEqualTo(new Unreadable(JOB, "its key does not name its job, ml/resnet@3-11"));
    }

    @Test
    void aKeyThatNamesNoSubmissionIsUnreadable() {
        assertThat(reading(_ -> ORDERS.gone(1)).read(record("ml/resnet", new byte[1])))
                .isEqualTo(new Unreadable(null, "the key is not namespace/name@uid: ml/resnet"));
    }

    @Test
    void aRecordInAForeignPartitionIsUnreadable() {
        int foreign = (Partitions.ofKey(Topics.JOB_PLANS, KEY) + 1) % 16;
        var record =
                new ConsumerRecord<byte[], byte[]>(
                        Topics.JOB_PLANS.name(), foreign, 0, KEY.getBytes(UTF_8), new byte[1]);
        assertThat(reading(_ -> ORDERS.gone(1)).read(record)).isInstanceOf(Unreadable.class);
    }

    private static PlanRecord read(JobPlan plan) {
        return reading(_ -> plan).read(record(KEY, new byte[1]));
    }

    private static PlanReading reading(Function<byte[], JobPlan> decode) {
        return new PlanReading(decode);
    }

    private static ConsumerRecord<byte[], byte[]> record(String key, byte[] value) {
        int partition = Partitions.ofKey(Topics.JOB_PLANS, key);
        return new ConsumerRecord<>(
                Topics.JOB_PLANS.name(), partition, 0, key.getBytes(UTF_8), value);
    }
}
