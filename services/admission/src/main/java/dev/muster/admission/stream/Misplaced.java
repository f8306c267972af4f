package dev.muster.admission.stream;

import dev.muster.admission.stream.Outgoing.Target;
import dev.muster.schemas.serde.UnreadableRecordException;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends a record that a client put into the wrong partition to the right one, once: a second time
 * would mean that we count partitions wrongly.
 */
final class Misplaced {
    /** On a record that has been sent so. */
    static final String MARK = "muster-forwarded";

    private Misplaced() {}

    static Step sendTo(int right, Arrival arrival) {
        if (arrival.headers().stream().anyMatch(header -> header.key().equals(MARK))) {
            throw new UnreadableRecordException(
                    "was sent on to partition %d already and is found in %d"
                            .formatted(right, arrival.partition()));
        }
        var headers = new ArrayList<>(arrival.headers());
        headers.add(new Arrival.Header(MARK, new byte[] {'1'}));
        return new Step.Done(
                List.of(
                        new Outgoing(
                                new Target(arrival.topic(), right, arrival.keyBytes()),
                                arrival.value(),
                                headers)),
                null,
                "sent on to partition " + right);
    }
}
