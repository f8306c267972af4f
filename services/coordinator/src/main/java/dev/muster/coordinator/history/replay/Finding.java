package dev.muster.coordinator.history.replay;

/** Where a replay and what was published part. */
public sealed interface Finding {
    /** Of the inbox record. */
    long offset();

    /**
     * The same record says something else.
     *
     * @param id of the published record
     */
    record Differs(long offset, String topic, String id, String published, String replayed)
            implements Finding {}

    /** The replay makes a record that was not published. */
    record NotPublished(long offset, String topic, String id, String replayed) implements Finding {}

    /** A record was published that the replay does not make. */
    record NotReplayed(long offset, String topic, String id, String published) implements Finding {}

    /** A record cannot be taken in here, and the coordinator did not park it. */
    record NotTaken(long offset, String why) implements Finding {}

    /** From here on another version of the core decides. */
    record OtherVersion(long offset, String before, String after) implements Finding {}

    /** The sentence for people. */
    default String sentence() {
        return switch (this) {
            case Differs d ->
                    "%s %s differs%n  published: %s%n  replayed:  %s"
                            .formatted(d.topic(), d.id(), d.published(), d.replayed());
            case NotPublished n ->
                    "%s %s was not published%n  replayed:  %s"
                            .formatted(n.topic(), n.id(), n.replayed());
            case NotReplayed n ->
                    "%s %s is not what the log leads to%n  published: %s"
                            .formatted(n.topic(), n.id(), n.published());
            case NotTaken n ->
                    "inbox record %d cannot be taken in here: %s".formatted(n.offset(), n.why());
            case OtherVersion v ->
                    "from inbox record %d on core %s decides%s"
                            .formatted(
                                    v.offset(),
                                    v.after(),
                                    v.before().isEmpty() ? "" : ", before it " + v.before());
        };
    }

    /** It says that the two part, and not only what lies between. */
    default boolean isDifference() {
        return !(this instanceof OtherVersion);
    }
}
