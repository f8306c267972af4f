package dev.muster.cli.text;

import dev.muster.v1.JobCheckpoint;
import dev.muster.v1.JobEvent;
import dev.muster.v1.JobMoved;
import dev.muster.v1.JobScaling;
import dev.muster.v1.JobStatus;
import dev.muster.v1.RankEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * One thing that happened to a job, in one line for people: when, to what, what. Below that of a
 * pod that ended stand the other lines of what its container left.
 */
public final class EventLine {
    private static final String LINE = "%-9s %-13s %s";
    private static final String NEXT_LINE = "\n" + " ".repeat(24);

    private final Moments moments;

    public EventLine(Moments moments) {
        this.moments = moments;
    }

    public String of(JobEvent event) {
        var at = moments.of(event.getEnvelope().getAt());
        return switch (event.getKind()) {
            case MOVED -> line(at, "job", moved(event.getMoved()));
            case RANK_PLACED, RANK_RUNNING, RANK_ENDED ->
                    line(at, rank(event.getRank()), happened(event));
            case SCALED -> line(at, event.getScaling().getRole(), scaled(event.getScaling()));
            case CHECKPOINT -> line(at, "checkpoint", asked(event.getCheckpoint()));
            case UNKNOWN -> line(at, "?", "of a kind that this muster does not know");
        };
    }

    /** Of a job whose end is among no events that are there: how its status says that it ended. */
    public String ofTheEnd(JobStatus status) {
        var times = status.getTimes();
        var at = times.getFinished() == null ? times.getSubmitted() : times.getFinished();
        return line(
                moments.of(at),
                "job",
                said(
                        Words.constant(status.getPhase()),
                        status.getReason(),
                        Words.sentence(status.getMessage())));
    }

    private static String line(String at, String what, String text) {
        return LINE.formatted(at, what, text).stripTrailing();
    }

    private static String moved(JobMoved moved) {
        var said =
                said(
                        Words.constant(moved.getTo()),
                        moved.getReason(),
                        Words.sentence(moved.getMessage()));
        return moved.getBy() == null ? said : said + ", by " + moved.getBy();
    }

    private static String rank(RankEvent rank) {
        return rank.getRole() + "-" + rank.getIndex();
    }

    private static String happened(JobEvent event) {
        var rank = event.getRank();
        return switch (event.getKind()) {
            case RANK_PLACED ->
                    "made again on %s, incarnation %d"
                            .formatted(rank.getNode(), rank.getIncarnation());
            case RANK_RUNNING -> "runs";
            default ->
                    said(
                            rank.getExitCode() == null
                                    ? "ended"
                                    : "ended with " + rank.getExitCode(),
                            rank.getReason(),
                            String.join(NEXT_LINE, rank.getMessage().lines().toList()));
        };
    }

    private static String scaled(JobScaling scaling) {
        var change =
                "%d -> %d %s"
                        .formatted(
                                scaling.getFrom(),
                                scaling.getTo(),
                                Words.constant(scaling.getStage()));
        return said(change, scaling.getReason(), scaling.getMessage());
    }

    private static String asked(JobCheckpoint asked) {
        var message = asked.getMessage().isEmpty() ? asked.getPurpose() : asked.getMessage();
        return said(Words.constant(asked.getStage()), "", message);
    }

    private static String said(String what, String reason, String message) {
        var parts = new ArrayList<String>(List.of(reason, message));
        parts.removeIf(String::isBlank);
        return parts.isEmpty() ? what : what + ": " + String.join(": ", parts);
    }
}
