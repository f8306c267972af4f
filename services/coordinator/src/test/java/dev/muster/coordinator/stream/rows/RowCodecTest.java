package dev.muster.coordinator.stream.rows;

import static dev.muster.coordinator.stream.RandomValues.cases;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Budgets;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Clock;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Exclusions;
import dev.muster.coordinator.core.model.Failure;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Neighbours;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Settings;
import dev.muster.coordinator.core.model.Then;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.Waiting;
import dev.muster.coordinator.stream.RandomValues;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.smile.SmileMapper;

class RowCodecTest {
    private static final int SEEDS = 200;

    @ParameterizedTest
    @MethodSource
    void rowComesBackAsItWas(Class<? extends Row> type) {
        for (long seed = 0; seed < SEEDS; seed++) {
            var row = new RandomValues(seed).of(type);
            assertThat(throughBytes(row)).as("seed %d", seed).isEqualTo(row);
        }
    }

    static Stream<Class<?>> rowComesBackAsItWas() {
        return cases(Row.class);
    }

    @ParameterizedTest
    @MethodSource
    void eventThatWaitsComesBackAsItWas(Class<? extends Event> type) {
        for (long seed = 0; seed < SEEDS; seed++) {
            var row = new Waiting(seed, new RandomValues(seed).of(type));
            assertThat(throughBytes(row)).as("seed %d", seed).isEqualTo(row);
        }
    }

    static Stream<Class<?>> eventThatWaitsComesBackAsItWas() {
        return cases(Event.class);
    }

    @ParameterizedTest
    @MethodSource
    void effectsAreToldApartByTheirBytes(Class<? extends Effect> type) {
        for (long seed = 0; seed < SEEDS; seed++) {
            var effect = new RandomValues(seed).of(type);
            var same = new RandomValues(seed).of(type);
            var other = new RandomValues(seed + SEEDS).of(type);
            assertThat(EffectBytes.of(effect)).isEqualTo(EffectBytes.of(same));
            if (!effect.equals(other)) {
                assertThat(EffectBytes.of(effect)).isNotEqualTo(EffectBytes.of(other));
            }
        }
    }

    static Stream<Class<?>> effectsAreToldApartByTheirBytes() {
        return cases(Effect.class);
    }

    @Test
    void tablesComeInTheOrderOfTheirKeys() {
        var keys =
                Arrays.stream(Row.Table.values())
                        .map(table -> RowKeys.of(new Row.Key(table, "~")))
                        .toList();

        assertThat(keys).isSorted().doesNotHaveDuplicates();
        assertThat(keys.stream().map(RowKeys::table)).containsExactly(Row.Table.values());
    }

    @Test
    void everyTableHasRowsOfItsType() {
        assertThat(Arrays.stream(Row.Table.values()).map(RowCodec::type))
                .containsExactlyInAnyOrderElementsOf(
                        cases(Row.class)
                                .<Class<? extends Row>>map(t -> t.asSubclass(Row.class))
                                .toList());
    }

    /** What is stored under these names is read again by later versions: none may change. */
    @Test
    void casesKeepTheNamesUnderWhichTheyAreStored() {
        assertThat(names(Event.class))
                .containsExactlyInAnyOrder(
                        "Submitted",
                        "ChangeAsked",
                        "BulkAsked",
                        "NamespaceQuotaSeen",
                        "NamespaceQuotaGone",
                        "QueuePut",
                        "QueueChange",
                        "QueueDelete",
                        "PoolPut",
                        "PoolChange",
                        "NodeSeen",
                        "NodeReleased",
                        "OthersUse",
                        "PodSeen",
                        "PodGone",
                        "GroupSeen",
                        "RestartFailed",
                        "SnapshotBegin",
                        "SnapshotEnd",
                        "WatcherAlive",
                        "PlanApplied",
                        "PlanRefused",
                        "PlanHindered",
                        "Trained",
                        "CheckpointAnswered",
                        "Drained",
                        "PodManagerAlive",
                        "TimePassed",
                        "CoreVersion");
        assertThat(names(JobState.class))
                .containsExactlyInAnyOrder(
                        "Absent",
                        "Queued",
                        "Suspended",
                        "Starting",
                        "Running",
                        "Restarting",
                        "Lost",
                        "Saving",
                        "Stopping",
                        "Ended");
        assertThat(names(JobState.Gate.class))
                .containsExactlyInAnyOrder("Open", "Later", "Held", "Behind");
        assertThat(names(Change.class))
                .containsExactlyInAnyOrder(
                        "Cancel",
                        "Hold",
                        "Release",
                        "Prioritise",
                        "Move",
                        "Suspend",
                        "Resume",
                        "ForceDelete",
                        "Include",
                        "SetReplicas",
                        "ScaleOut",
                        "ScaleIn",
                        "Withdraw");
        assertThat(names(Then.class))
                .containsExactlyInAnyOrder(
                        "Finish", "Requeue", "Return", "Resume", "Move", "Suspend");
        assertThat(names(JobSpec.Success.class)).containsExactlyInAnyOrder("All", "Any", "OfRole");
        assertThat(names(FailurePolicy.Action.class))
                .containsExactlyInAnyOrder(
                        "RestartPod",
                        "RestartRole",
                        "RestartGang",
                        "RestartInPlace",
                        "ExcludeNode",
                        "GrowMemory",
                        "Fail",
                        "Ignore");
    }

