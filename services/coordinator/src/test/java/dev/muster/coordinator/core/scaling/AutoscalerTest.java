package dev.muster.coordinator.core.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Throughput;
import dev.muster.coordinator.core.model.Throughput.Code;
import dev.muster.coordinator.core.model.Throughput.Point;
import dev.muster.coordinator.core.scaling.Autoscaler.Choice;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which size is chosen by how fast a job trains. */
class AutoscalerTest {
    private static final JobSpec.Elastic RANGE = new JobSpec.Elastic("worker", 2, 16, null);
    private static final JobId JOB = Fixtures.job("a", 1);

    @ParameterizedTest
    @MethodSource
    void sizesFollowTheCurve(IntToLongFunction speed, List<Integer> sizes, Code end) {
        var taken = new ArrayList<Integer>();
        var known = Throughput.unknown(JOB, Fixtures.NOON).at(1, 2, Fixtures.NOON);
        Choice choice;
        do {
            taken.add(known.size());
            known = measured(known, speed.applyAsLong(known.size()));
            choice = choose(known);
            if (choice instanceof Choice.Resize(var to, _)) {
                known = known.at(1, to, Fixtures.NOON);
            }
        } while (choice instanceof Choice.Resize && taken.size() < 20);
        assertThat(taken).isEqualTo(sizes);
        assertThat(choice)
                .isInstanceOfSatisfying(
                        Choice.Stay.class, stay -> assertThat(stay.code()).isEqualTo(end));
    }

    static Stream<Arguments> sizesFollowTheCurve() {
        return Stream.of(
                argumentSet(
                        "linear: up to the most",
                        speed(n -> n * 100L),
                        List.of(2, 3, 4, 6, 9, 13, 16),
                        Code.AT_MAXIMUM),
                argumentSet(
                        "saturating at once at 6: a poor step is taken back, and one between tried",
                        speed(n -> Math.min(n, 6) * 100L),
                        List.of(2, 3, 4, 6, 9, 6, 7, 6),
                        Code.BEST_SIZE),
                argumentSet(
                        "slowly saturating: it stays where the last step was neither good nor poor",
                        speed(n -> n * 1000L / (n + 6)),
                        List.of(2, 3, 4, 6, 9),
                        Code.BEST_SIZE),
                argumentSet(
                        "falling beyond 4",
                        speed(n -> n <= 4 ? n * 100L : 400 - 20L * (n - 4)),
                        List.of(2, 3, 4, 6, 4, 5, 4),
                        Code.BEST_SIZE),
                argumentSet(
                        "falling at once", speed(n -> 500L - n), List.of(2, 3, 2), Code.BEST_SIZE),
                argumentSet("one speed", speed(_ -> 100L), List.of(2, 3, 2), Code.BEST_SIZE),
                argumentSet("no speed", speed(_ -> 0), List.of(2, 3, 2), Code.BEST_SIZE));
    }

    /** Where nothing but its range bounds it. */
    private static Choice choose(Throughput known) {
        return Autoscaler.choose(known, RANGE, RANGE.max());
    }

    @Test
    void sizeGoesNoFurtherThanToTheMostThatIsAllowed() {
        var four = measured(Throughput.unknown(JOB, Fixtures.NOON).at(1, 4, Fixtures.NOON), 400);
        assertThat(Autoscaler.choose(four, RANGE, 5))
                .isInstanceOfSatisfying(
                        Choice.Resize.class, to -> assertThat(to.to()).isEqualTo(5));
        var five = measured(four.at(1, 5, Fixtures.NOON), 500);
        assertThat(Autoscaler.choose(five, RANGE, 5))
                .isEqualTo(
                        new Choice.Stay(
                                Code.AT_MAXIMUM, "5 is the most that resourceLimits allow"));
        assertThat(Autoscaler.choose(five, new JobSpec.Elastic("worker", 2, 5, null), 5))
                .isEqualTo(new Choice.Stay(Code.AT_MAXIMUM, "5 is the most it may have"));
    }

    /** In whole samples a second. */
    private static IntToLongFunction speed(IntToLongFunction samples) {
        return size -> samples.applyAsLong(size) * 1_000_000;
    }

    private static Throughput measured(Throughput known, long speed) {
        var now = known;
        for (int i = 0; i < Throughput.LEAST_DIGESTS; i++) {
            now = now.measured(speed);
        }
        return now;
    }

