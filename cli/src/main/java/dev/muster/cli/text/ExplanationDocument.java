package dev.muster.cli.text;

import dev.muster.coordinator.core.Standing.Rival;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.model.Throughput;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.history.explain.Explanation;
import dev.muster.schemas.contract.CheckpointId;
import dev.muster.v1.Decision;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Why a job stands as it does, as a document for programs. */
public final class ExplanationDocument {
    private ExplanationDocument() {}

    public static Map<String, Object> of(Explanation told) {
        var standing = told.standing();
        var outlook = standing.outlook();
        var document = new LinkedHashMap<String, Object>();
        document.put("job", told.job().fullName());
        document.put("uid", told.job().uid().toString());
        document.put("pool", told.pool());
        document.put("queue", standing.job().spec().queue());
        document.put("at", told.at().toString());
        document.put("phase", Words.constant(standing.job().state().phase()));
        put(document, "recorded", decision(told.recorded()));
        put(document, "recordedOfQueue", decision(told.ofQueue()));
        var place = standing.place();
        if (place != null || !standing.reasons().isEmpty()) {
            document.put(
                    "reasons",
                    standing.reasons().stream().map(ExplanationDocument::reason).toList());
        }
        if (place != null) {
            document.put("position", place.position());
            document.put("of", place.of());
            document.put("waitingSince", standing.job().past().since().toString());
            document.put("fitsNow", outlook.fits());
            document.put("fitsTheEmptyPool", outlook.everFits());
            putTime(document, "nextTry", outlook.nextTry());
            putTime(document, "mayHoldFrom", outlook.mayHoldFrom());
            document.put("ahead", rivals(standing.ahead()));
        }
        if (outlook.holder() != null) {
            document.put("holder", outlook.holder().fullName());
        }
        document.put("rivals", rivals(standing.rivals()));
        put(document, "autoscaling", autoscaling(standing.autoscaling()));
        put(document, "checkpoint", checkpoint(standing.job()));
        put(document, "hook", hook(standing.job().past().scaling()));
        put(document, "start", start(told.start()));
        put(document, "estimate", estimate(told.estimate()));
        document.put("replay", basis(told.basis()));
        return document;
    }

    private static @Nullable Map<String, Object> autoscaling(Throughput.@Nullable Verdict verdict) {
        if (verdict == null) {
            return null;
        }
        var map = new LinkedHashMap<String, Object>();
        map.put("code", verdict.code().label());
        map.put("message", verdict.message());
        map.put("since", verdict.since().toString());
        return map;
    }

    private static @Nullable Map<String, Object> checkpoint(Job job) {
        var asked = job.past().checkpoint();
        if (asked == null) {
            return null;
        }
        var map = new LinkedHashMap<String, Object>();
        map.put("id", new CheckpointId(job.id().uid().toString(), asked.id()).toString());
        map.put("stage", Words.constant(asked.stage()));
        map.put("purpose", asked.purpose());
        map.put("message", asked.message());
        map.put("until", asked.until().toString());
        map.put("since", asked.since().toString());
        return map;
    }

    private static @Nullable Map<String, Object> hook(@Nullable Scaling scaling) {
        var hooked = scaling == null ? null : scaling.hook();
        if (hooked == null) {
            return null;
        }
        var map = new LinkedHashMap<String, Object>();
        map.put("tries", hooked.tries());
        map.put("succeeded", hooked.done());
        map.put("waiting", hooked.waiting());
        put(map, "exitCode", hooked.exitCode());
        map.put("reason", hooked.reason());
        map.put("output", hooked.output());
        return map;
    }

    private static @Nullable Map<String, Object> decision(@Nullable Decision decision) {
        if (decision == null) {
            return null;
        }
        var map = new LinkedHashMap<String, Object>();
        map.put("id", decision.getEnvelope().getId());
        map.put("at", decision.getEnvelope().getAt().toString());
        map.put("kind", Words.constant(decision.getKind()));
        var reason = decision.getReason();
        if (reason != null) {
            map.put("code", reason.getCode());
            map.put("scope", reason.getScope());
            map.put("message", reason.getMessage());
            map.put("remedy", reason.getRemedy());
            map.put("since", reason.getSince().toString());
        }
        var started = decision.getStarted();
        if (started != null) {
            map.put("credits", new LinkedHashMap<>(started.getCredits()));
            map.put("passed", started.getPassed());
        }
        return map;
    }

    private static Map<String, Object> reason(WaitReason reason) {
        var map = new LinkedHashMap<String, Object>();
        map.put("code", reason.code().label());
        map.put("scope", reason.scope());
        var shortage = reason.shortage();
        if (shortage != null) {
            map.put("need", shortage.need());
            map.put("have", shortage.have());
            map.put("shortBy", shortage.shortBy());
        }
        map.put("since", reason.since().toString());
        map.put("message", reason.message());
        map.put("remedy", reason.remedy());
        map.put(
                "nearest",
                reason.nearest().stream()
                        .map(near -> Map.of("node", near.node(), "lacks", near.lacks()))
                        .toList());
        return map;
    }

    private static List<Map<String, Object>> rivals(List<Rival> rivals) {
        return rivals.stream().map(ExplanationDocument::rival).toList();
    }

    private static Map<String, Object> rival(Rival rival) {
        var map = new LinkedHashMap<String, Object>();
        map.put("job", rival.job().fullName());
        map.put("queue", rival.queue());
        map.put("priority", rival.priority());
        map.put("weight", rival.weight());
        map.put("credit", rival.credit());
        var reason = rival.reason();
        if (reason != null) {
            map.put("reason", reason(reason));
        }
        return map;
    }

    private static @Nullable Map<String, Object> start(Explanation.@Nullable Start start) {
        if (start == null) {
            return null;
        }
        var map = new LinkedHashMap<String, Object>();
        map.put("cause", start.cause());
        map.put("policy", start.policy());
        var after = start.after();
        if (after != null) {
            map.put("passed", rivals(after.ahead()));
            map.put("leftWaiting", rivals(after.rivals()));
        }
        return map;
    }

    private static @Nullable Map<String, Object> estimate(Explanation.@Nullable Estimate estimate) {
        if (estimate == null) {
            return null;
        }
        var map = new LinkedHashMap<String, Object>();
        map.put("start", estimate.start().toString());
        map.put("starts", estimate.starts());
        map.put("since", estimate.since().toString());
        map.put("position", estimate.position());
        return map;
    }

    private static Map<String, Object> basis(Explanation.Basis basis) {
        var map = new LinkedHashMap<String, Object>();
        putTime(map, "snapshot", basis.snapshot());
        map.put("records", basis.records());
        map.put("millis", basis.took().toMillis());
        map.put("decidedBy", basis.rules().decided());
        map.put("replayedBy", basis.rules().here());
        put(map, "stop", basis.stop() == null ? null : basis.stop().sentence());
        return map;
    }

    private static void putTime(Map<String, Object> map, String name, @Nullable Instant at) {
        put(map, name, at == null ? null : at.toString());
    }

    private static void put(Map<String, Object> map, String name, @Nullable Object value) {
        if (value != null) {
            map.put(name, value);
        }
    }
}
