package dev.muster.cli.text;

import dev.muster.coordinator.history.whatif.WhatIf;
import dev.muster.coordinator.history.whatif.WhatIf.OfQueue;
import dev.muster.coordinator.history.whatif.WhatIf.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** What would have been, in lines for people. */
public final class WhatIfText {
    private static final List<String> HEADINGS =
            List.of("QUEUE", "STARTED", "MEAN WAIT", "HALF WITHIN", "LONGEST", "EARLIER", "LATER");

    private WhatIfText() {}

    /**
     * @param alteration what is altered, in words
     */
    public static List<String> of(
            String pool, String alteration, WhatIf.Result result, Moments moments) {
        var lines = new ArrayList<String>();
        lines.add(
                "Pool %s from %s to %s, as it would have been with %s:"
                        .formatted(
                                pool,
                                moments.of(result.from()),
                                moments.of(result.to()),
                                alteration));
        lines.add("");
        var rows = new ArrayList<List<String>>();
        result.queues().forEach((queue, of) -> rows.add(row(queue, of)));
        var table = new Table(HEADINGS, rows);
        lines.add(table.line(HEADINGS));
        rows.forEach(row -> lines.add(table.line(row)));
        lines.add("");
        if (result.stop() != null) {
            lines.add(
                    "Stopped: it ends before what the pool cannot go on with; %s."
                            .formatted(result.stop().sentence()));
        }
        assumed(result, lines);
        return lines;
    }

    private static List<String> row(String queue, OfQueue of) {
        return List.of(
                queue,
                of.before().started() + " -> " + of.after().started(),
                both(of, Waits::mean),
                both(of, Waits::median),
                both(of, Waits::longest),
                Integer.toString(of.earlier()),
                Integer.toString(of.later()));
    }

    private static String both(OfQueue of, Function<Waits, Duration> measure) {
        return exactly(measure.apply(of.before())) + " -> " + exactly(measure.apply(of.after()));
    }

    /** Tenths of a second matter where waits are short. */
    private static String exactly(Duration duration) {
        return duration.compareTo(Duration.ofMinutes(2)) < 0
                ? "%.1fs".formatted(duration.toMillis() / 1000.0)
                : Words.age(duration);
    }

    private static void assumed(WhatIf.Result result, List<String> lines) {
        lines.add(
                "Assumed: what users, operators, nodes and others do is as recorded, whatever starts when. Each pod runs as"
                        + " long as it really did, shifted with its start; one that had not ended does not end,"
                        + " and one that is made more often than it was goes on as the last of its rank did.");
        if (result.assumed() > 0) {
            lines.add(
                    "%d jobs never started in the log: their pods are taken to run as long as is usual in their queue."
                            .formatted(result.assumed()));
        }
        lines.add(
                "Jobs answer what they are asked to save as they did first; one that was never asked saves at once.");
        if (result.measured() > 0) {
            lines.add(
                    "Left out: how fast jobs train, which %d said: here their sizes follow commands alone."
                            .formatted(result.measured()));
        }
        if (result.strays() > 0) {
            lines.add(
                    "%d pods were on nodes that are left out when this began: they run on to their end, beside the rest."
                            .formatted(result.strays()));
        }
        var versions = VersionText.of(result.rules());
        if (!versions.isEmpty()) {
            lines.add("Other rules: " + versions + ".");
        }
        lines.add(
                "Checked: with nothing altered the same trial misses the recorded starts by %s in the mean, by %s at most%s."
                        .formatted(
                                exactly(result.off()),
                                exactly(result.most()),
                                result.unstarted() == 0
                                        ? ""
                                        : "; %d jobs that started do not start in it"
                                                .formatted(result.unstarted())));
    }
}
