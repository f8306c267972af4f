package dev.muster.bench.system;

/** Where pods run. */
public sealed interface Nodes {
    /** One node whose containers are processes of this machine. */
    record Local() implements Nodes {}

    /** Nodes that KWOK pretends: their pods run at once, and for ever. */
    record Pretended(int count) implements Nodes {}

    /** In words, for reports. */
    default String said() {
        return switch (this) {
            case Local _ -> "one local node whose pods are processes";
            case Pretended(var count) -> count + " KWOK nodes whose pods run at once";
        };
    }
}
