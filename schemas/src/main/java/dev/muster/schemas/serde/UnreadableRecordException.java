package dev.muster.schemas.serde;

import org.apache.kafka.common.errors.SerializationException;

/** These bytes will never be a record of the expected kind: park them and go on. */
public final class UnreadableRecordException extends SerializationException {
    private static final long serialVersionUID = 1;

    public UnreadableRecordException(String message) {
        super(message);
    }

    public UnreadableRecordException(String message, Throwable cause) {
        super(message, cause);
    }
}
