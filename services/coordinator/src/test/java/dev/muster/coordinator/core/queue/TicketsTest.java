package dev.muster.coordinator.core.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.JobId;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TicketsTest {
    private final Tickets tickets = new Tickets();

    @Test
    void nothingIsThereAtFirst() {
        assertThat(tickets.isEmpty()).isTrue();
        assertThat(tickets.size()).isZero();
        assertThat(tickets.after(0)).isNull();
        assertThat(tickets.before(7)).isZero();
        assertThat(tickets.remove(7)).isFalse();
    }

    @Test
    void jobsStandInTheOrderOfTheirTickets() {
        tickets.put(5, job(5));
        tickets.put(3, job(3));
        tickets.put(9, job(9));
        assertThat(tickets.first()).isEqualTo(3);
        assertThat(tickets.firstJob()).isEqualTo(job(3));
        assertThat(tickets.after(3)).isEqualTo(job(5));
        assertThat(tickets.after(4)).isEqualTo(job(5));
        assertThat(tickets.after(9)).isNull();
        assertThat(tickets.before(9)).isEqualTo(2);
        assertThat(tickets.before(10)).isEqualTo(3);
        assertThat(tickets.all()).containsExactly(job(3), job(5), job(9));
    }

    @Test
    void ticketIsOfOneJobAtATime() {
        tickets.put(5, job(5));
        tickets.put(5, job(5));
        assertThat(tickets.size()).isEqualTo(1);
        assertThatThrownBy(() -> tickets.put(5, job(6)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("ticket 5 is that of ml/j@0-5, not of ml/j@0-6");
        assertThat(tickets.firstJob()).isEqualTo(job(5));
        assertThat(tickets.get(5)).isEqualTo(job(5));
        assertThat(tickets.get(4)).isNull();
        assertThat(tickets.get(6)).isNull();
        assertThat(tickets.remove(5)).isTrue();
        assertThat(tickets.remove(5)).isFalse();
        assertThat(tickets.isEmpty()).isTrue();
    }

    /** As a map that is kept in order; numbers that are close meet, and runs are split. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void ticketsAreWhatASortedMapIs(long seed) {
        var random = new Random(seed);
        var map = new TreeMap<Long, JobId>();
        boolean grows = seed % 2 == 0;
        for (int i = 0; i < 6000; i++) {
            long ticket = grows && i < 3000 ? i : random.nextInt(3000);
            if (i < 4000 ? random.nextInt(4) > 0 : random.nextInt(4) == 0) {
                tickets.put(ticket, job(ticket));
                map.put(ticket, job(ticket));
            } else {
                assertThat(tickets.remove(ticket)).isEqualTo(map.remove(ticket) != null);
            }
            assertThat(tickets.size()).isEqualTo(map.size());
            assertThat(tickets.isEmpty()).isEqualTo(map.isEmpty());
            if (!map.isEmpty()) {
                assertThat(tickets.first()).isEqualTo(map.firstKey());
                assertThat(tickets.firstJob()).isEqualTo(map.firstEntry().getValue());
            }
            long asked = random.nextInt(3100) - 50;
            var later = map.higherEntry(asked);
            assertThat(tickets.after(asked)).isEqualTo(later == null ? null : later.getValue());
            if (i % 50 == 0) {
                assertThat(tickets.before(asked)).isEqualTo(map.headMap(asked).size());
                assertThat(tickets.countFirst(job -> job.uid().offset() < asked))
                        .isEqualTo(map.headMap(asked).size());
                assertThat(tickets.all()).containsExactlyElementsOf(map.values());
            }
        }
    }

    /** As a map that is kept in order of both. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void whereTheyHaveTimesThoseComeFirst(long seed) {
        var random = new Random(seed);
        var timed = Tickets.byTime();
        var map =
                new TreeMap<List<Long>, JobId>(
                        Comparator.comparing((List<Long> key) -> key.get(0))
                                .thenComparing(key -> key.get(1)));
        for (int i = 0; i < 4000; i++) {
            long ticket = random.nextInt(2000);
            var time = Fixtures.NOON.plusSeconds(ticket * 7919 % 50);
            var key = List.of(time.getEpochSecond(), ticket);
            if (random.nextInt(4) > 0) {
                timed.put(time, ticket, job(ticket));
                map.put(key, job(ticket));
            } else {
                assertThat(timed.remove(time, ticket)).isEqualTo(map.remove(key) != null);
            }
            assertThat(timed.size()).isEqualTo(map.size());
            if (!map.isEmpty()) {
                assertThat(timed.firstJob()).isEqualTo(map.firstEntry().getValue());
                assertThat(timed.firstTime().getEpochSecond()).isEqualTo(map.firstKey().getFirst());
            }
            if (i % 50 == 0) {
                assertThat(timed.all()).containsExactlyElementsOf(map.values());
                var head = map.headMap(key);
                assertThat(timed.countFirst(head::containsValue)).isEqualTo(head.size());
            }
        }
    }

    private static JobId job(long ticket) {
        return Fixtures.job("j", ticket);
    }
}
