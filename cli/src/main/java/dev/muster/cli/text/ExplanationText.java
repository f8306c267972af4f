package dev.muster.cli.text;

import dev.muster.coordinator.core.Standing;
import dev.muster.coordinator.core.Standing.Rival;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.queue.Backlog;
import dev.muster.coordinator.history.explain.Explanation;
import dev.muster.v1.Decision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Why a job stands as it does, in lines for people: the first two answer, the others say how it is
 * known.
 */
public final class ExplanationText {
    private static final String LABEL = "%-14s%s";

    private final Explanation told;
    private final Standing standing;
    private final Moments moments;
    private final List<String> lines = new ArrayList<>();

    private ExplanationText(Explanation told, Moments moments) {
        this.told = told;
        this.standing = told.standing();
        this.moments = moments;
    }

    public static List<String> of(Explanation told, Moments moments) {
        return new ExplanationText(told, moments).lines();
    }

    private List<String> lines() {
        switch (standing.job().state()) {
            case JobState.Queued queued -> waits(queued);
            case JobState.Suspended(_, var message, _, _) -> suspended(Words.sentence(message));
            case JobState.Starting(_, _, _, var why, _)
                    when standing.reasons().isEmpty() && why != null ->
                    started("; " + podsWait(why));
            case JobState.Starting _ when !standing.reasons().isEmpty() ->
                    started("; " + podsWait(standing.reasons().getFirst()));
            case JobState.Running _ when !standing.reasons().isEmpty() ->
                    started(phase() + "; " + podsWait(standing.reasons().getFirst()));
            case JobState.Absent _, JobState.Starting _, JobState.Running _ -> started("");
            case JobState.Restarting restarting ->
                    started(
                            "; attempt %d failed (%s), the next is made%s"
                                    .formatted(
                                            standing.job().fences().attempt(),
                                            Words.sentence(restarting.message()),
                                            restarting.until().isAfter(told.at())
                                                    ? " from %s on"
                                                            .formatted(
                                                                    moments.of(restarting.until()))
                                                    : " once its pods are gone"));
            case JobState.Lost lost -> started("; " + Words.sentence(lost.waits().message()));
            case JobState.Saving _ -> started(", and is to stop once it has saved");
            case JobState.Stopping _ -> started(", and is being stopped");
            case JobState.Ended(var end, _) -> ended(end.reason(), Words.sentence(end.message()));
        }
        hook();
        autoscaling();
        checkpoint();
        lines.add("");
        recorded();
        replayed();
        return lines;
    }

    private void hook() {
        var scaling = standing.job().past().scaling();
        var hooked = scaling == null ? null : scaling.hook();
        if (scaling != null && hooked != null) {
            lines.add(
                    "The hook of its change of %s from %d to %d: %s%s"
                            .formatted(
                                    scaling.role(),
                                    scaling.from(),
                                    scaling.to(),
                                    hooked.words(),
                                    hooked.output().isBlank() ? "." : "; it left:"));
            hooked.output().strip().lines().forEach(line -> lines.add("  " + line));
        }
    }

    private void autoscaling() {
        var verdict = standing.autoscaling();
        if (verdict != null) {
            lines.add(
                    "Its size: %s (%s since %s)."
                            .formatted(
                                    verdict.message(),
                                    verdict.code().label(),
                                    moments.of(verdict.since())));
        }
    }

    private void checkpoint() {
        var asked = standing.job().past().checkpoint();
        if (asked != null) {
            lines.add(CheckpointText.of(asked, moments));
        }
    }

    private String name() {
        return told.job().fullName();
    }

    private String queue() {
        return standing.job().spec().queue();
    }

    private void waits(JobState.Queued queued) {
        var place = standing.place();
        var since = standing.job().past().since();
        lines.add(
                "%s waits in queue %s%s, for %s (since %s)."
                        .formatted(
                                name(),
                                queue(),
                                place == null
                                        ? ""
                                        : ", place %d of %d"
                                                .formatted(place.position(), place.of()),
                                Words.age(Duration.between(since, told.at())),
                                moments.of(since)));
        lines.add(why(queued));
    }

