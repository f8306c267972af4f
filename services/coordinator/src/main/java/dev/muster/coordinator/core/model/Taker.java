package dev.muster.coordinator.core.model;

/** By what a rank is taken out of its gang, which goes on without it. */
public final class Taker {
    /** No command takes it, nor does its node. */
    public static final Taker NOBODY = new Taker(0);

    /** Its node does, which is about to go. */
    public static final Taker NODE = new Taker(-1);

    private final long number;

    private Taker(long number) {
        this.number = number;
    }

    /** This command of scale does, whose number is more than 0. */
    public static Taker command(Scaling asked) {
        return new Taker(asked.number());
    }

    /** As a rank's row has it. */
    long number() {
        return number;
    }
}
