package dev.muster.cli.command;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A moment as people write it, in the time zone of this machine where none is said. */
final class TimeText implements ITypeConverter<Instant> {
    static final String FORMS = "19:30, 19:30:05, 2026-11-21T19:30 or 2026-11-21T18:30:00Z";

    private final Clock clock;

    @SuppressWarnings("unused") // picocli makes it
    TimeText() {
        this(Clock.systemDefaultZone());
    }

    /**
     * @param clock says which day it is, and the zone
     */
    TimeText(Clock clock) {
        this.clock = clock;
    }

    @Override
    public Instant convert(String text) {
        var zone = clock.getZone();
        List<Function<String, Instant>> forms =
                List.of(
                        Instant::parse,
                        t -> OffsetDateTime.parse(t).toInstant(),
                        t -> LocalDateTime.parse(t).atZone(zone).toInstant(),
                        t ->
                                LocalTime.parse(t)
                                        .atDate(LocalDate.now(clock))
                                        .atZone(zone)
                                        .toInstant());
        for (var form : forms) {
            try {
                return form.apply(text);
            } catch (DateTimeException e) {
                continue; // The next form may be meant.
            }
        }
        throw new TypeConversionException("'%s' is no time, as in %s".formatted(text, FORMS));
    }
}
