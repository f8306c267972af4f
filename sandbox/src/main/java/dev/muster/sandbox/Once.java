package dev.muster.sandbox;

import dev.muster.sandbox.process.PartFailedException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A part that is started at its first use; a start that failed fails the same way for everybody.
 */
final class Once<T> {
    private final Supplier<T> start;
    private @Nullable T part;
    private @Nullable PartFailedException failure;

    Once(Supplier<T> start) {
        this.start = start;
    }

    synchronized T get() {
        if (failure != null) {
            throw new PartFailedException(String.valueOf(failure.getMessage()), failure);
        }
        if (part == null) {
            try {
                part = start.get();
            } catch (PartFailedException e) {
                failure = e;
                throw e;
            }
        }
        return part;
    }
}
