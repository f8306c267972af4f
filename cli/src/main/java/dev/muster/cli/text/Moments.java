package dev.muster.cli.text;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/**
 * Moments as people read them: the time of day, and the date where it is not today's.
 *
 * @param now which day it is
 */
public record Moments(Instant now, ZoneId zone) {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    public String of(Instant moment) {
        var local = moment.atZone(zone);
        var today = now.atZone(zone).toLocalDate();
        return local.format(local.toLocalDate().equals(today) ? TIME : DATE);
    }
}
