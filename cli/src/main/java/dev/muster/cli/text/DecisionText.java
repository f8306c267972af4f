package dev.muster.cli.text;

import dev.muster.v1.Decision;
import dev.muster.v1.NodeLack;
import dev.muster.v1.StartedDecision;
import dev.muster.v1.WaitReason;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A decision as it was recorded, in lines: the first says what it was, the others what it saw. */
final class DecisionText {
    private DecisionText() {}

    static List<String> of(Decision decision, Moments moments) {
        var lines = new ArrayList<String>();
        lines.add(what(decision, moments));
        var reason = decision.getReason();
        if (reason != null && !reason.getNearest().isEmpty()) {
            lines.add(
                    "nearest: "
                            + reason.getNearest().stream()
                                    .map(DecisionText::near)
                                    .collect(Collectors.joining("; ")));
        }
        var started = decision.getStarted();
        if (started != null) {
            lines.add("pods by node: " + byNode(started));
            if (!started.getCredits().isEmpty()) {
                lines.add("credits before the turn: " + new TreeMap<>(started.getCredits()));
            }
        }
        return lines;
    }

    private static String what(Decision decision, Moments moments) {
        var envelope = decision.getEnvelope();
        var reason = decision.getReason();
        var what = reason == null ? Words.constant(decision.getKind()) : words(reason);
        var of = decision.getJob() == null ? " (of the whole queue)" : "";
        return "%s  %s%s  [%s]".formatted(moments.of(envelope.getAt()), what, of, envelope.getId());
    }

    private static String words(WaitReason reason) {
        return "%s%s: %s"
                .formatted(
                        reason.getCode(),
                        reason.getScope().isEmpty() ? "" : " " + reason.getScope(),
                        reason.getMessage());
    }

    private static String near(NodeLack lack) {
        return lack.getNode() + " " + lack.getLacks();
    }

    private static TreeMap<String, Long> byNode(StartedDecision started) {
        return started.getPlacements().stream()
                .collect(
                        Collectors.groupingBy(
                                placement -> placement.getNode(),
                                TreeMap::new,
                                Collectors.counting()));
    }
}
