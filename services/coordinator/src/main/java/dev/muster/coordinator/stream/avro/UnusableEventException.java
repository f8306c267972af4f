package dev.muster.coordinator.stream.avro;

/** The event lacks what its kind asks for, or says what cannot be: it is parked. */
public final class UnusableEventException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnusableEventException(String message) {
        super(message);
    }

    UnusableEventException(String message, Throwable cause) {
        super(message, cause);
    }
}