    private String why(JobState.Queued queued) {
        if (!standing.reasons().isEmpty()) {
            return "Why: %s%s. What would change it: %s.".formatted(first(), behind(), remedy());
        }
        if (!(queued.gate() instanceof JobState.Gate.Open)) {
            return "Why: it was just let in; it is tried with the next event.";
        }
        return standing.ahead().isEmpty()
                ? "Why: only its turn is missing; others are served first."
                : "Why: it would fit, and stands behind %s in its queue."
                        .formatted(standing.ahead().getFirst().job().fullName());
    }

    /** Who goes before it; nothing where its own gate is shut, for whatever stands before it. */
    private String behind() {
        return isShut() || standing.ahead().isEmpty()
                ? ""
                : ", and %s goes first".formatted(standing.ahead().getFirst().job().fullName());
    }

    private void suspended(String message) {
        lines.add(
                "%s is suspended in queue %s%s: it does not start until it is resumed."
                        .formatted(name(), queue(), message.isEmpty() ? "" : " (" + message + ")"));
        lines.add(
                standing.reasons().isEmpty()
                        ? "Resumed now it would fit: the room it needs is free."
                        : "Resumed now it would wait: %s. What would change it: %s."
                                .formatted(first(), remedy()));
    }

    /** The first reason; of quotas all, since none of them alone would let it start. */
    private String first() {
        return firsts().map(why -> Words.sentence(why.message())).collect(Collectors.joining("; "));
    }

    private String remedy() {
        return firsts().map(WaitReason::remedy).distinct().collect(Collectors.joining("; "));
    }

    private Stream<WaitReason> firsts() {
        var all = standing.reasons();
        return isOfQuota(all.getFirst())
                ? all.stream().takeWhile(ExplanationText::isOfQuota)
                : all.stream().limit(1);
    }

    private static boolean isOfQuota(WaitReason reason) {
        return reason.code() == WaitReason.Code.QUOTA_EXCEEDED
                || reason.code() == WaitReason.Code.EXCEEDS_MAX_QUOTA;
    }

    private void started(String and) {
        var times = standing.job().times();
        var admitted = times.admitted();
        if (admitted == null) {
            lines.add("%s was just heard of.".formatted(name()));
            return;
        }
        lines.add(
                "%s was started%s from queue %s at %s, %s after it was submitted%s."
                        .formatted(
                                name(),
                                standing.job().fences().attempt() > 1 ? " again" : "",
                                queue(),
                                moments.of(admitted),
                                Words.age(Duration.between(times.submitted(), admitted)),
                                and.isEmpty() ? phase() : and));
        lines.add(whyThen());
    }

    private static String podsWait(WaitReason why) {
        var what =
                switch (why.code()) {
                    case NOT_SCHEDULED -> "not all of it is scheduled: ";
                    case CONTAINER_WAITING -> "not all of it can run: ";
                    case BEHIND_HEAD -> "it does not grow: ";
                    // Begins with the role or the pod that is meant.
                    default -> "";
                };
        return "%s%s. What would change it: %s"
                .formatted(what, Words.sentence(why.message()), why.remedy());
    }

    private String phase() {
        var running = standing.job().times().running();
        return running == null
                ? "; its gang does not run yet"
                : "; its gang runs since " + moments.of(running);
    }

    private void ended(String reason, String message) {
        var finished = standing.job().times().finished();
        lines.add(
                "%s has ended %s%s%s."
                        .formatted(
                                name(),
                                Words.constant(standing.job().state().phase()),
                                finished == null ? "" : " at " + moments.of(finished),
                                word(reason, message)));
        lines.add(standing.job().times().admitted() == null ? "It was never started." : whyThen());
    }

    private static String word(String reason, String message) {
        var both =
                reason.isEmpty() || message.isEmpty() ? reason + message : reason + ": " + message;
        return both.isEmpty() ? "" : " (" + both + ")";
    }

