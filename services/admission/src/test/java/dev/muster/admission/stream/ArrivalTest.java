package dev.muster.admission.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArrivalTest {
    @Test
    void whatWaitsComesBackWhole() {
        assertComesBack(
                new Arrival(
                        "t",
                        3,
                        4711,
                        99,
                        Requests.NOON,
                        new byte[] {1, 2},
                        new byte[] {3},
                        List.of(
                                new Arrival.Header("a", new byte[] {4}),
                                new Arrival.Header("ü", null))));
    }

    @Test
    void whatIsNotThereComesBackAsNotThere() {
        assertComesBack(new Arrival("t", 0, 0, -1, Requests.NOON, null, null, List.of()));
    }

    @Test
    void whatCameByAClockThatWasAheadHasWaitedLongEnough() {
        var arrival = new Arrival("t", 0, 0, -1, Requests.NOON, null, null, List.of());
        assertThat(arrival.asOf(Requests.NOON.minusSeconds(60))).isSameAs(arrival);
        assertThat(arrival.asOf(Requests.NOON.minusSeconds(61)).received())
                .isEqualTo(Instant.EPOCH);
    }

    private static void assertComesBack(Arrival arrival) {
        assertThat(Arrival.ofRow(arrival.toRow())).usingRecursiveComparison().isEqualTo(arrival);
    }
}
