package dev.muster.coordinator.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeldTest {
    private final Stage stage = new Stage();
    private int ranges;
    private final KeyValueStore<String, byte[]> store = counting(stage.rows);

    @AfterEach
    void close() {
        stage.close();
    }

    /** Each look at a range copies all keys in it. */
    @Test
    void manyThatAreHeldAreLookedForOnce() {
        var held = new Held(store);
        for (long offset = 0; offset < 1000; offset++) {
            held.add(record(offset));
        }

        assertThat(drained(held)).isEqualTo(LongStream.range(0, 1000).boxed().toList());
        assertThat(ranges).isEqualTo(1);
        assertThat(stage.rows.approximateNumEntries()).isZero();
    }

    @Test
    void whoTakesOverFindsThemInTheirOrder() {
        var before = new Held(store);
        for (var offset : List.of(9L, 10L, 100L)) {
            before.add(record(offset));
        }
        before.remove(before.first().orElseThrow());

        var held = new Held(store);
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
                            ranges += method.getName().equals("range") ? 1 : 0;
                            return method.invoke(store, arguments);
                        });
    }
}
