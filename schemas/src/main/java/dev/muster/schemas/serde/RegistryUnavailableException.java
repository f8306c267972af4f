package dev.muster.schemas.serde;

import org.apache.kafka.common.errors.RetriableException;

/**
 * The registry does not answer, or does not answer us. That says nothing of the record: wait and
 * try it again, never park it.
 */
public final class RegistryUnavailableException extends RetriableException {
    private static final long serialVersionUID = 1;

    public RegistryUnavailableException(String message) {
        super(message);
    }

    public RegistryUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