    private String whyThen() {
        var start = told.start();
        if (start == null || start.cause().isEmpty()) {
            return "Why then: the log does not reach back to its start.";
        }
        int passed = start.decision().getStarted().getPassed();
        return "Why then: %s, and its gang fit%s%s."
                .formatted(
                        start.cause(),
                        start.before() == null ? " at once" : "",
                        passed == 0
                                ? ""
                                : "; it passed %s%d of its queue that came before it"
                                        .formatted(
                                                passed < Backlog.DEPTH ? "" : "at least ", passed));
    }

    private void recorded() {
        var own = told.recorded();
        var ofQueue = told.ofQueue();
        if (own != null) {
            decision(own);
        }
        if (ofQueue != null && standing.place() != null) {
            decision(ofQueue);
        }
        if (own == null && (ofQueue == null || standing.place() == null)) {
            label("Recorded", nothing());
        }
    }

    /** Why there is no record of it. */
    private String nothing() {
        var state = standing.job().state();
        if (state instanceof JobState.Suspended) {
            return "nothing: a suspended job is not tried";
        }
        return state instanceof JobState.Queued(_, JobState.Gate.Open _, var own) && own == null
                ? "nothing about this job alone: of those that are alike only the first is told"
                : "nothing in queue %s: it was told in another, or is no longer kept"
                        .formatted(queue());
    }

    private void decision(Decision decision) {
        var label = "Recorded";
        for (var line : DecisionText.of(decision, moments)) {
            label(label, line);
            label = "";
        }
    }

    private void replayed() {
        var basis = told.basis();
        label(
                "Replayed",
                "%s, from %s on, %,d inbox records in %.1f s"
                        .formatted(
                                moments.of(told.at()),
                                basis.snapshot() == null
                                        ? "the log's beginning"
                                        : "the snapshot of " + moments.of(basis.snapshot()),
                                basis.records(),
                                basis.took().toMillis() / 1000.0));
        if (basis.stop() != null) {
            label("Stopped", "so it stood before; " + basis.stop().sentence());
        }
        var versions = VersionText.of(basis.rules());
        if (!versions.isEmpty()) {
            label("Other rules", versions);
        }
        for (var reason : standing.reasons()) {
            reason(reason);
        }
        if (standing.place() != null) {
            rivals("Ahead of it", standing.ahead());
            rivals("Other queues", standing.rivals());
            new OutlookText(told, moments).lines().forEach(this::label);
        }
        var start = told.start();
        if (start != null) {
            new StartText(start, told.job()).lines().forEach(this::label);
            var after = start.after();
            if (after != null) {
                rivals("It passed", after.ahead());
                rivals("Left waiting", after.rivals());
            }
        }
    }

    private void reason(WaitReason reason) {
        label(
                "In the way",
                "%s%s: %s%s"
                        .formatted(
                                reason.code().label(),
                                reason.scope().isEmpty() ? "" : " " + reason.scope(),
                                Words.sentence(reason.message()),
                                reason.since().equals(told.at())
                                        ? ""
                                        : " (since %s)".formatted(moments.of(reason.since()))));
        label("", "would change it: " + reason.remedy());
        if (!reason.nearest().isEmpty()) {
            label(
                    "",
                    "nearest: "
                            + reason.nearest().stream()
                                    .map(near -> near.node() + " " + near.lacks())
                                    .collect(Collectors.joining("; ")));
        }
    }

    /** It takes no part in turns, whatever room there is. */
    private boolean isShut() {
        return !(standing.job().state() instanceof JobState.Queued(_, JobState.Gate.Open _, _));
    }

    private void rivals(String label, List<Rival> rivals) {
        var first = label;
        for (var rival : rivals) {
            label(first, rival(rival));
            first = "";
        }
    }

    private static String rival(Rival rival) {
        return "%s (queue %s, weight %d, credit %d; priority %d): %s"
                .formatted(
                        rival.job().fullName(),
                        rival.queue(),
                        rival.weight(),
                        rival.credit(),
                        rival.priority(),
                        why(rival.reason()));
    }

    static String why(@Nullable WaitReason reason) {
        return reason == null
                ? "could start as well"
                : reason.code().label() + ", " + Words.sentence(reason.message());
    }

    private void label(String label, String text) {
        lines.add(LABEL.formatted(label, text).stripTrailing());
    }
}