    @Test
    void setIsWrittenInTheOrderOfItsElements() {
        var there = new Waiting(1, alive(3, 1, 2, 15, 7));
        var back = new Waiting(1, alive(7, 15, 2, 1, 3));

        assertThat(RowCodec.encode(there)).isEqualTo(RowCodec.encode(back));
    }

    @Test
    void unknownComponentIsPassedOverAndAbsentOneIsNothing() {
        var later =
                new SmileMapper()
                        .writeValueAsBytes(Map.of("now", new long[] {7, 5}, "moon", "full"));

        assertThat(RowCodec.decode(Row.Table.CLOCK, later))
                .isEqualTo(new Clock(Instant.ofEpochSecond(7, 5), 0, null));
    }

    @Test
    void whatCameLaterIsAbsentInOlderRowsAndSaysNothing() {
        for (long seed = 0; seed < SEEDS; seed++) {
            var job = new RandomValues(seed).of(Job.class);
            var read = (Job) RowCodec.decode(Row.Table.JOB, without(LATER, job));

            assertThat(read.id()).isEqualTo(job.id());
            assertThat(read.spec().work().failure()).isEqualTo(FailurePolicy.PLAIN);
            assertThat(read.spec().work().deadlines()).isEqualTo(JobSpec.Deadlines.NONE);
            assertThat(read.past().ran()).isZero();
            assertThat(read.past().scaling()).isNull();
            assertThat(read.past().checkpoint()).isNull();
            assertThat(read.past().back()).isNull();
            assertThat(read.spec().work().checkpoint()).isNull();
            assertThat(read.spec().work().elastic()).isNull();
            assertThat(read.past().budgets()).isEqualTo(Budgets.UNTOUCHED);
            assertThat(read.past().exclusions()).isEqualTo(Exclusions.NONE);
            assertThat(read.spec().place().neighbours()).isEqualTo(Neighbours.NONE);
            assertThat(read.spec().work().roles())
                    .allSatisfy(role -> {
                        assertThat(role.care()).isEqualTo(JobSpec.Care.PLAIN);
                        assertThat(role.pod().filter().avoided()).isEmpty();
                        assertThat(role.pod().apartFrom()).isEmpty();
                    });
        }
    }

    @Test
    void rankOfABuildThatKnewNoScalingIsAMember() {
        var rank = new RandomValues(7).of(Rank.class);
        var read = (Rank) RowCodec.decode(Row.Table.RANK, without(LATER, rank));
        assertThat(read.tenure()).isEqualTo(Rank.Tenure.MEMBER);
    }

    @Test
    void rankOfABuildThatDidNotSayWhichPodsAreSpotPodsDoesNotSayIt() {
        var rank = new RandomValues(7).of(Rank.class);
        var said = rank.with(rank.making().spot(true), rank.sight());
        assertThat(throughBytes(said)).isEqualTo(said);
        var read = (Rank) RowCodec.decode(Row.Table.RANK, without(Set.of("spot"), said));
        assertThat(read.making().spot()).isNull();
        assertThat(read.making().node()).isEqualTo(rank.making().node());
    }

    @Test
    void rankThatFailedInABuildThatDidNotSayWhenDidSoWhenItWasSeenLast() {
        var any = new RandomValues(7).of(Rank.class);
        var rank = any.with(any.sight().failed(5, false, Failure.lost(any.id()), null).at(9));
        assertThat(((Rank) throughBytes(rank)).sight().failedAt()).isEqualTo(5);
        var read = (Rank) RowCodec.decode(Row.Table.RANK, without(Set.of("failedAt"), rank));
        assertThat(read.sight().failedAt()).isEqualTo(9);
    }

    @Test
    void nodesAndSettingsOfABuildThatRememberedNoFailuresAreReadAsUsual() {
        var node = new RandomValues(7).of(Node.class);
        var read = (Node) RowCodec.decode(Row.Table.NODE, without(LATER, node));
        assertThat(read.trust()).isEqualTo(Node.Trust.TRUSTED);
        assertThat(read.name()).isEqualTo(node.name());
        var settings = new RandomValues(7).of(Settings.class);
        var spec =
                ((Settings) RowCodec.decode(Row.Table.SETTINGS, without(LATER, settings))).spec();
        assertThat(spec.nodeHealth()).isEqualTo(PoolSpec.NodeHealth.USUAL);
    }

