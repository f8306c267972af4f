package dev.muster.sandbox.process;

/** A part cannot be had. The message is one line that says what to do or which log to read. */
public final class PartFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public PartFailedException(String line) {
        super(line);
    }

    public PartFailedException(String line, Throwable cause) {
        super(line, cause);
    }
}
