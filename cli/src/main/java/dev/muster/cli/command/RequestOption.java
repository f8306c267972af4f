package dev.muster.cli.command;

import dev.muster.cli.Context;
import dev.muster.cli.http.Admission;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** By which id admission knows a command's request if it comes again. */
final class RequestOption {
    /** How most commands are given again: as they were. */
    static final String SAME = "with";

    @Option(
            names = "--request-id",
            paramLabel = "ID",
            converter = Id.class,
            description =
                    "The id of the same command when it was given before and nobody answered: it"
                            + " is done at most once (default: a new one).")
    private @Nullable String id;

    Admission admission(Context context) {
        return admission(context, SAME);
    }

    /**
     * One id for all that the command asks for: who gives it again by that id does nothing twice.
     *
     * @param again how the same command is given again, up to where {@code --request-id} follows
     */
    Admission admission(Context context, String again) {
        var requestId = id == null ? UUID.randomUUID().toString() : id;
        return new Admission(context, requestId, again);
    }

    boolean isGiven() {
        return id != null;
    }

    /** As it can stand in HTTP's header. */
    static final class Id implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            if (!text.matches("[!-~]+")) {
                throw new TypeConversionException(
                        "'%s' is no id: it must be letters, digits and signs".formatted(text));
            }
            return text;
        }
    }
}
