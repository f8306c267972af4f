package dev.muster.schemas.contract;

/** What answers say to programs, too. */
public final class Answers {
    /** The message where a queue or pool was as it was asked to be. */
    public static final String UNCHANGED = "unchanged";

    private Answers() {}
}
