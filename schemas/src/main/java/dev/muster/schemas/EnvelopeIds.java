package dev.muster.schemas;

import dev.muster.schemas.contract.Limits;
import dev.muster.v1.Envelope;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How long what an envelope says may be: whoever remembers or repeats it counts on that. */
public final class EnvelopeIds {
    /** What is wrong with one that is longer. */
    public static final String RULE =
            "must have at most %,d characters".formatted(Limits.ID_CHARACTERS);

    private static final List<Id> ALL =
            List.of(
                    new Id("envelope.requestId", Envelope::getRequestId),
                    new Id("envelope.id", Envelope::getId),
                    new Id("envelope.actor", Envelope::getActor),
                    new Id("envelope.cause", Envelope::getCause),
                    new Id("envelope.jobUid", Envelope::getJobUid));

    private record Id(String path, Function<Envelope, @Nullable String> of) {}

    private EnvelopeIds() {}

    /** The path of the first that is too long, as in {@code envelope.requestId}; null: none is. */
    public static @Nullable String tooLong(Envelope envelope) {
        return ALL.stream()
                .filter(id -> isTooLong(id.of().apply(envelope)))
                .map(Id::path)
                .findFirst()
                .orElse(null);
    }

    /** Of one id alone. */
    public static boolean isTooLong(@Nullable String id) {
        return id != null && id.length() > Limits.ID_CHARACTERS;
    }
}
