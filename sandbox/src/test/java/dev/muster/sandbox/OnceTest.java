package dev.muster.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.sandbox.process.PartFailedException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OnceTest {
    private final AtomicInteger starts = new AtomicInteger();

    @Test
    void secondUseStartsNothing() {
        var once = new Once<>(starts::incrementAndGet);
        assertThat(once.get()).isEqualTo(1);
        assertThat(once.get()).isEqualTo(1);
    }

    @Test
    void failureIsToldToEverybodyAndNotTriedAgain() {
        var once =
                new Once<Object>(() -> {
                    throw new PartFailedException("try " + starts.incrementAndGet());
                });
        assertThatThrownBy(once::get).isInstanceOf(PartFailedException.class).hasMessage("try 1");
        assertThatThrownBy(once::get).isInstanceOf(PartFailedException.class).hasMessage("try 1");
    }
}
