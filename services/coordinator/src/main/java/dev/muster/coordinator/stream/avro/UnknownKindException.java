package dev.muster.coordinator.stream.avro;

/**
 * The event is of a kind that a later version made. It must not be passed over: the pool stops
 * until that version reads it.
 */
public final class UnknownKindException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnknownKindException() {
        super("an event of a kind that this version does not know");
    }
}
