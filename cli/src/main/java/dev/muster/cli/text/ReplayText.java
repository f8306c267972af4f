package dev.muster.cli.text;

import dev.muster.coordinator.history.replay.Finding;
import dev.muster.coordinator.history.replay.Heard;
import dev.muster.coordinator.history.replay.Replay;
import java.util.ArrayList;
import java.util.List;

/** What a replay found, in lines for people. */
public final class ReplayText {
    private ReplayText() {}

    /** The first line says whether it was the same, or that nothing was compared. */
    public static List<String> of(String pool, Replay.Result result) {
        var lines = new ArrayList<String>();
        lines.add(first(pool, result));
        count(lines, result.cleanedAway(), "were published in topics that no longer keep them");
        count(
                lines,
                result.byOthers(),
                "were decided by another version of the core: not compared");
        count(lines, result.unanswered(), "at the end are not published yet");
        count(lines, result.deletions(), "are deletions: not compared");
        result.findings().forEach(finding -> lines.add(finding.sentence()));
        if (result.differences()
                > result.findings().stream().filter(Finding::isDifference).count()) {
            lines.add("… and more, which are not shown");
        }
        return lines;
    }

    private static String first(String pool, Replay.Result result) {
        if (!result.isCompared()) {
            return "NOT compared: nothing that followed from %,d inbox records of pool %s could be"
                    .formatted(result.records(), pool);
        }
        return result.isSame()
                ? "identical: %,d inbox records of pool %s led to the same %,d records that were published"
                        .formatted(result.records(), pool, result.same())
                : "NOT identical: %,d differences in %,d inbox records of pool %s; %,d records are as published"
                        .formatted(result.differences(), result.records(), pool, result.same());
    }

    private static void count(List<String> lines, long count, String what) {
        if (count > 0) {
            lines.add("  %,d more %s".formatted(count, what));
        }
    }

    /** One record and what followed. */
    public static List<String> step(Heard heard) {
        var lines = new ArrayList<String>();
        var in = heard.record();
        var what =
                switch (heard) {
                    case Heard.Taken taken ->
                            Words.constant(taken.message().getKind())
                                    + (taken.message().getJob() == null
                                            ? ""
                                            : " %s/%s"
                                                    .formatted(
                                                            taken.message().getJob().getNamespace(),
                                                            taken.message().getJob().getName()));
                    case Heard.Parked _ -> "parked: passed over";
                    case Heard.Unusable unusable -> "cannot be taken in here: " + unusable.why();
                };
        lines.add("%d  %s  %s".formatted(in.offset(), in.appended(), what));
        if (heard instanceof Heard.Taken taken) {
            taken.step()
                    .effects()
                    .forEach(effect -> lines.add("    " + Words.cut(effect.toString(), 200)));
        }
        return lines;
    }
}
