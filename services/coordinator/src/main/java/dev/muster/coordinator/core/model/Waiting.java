package dev.muster.coordinator.core.model;

/** An event that came behind more work than one step may do; taken in the order of its tick. */
public record Waiting(long tick, Event event) implements Row {
    @Override
    public Key key() {
        return new Key(Table.WAITING, Long.toString(tick));
    }
}
