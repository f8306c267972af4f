package dev.muster.admission.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On a store of the disk, which topics share. */
class DeferredArrivalsTest {
    private final Desk desk = new Desk();

    @AfterEach
    void close() {
        desk.close();
    }

    @Test
    void eachTopicFindsItsOwnAgainInOrder() {
        var jobs = new DeferredArrivals(desk.waiting(), "jobs");
        var others = new DeferredArrivals(desk.waiting(), "jobs2");
        for (long offset : new long[] {100, 9, 10}) {
            jobs.add("a", arrival(offset));
            others.add("a", arrival(offset + 1));
        }
        jobs.add("a:b", arrival(11));
        jobs.add("", arrival(12));

        var found = new DeferredArrivals(desk.waiting(), "jobs");
        assertThat(found.lines()).containsExactly("", "a", "a:b");
        assertThat(released(found, "a", 10)).containsExactly(9L, 10L);
        assertThat(found.holds("a")).isTrue();
        assertThat(released(found, "a", 1_000)).containsExactly(100L);
        assertThat(found.lines()).containsExactly("", "a:b");
        assertThat(new DeferredArrivals(desk.waiting(), "jobs").lines()).containsExactly("", "a:b");
        assertThat(released(new DeferredArrivals(desk.waiting(), "jobs2"), "a", 1_000))
                .containsExactly(10L, 11L, 101L);
    }

    private static List<Long> released(DeferredArrivals from, String line, long last) {
        var released = new ArrayList<Long>();
        from.release(
                line,
                arrival -> {
                    boolean isDone = arrival.offset() <= last;
                    if (isDone) {
                        released.add(arrival.offset());
                    }
                    return isDone;
                });
        return released;
    }

    private static Arrival arrival(long offset) {
        return new Arrival("t", 0, offset, -1, Requests.NOON, null, null, List.of());
    }
}
