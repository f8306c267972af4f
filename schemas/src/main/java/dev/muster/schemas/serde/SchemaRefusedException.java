package dev.muster.schemas.serde;

import org.apache.kafka.common.errors.SerializationException;

/**
 * The registry will not have this schema under this subject: it breaks readers, is invalid, or was
 * never registered. Repeating cannot help.
 */
public final class SchemaRefusedException extends SerializationException {
    private static final long serialVersionUID = 1;

    public SchemaRefusedException(String message) {
        super(message);
    }
}
