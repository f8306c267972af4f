package dev.muster.schemas.contract;

/** What is meant where a record says nothing, and its schema cannot say it. */
public final class Defaults {
    /** Of a rule with GrowMemory: its factor, in thousandths. */
    public static final int MEMORY_GROWTH = 1_500;

    private Defaults() {}
}