    @Test
    void fewMeasurementsDecideNothing() {
        var known = Throughput.unknown(JOB, Fixtures.NOON).at(1, 4, Fixtures.NOON);
        assertThat(choose(known))
                .isEqualTo(new Choice.Stay(Code.MEASURING, "0 of 3 measurements with 4"));
        assertThat(choose(known.measured(5).measured(5)))
                .isEqualTo(new Choice.Stay(Code.MEASURING, "2 of 3 measurements with 4"));
    }

    @Test
    void choiceSaysItsNumbers() {
        var two =
                measured(
                        Throughput.unknown(JOB, Fixtures.NOON).at(1, 2, Fixtures.NOON),
                        200_000_000);
        assertThat(choose(two))
                .isEqualTo(new Choice.Resize(3, "2 do 200.00/s, and more were not tried"));
        var three = measured(two.at(1, 3, Fixtures.NOON), 215_500_000);
        assertThat(choose(three))
                .isEqualTo(
                        new Choice.Resize(
                                2,
                                "2 do 200.00/s, 3 do 215.50/s, so that each of the 1 more brought"
                                        + " 15% of what each did before"));
    }

    @Test
    void oneWildMeasurementChangesNothing() {
        var two = measured(Throughput.unknown(JOB, Fixtures.NOON).at(1, 2, Fixtures.NOON), 200);
        var three =
                two.at(1, 3, Fixtures.NOON).measured(300).measured(1).measured(300).measured(300);
        assertThat(three.point(3).orElseThrow().median()).isEqualTo(300);
        assertThat(choose(three))
                .isInstanceOfSatisfying(
                        Choice.Resize.class, to -> assertThat(to.to()).isEqualTo(4));
    }

    @Test
    void sizeThatWasLeftForBeingPoorIsMeasuredAnewWhenItIsGivenAgain() {
        var two = measured(Throughput.unknown(JOB, Fixtures.NOON).at(1, 2, Fixtures.NOON), 200);
        var three = measured(two.at(1, 3, Fixtures.NOON), 201).at(1, 2, Fixtures.NOON);
        var again = measured(measured(three, 200).at(1, 3, Fixtures.NOON), 300);
        assertThat(choose(again))
                .isInstanceOfSatisfying(
                        Choice.Resize.class, to -> assertThat(to.to()).isEqualTo(4));
    }

    /** Slower nodes: it is as fast with six now as it was with four before. */
    @Test
    void sizeThatAnEarlierAttemptMeasuredIsMeasuredAnewBeforeItIsKept() {
        var four = measured(Throughput.unknown(JOB, Fixtures.NOON).at(1, 4, Fixtures.NOON), 400);
        var six = measured(four.at(2, 6, Fixtures.NOON), 380);
        assertThat(size(choose(six))).isEqualTo(4);
        var fourAgain = six.at(2, 4, Fixtures.NOON);
        assertThat(choose(fourAgain))
                .isEqualTo(new Choice.Stay(Code.MEASURING, "0 of 3 measurements with 4"));
        var slower = measured(fourAgain, 250);
        assertThat(size(choose(slower))).isEqualTo(6);
        assertThat(size(choose(measured(slower.at(2, 6, Fixtures.NOON), 380)))).isEqualTo(9);
    }

    private static int size(Choice choice) {
        return choice instanceof Choice.Resize(var to, _) ? to : 0;
    }

    @Test
    void worthIsTheShareOfWhatEachDidBefore() {
        assertThat(Autoscaler.worth(point(4, 400), point(8, 800))).isEqualTo(1000);
        assertThat(Autoscaler.worth(point(4, 400), point(8, 600))).isEqualTo(500);
        assertThat(Autoscaler.worth(point(4, 400), point(8, 300))).isEqualTo(-250);
        assertThat(Autoscaler.worth(point(4, 0), point(8, 0))).isZero();
        assertThat(
                        Autoscaler.worth(
                                point(5000, Long.MAX_VALUE / 4), point(10_000, Long.MAX_VALUE / 2)))
                .isBetween(999L, 1001L);
    }

    private static Point point(int size, long speed) {
        return new Point(size, List.of(speed, speed, speed));
    }

    @Test
    void onlySizesNextToItsOwnAreRemembered() {
        var known = Throughput.unknown(JOB, Fixtures.NOON);
        for (int size = 1; size <= 40; size++) {
            known = known.at(1, size, Fixtures.NOON).measured(size);
        }
        assertThat(known.points()).hasSize(Throughput.MOST_SIZES);
        assertThat(known.points().getFirst().size()).isEqualTo(25);
        for (int i = 0; i < 40; i++) {
            known = known.measured(i);
        }
        assertThat(known.point(40).orElseThrow().speeds()).containsExactly(35L, 36L, 37L, 38L, 39L);
    }
}