    @Test
    void jobThatRanBeforeStagesHadTheirTimeIsReadAsOneWithoutStages() {
        var stages = new TreeSet<>(Set.of("worker"));
        var clock = new JobState.StageClock(stages, Instant.EPOCH, Duration.ZERO, null);
        var job = new RandomValues(1).of(Job.class);
        var older =
                without(
                        Set.of("takenBack", "arrived", "clock", "unbound"),
                        with(job, new JobState.Running(1, stages, clock, null)));

        assertThat(((Job) RowCodec.decode(Row.Table.JOB, older)).state())
                .isEqualTo(new JobState.Running(0, Collections.emptySortedSet(), null, null));
    }

    @ParameterizedTest
    @ValueSource(classes = {JobState.Restarting.class, JobState.Stopping.class})
    void jobThatWaitsForALostNodeGoesOnWhereItWas(Class<? extends JobState.Leaving> type) {
        var values = new RandomValues(3);
        var lost = new JobState.Lost(values.of(type), values.of(WaitReason.class));
        var job = with(values.of(Job.class), lost);
        assertThat(RowCodec.decode(Row.Table.JOB, RowCodec.encode(job))).isEqualTo(job);
    }

    @ParameterizedTest
    @ValueSource(classes = {JobState.Restarting.class, JobState.Stopping.class})
    void olderJobsWereNeverLost(Class<? extends JobState.Leaving> type) {
        var values = new RandomValues(3);
        var older = without(Set.of("wasLost"), with(values.of(Job.class), values.of(type).found()));
        var read = ((Job) RowCodec.decode(Row.Table.JOB, older)).state();
        assertThat(((JobState.Leaving) read).wasLost()).isFalse();
    }

    @ParameterizedTest
    @MethodSource
    void olderJobsForgotHowOftenTheyWereTakenBack(JobState.Leaving leaving) {
        var job = new RandomValues(3).of(Job.class);
        var older = without(Set.of("takenBack"), with(job, leaving));
        var read = ((Job) RowCodec.decode(Row.Table.JOB, older)).state();
        assertThat(leaving.takenBack()).isEqualTo(7);
        assertThat(((JobState.Leaving) read).takenBack()).isZero();
        assertThat(read.getClass()).isEqualTo(leaving.getClass());
    }

    static Stream<JobState.Leaving> olderJobsForgotHowOftenTheyWereTakenBack() {
        return Stream.of(
                new JobState.Restarting(7, Instant.EPOCH, "Error", ""),
                new JobState.Stopping(new Then.Return(7, ""), false),
                new JobState.Stopping(new Then.Resume(7), false),
                new JobState.Stopping(new Then.Move(7, ""), false),
                new JobState.Stopping(new Then.Suspend(7, "", true), false));
    }

    private static Job with(Job job, JobState state) {
        return new Job(
                job.id(),
                job.spec(),
                job.ticket(),
                state,
                job.fences(),
                job.times(),
                job.seq(),
                job.due(),
                job.answered(),
                job.past());
    }

    @Test
    void whatMayBeNullIsNullWhenItIsAbsent() {
        var job = new RandomValues(1).of(Job.class);
        var read = (Job) RowCodec.decode(Row.Table.JOB, without(Set.of("ttl"), job));

        assertThat(read.spec().work().ttl()).isNull();
    }

    private static final Set<String> LATER =
            Set.of(
                    "failure",
                    "checkpoint",
                    "deadlines",
                    "care",
                    "avoided",
                    "apartFrom",
                    "neighbours",
                    "budgets",
                    "exclusions",
                    "ran",
                    "elastic",
                    "scaling",
                    "tenure",
                    "trust",
                    "nodeHealth",
                    "former",
                    "back",
                    "backsOff");

    private static byte[] without(Set<String> components, Row row) {
        var mapper = new SmileMapper();
        var tree = mapper.readTree(RowCodec.PLAIN.writeValueAsBytes(row));
        components.forEach(name ->
                tree.findParents(name).forEach(parent -> ((ObjectNode) parent).remove(name)));
        return mapper.writeValueAsBytes(tree);
    }

    private static Event alive(Integer... partitions) {
        return new Event.PodManagerAlive("a", new LinkedHashSet<>(Set.of(partitions)));
    }

    private static Row throughBytes(Row row) {
        return RowCodec.decode(row.key().table(), RowCodec.encode(row));
    }

    private static Stream<String> names(Class<?> sealed) {
        return cases(sealed).map(Class::getSimpleName);
    }
}
