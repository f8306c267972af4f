package dev.muster.coordinator.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeldTest {
    private final Stage stage = new Stage();
    private int ranges;
    private int read;
    private final KeyValueStore<String, byte[]> store = counting(stage.specs);

    @AfterEach
    void close() {
        stage.close();
    }

    /** Of as many as come, no more than a hundred are in memory. */
    @Test
    void manyThatAreHeldAreLookedForByTheHundred() {
        var held = new Held(store, stage.rows);
        for (long offset = 0; offset < 1000; offset++) {
            held.add(record(offset));
        }

        assertThat(drained(held)).isEqualTo(LongStream.range(0, 1000).boxed().toList());
        assertThat(ranges).isEqualTo(11);
        assertThat(read).isEqualTo(1000);
        assertThat(stage.specs.approximateNumEntries()).isZero();
    }

    @Test
    void rowsHoldNone() {
        var held = new Held(store, stage.rows);
        for (long offset = 0; offset < 1000; offset++) {
            held.add(record(offset));
        }

        assertThat(stage.rows.approximateNumEntries()).isZero();
        assertThat(stage.specs.approximateNumEntries()).isEqualTo(1000);
    }

    @Test
    void thoseThatAnOlderVersionHeldAmongTheRowsComeFirst() {
        heldAmongTheRows(250);

        var held = new Held(store, stage.rows);

        assertThat(drained(held)).isEqualTo(LongStream.range(0, 250).boxed().toList());
        assertThat(stage.rows.approximateNumEntries()).isZero();
    }

    @Test
    void thoseThatAnOlderVersionHeldAmongTheRowsAreTakenUpWithEachThatComes() {
        heldAmongTheRows(250);

        var held = new Held(store, stage.rows);
        held.add(record(250));
        assertThat(stage.rows.approximateNumEntries()).isEqualTo(150);
        assertThat(held.first().orElseThrow().offset()).isZero();
        held.remove(held.first().orElseThrow());
        held.add(record(251));
        assertThat(held.first().orElseThrow().offset()).isEqualTo(1);

        var next = new Held(store, stage.rows);
        assertThat(drained(next)).isEqualTo(LongStream.rangeClosed(1, 251).boxed().toList());
        assertThat(stage.rows.approximateNumEntries()).isZero();
        assertThat(stage.specs.approximateNumEntries()).isZero();
    }

    @Test
    void whatComesWhileTheHeldAreTakenInComesLast() {
        var held = new Held(store, stage.rows);
        held.add(record(1));
        held.add(record(2));
        held.remove(held.first().orElseThrow());
        held.add(record(3));

        assertThat(drained(held)).containsExactly(2L, 3L);
        held.add(record(4));
        assertThat(drained(held)).containsExactly(4L);
    }

    /** As the version before had it. */
    private void heldAmongTheRows(int count) {
        var before = new Held(stage.rows, stage.specs);
        for (long offset = 0; offset < count; offset++) {
            before.add(record(offset));
        }
    }

    @Test
    void whoTakesOverFindsThemInTheirOrder() {
        var before = new Held(store, stage.rows);
        for (var offset : List.of(9L, 10L, 100L)) {
            before.add(record(offset));
        }
        before.remove(before.first().orElseThrow());

        var held = new Held(store, stage.rows);
        held.add(record(101));

        assertThat(held.first().orElseThrow().record().value()).isEqualTo("10".getBytes(UTF_8));
        assertThat(held.first().orElseThrow().record().timestamp()).isEqualTo(70);
        assertThat(drained(held)).containsExactly(10L, 100L, 101L);
    }

    private static List<Long> drained(Held held) {
        var offsets = new ArrayList<Long>();
        for (var first = held.first(); first.isPresent(); first = held.first()) {
            offsets.add(first.get().offset());
            held.remove(first.get());
        }
        return offsets;
    }

    private static Received record(long offset) {
        var value = Long.toString(offset).getBytes(UTF_8);
        return new Received(offset, new Record<>(null, value, 7 * offset));
    }

    @SuppressWarnings("unchecked") // The same interface as of the store behind it.
    private KeyValueStore<String, byte[]> counting(KeyValueStore<String, byte[]> store) {
        return (KeyValueStore<String, byte[]>)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {KeyValueStore.class},
                        (_, method, arguments) -> {
                            var result = method.invoke(store, arguments);
                            if (!method.getName().equals("range")) {
                                return result;
                            }
                            ranges++;
                            return countingReads((KeyValueIterator<String, byte[]>) result);
                        });
    }

    private KeyValueIterator<String, byte[]> countingReads(KeyValueIterator<String, byte[]> of) {
        return new KeyValueIterator<>() {
            @Override
            public boolean hasNext() {
                return of.hasNext();
            }

            @Override
            public KeyValue<String, byte[]> next() {
                read++;
                return of.next();
            }

            @Override
            public String peekNextKey() {
                return of.peekNextKey();
            }

            @Override
            public void close() {
                of.close();
            }
        };
    }
}
