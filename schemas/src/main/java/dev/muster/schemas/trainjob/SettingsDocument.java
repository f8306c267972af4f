package dev.muster.schemas.trainjob;

import static dev.muster.schemas.trainjob.Entries.lower;
import static dev.muster.schemas.trainjob.Entries.put;
import static dev.muster.schemas.trainjob.Entries.words;

import dev.muster.schemas.trainjob.SettingsForm.PoolSetting;
import dev.muster.schemas.trainjob.SettingsForm.QueueSetting;
import dev.muster.schemas.trainjob.SettingsForm.Setting;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.PoolState;
import dev.muster.v1.QueueSpec;
import dev.muster.v1.QueueState;
import dev.muster.v1.SuspectNode;
import dev.muster.v1.TaintEffect;
import dev.muster.v1.Toleration;
import dev.muster.v1.TolerationOperator;
import dev.muster.v1.WaitReason;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Queues and pools in the words that {@link SettingsForm} reads: maps, lists, texts and numbers,
 * for YAML and JSON alike. What says nothing, an empty map or list, is left out.
 */
public final class SettingsDocument {
    private SettingsDocument() {}

    /** As it is to be. */
    public static Map<String, Object> of(Setting setting) {
        return switch (setting) {
            case QueueSetting(var name, var spec, var unsaid) -> {
                var said = queue(spec);
                said.keySet().removeAll(unsaid);
                yield document("Queue", name, said);
            }
            case PoolSetting(var name, var spec) -> document("Pool", name, pool(spec));
        };
    }

    /** As it is, with what its jobs use of it. */
    public static Map<String, Object> of(QueueState state) {
        var status = new LinkedHashMap<String, Object>();
        status.put("waiting", state.getWaiting());
        status.put("running", state.getRunning());
        status.put("inLine", state.getInLine());
        put(status, "oldestInLine", text(state.getOldestInLine()));
        put(status, "used", amounts(state.getUsed()));
        put(status, "borrowed", amounts(state.getBorrowed()));
        put(status, "reason", reason(state.getReason()));
        var document = document("Queue", state.getName(), queue(state.getSpec()));
        document.put("status", status);
        return document;
    }

    /** As it is, with its nodes in sum, and those that it chooses last or not at all. */
    public static Map<String, Object> of(PoolState state) {
        var spec = PoolSpec.newBuilder(state.getSpec()).setNumber(state.getNumber()).build();
        var document = document("Pool", state.getName(), pool(spec));
        var status = new LinkedHashMap<String, Object>();
        status.put("nodes", state.getNodes());
        status.put("readyNodes", state.getReadyNodes());
        put(status, "allocatable", amounts(state.getAllocatable()));
        put(status, "free", amounts(state.getFree()));
        if (state.getSuspects() > 0) {
            status.put("suspects", state.getSuspects());
            status.put(
                    "suspectNodes",
                    state.getSuspectNodes().stream().map(SettingsDocument::suspect).toList());
        }
        document.put("status", status);
        return document;
    }

    private static @Nullable String text(@Nullable Instant at) {
        return at == null ? null : at.toString();
    }

    private static Map<String, Object> suspect(SuspectNode from) {
        var suspect = new LinkedHashMap<String, Object>();
        suspect.put("name", from.getName());
        suspect.put("chosen", from.getExcluded() ? "never" : "last");
        suspect.put("until", from.getUntil().toString());
        suspect.put("failures", BigDecimal.valueOf(from.getWeight(), 3).stripTrailingZeros());
        suspect.put("at", from.getAt().toString());
        suspect.put("lastFailure", from.getLastFailure().toString());
        put(suspect, "reason", from.getReason());
        put(suspect, "message", from.getMessage());
        return suspect;
    }

    private static Map<String, Object> document(
            String kind, String name, Map<String, Object> spec) {
        var document = new LinkedHashMap<String, Object>();
        document.put("apiVersion", "muster.dev/v1");
        document.put("kind", kind);
        document.put("metadata", new LinkedHashMap<>(Map.of("name", name)));
        document.put("spec", spec);
        return document;
    }

    private static Map<String, Object> queue(QueueSpec from) {
        var spec = new LinkedHashMap<String, Object>();
        spec.put("pool", from.getPool());
        spec.put("weight", from.getWeight());
        spec.put("paused", from.getPaused());
        spec.put("backfill", from.getBackfill());
        spec.put("maxWaiting", from.getMaxWaiting());
        put(spec, "guaranteed", amounts(from.getGuaranteed()));
        put(spec, "limit", amounts(from.getLimit()));
        spec.put("borrowing", from.getBorrowing());
        put(spec, "borrowLimit", amounts(from.getBorrowLimit()));
        put(spec, "lendLimit", amounts(from.getLendLimit()));
        put(spec, "maxRunning", from.getMaxRunning());
        spec.put("order", words(from.getOrder()));
        spec.put("reserveAfter", GoDuration.text(from.getReserveAfterMillis()));
        spec.put("defaultPriority", from.getDefaultPriority());
        put(spec, "namespaces", new ArrayList<>(from.getNamespaces()));
        put(spec, "group", from.getGroup());
        spec.put("draining", from.getDraining());
        return spec;
    }

    private static Map<String, Object> pool(PoolSpec from) {
        var spec = new LinkedHashMap<String, Object>();
        put(spec, "number", from.getNumber());
        put(spec, "nodeSelector", new TreeMap<>(from.getNodeSelector()));
        spec.put("backend", lower(from.getBackend()));
        spec.put("capacity", lower(from.getCapacity()));
        put(spec, "backendQueue", from.getBackendQueue());
        spec.put("policy", words(from.getPolicy()));
        spec.put("preemption", words(from.getPreemption()));
        spec.put("minimumRun", GoDuration.text(from.getMinimumRunMillis()));
        spec.put("preemptionBudget", from.getPreemptionBudget());
        put(spec, "priorityClasses", new TreeMap<>(from.getPriorityClasses()));
        var aging = new LinkedHashMap<String, Object>();
        aging.put("step", GoDuration.text(from.getAgingStepMillis()));
        aging.put("most", from.getAgingMost());
        spec.put("aging", aging);
        var spot = new LinkedHashMap<String, Object>();
        put(spot, "nodeSelector", new TreeMap<>(from.getSpotSelector()));
        put(
                spot,
                "tolerations",
                from.getSpotTolerations().stream().map(SettingsDocument::toleration).toList());
        put(spec, "spot", spot);
        // Shown where empty, too: what is left out has its default.
        var notices = new LinkedHashMap<String, Object>();
        notices.put("taints", new ArrayList<>(from.getNoticeTaints()));
        notices.put("conditions", new ArrayList<>(from.getNoticeConditions()));
        notices.put("annotations", new ArrayList<>(from.getNoticeAnnotations()));
        spec.put("notices", notices);
        var health = new LinkedHashMap<String, Object>();
        health.put("halfLife", GoDuration.text(from.getNodeHealthHalfLifeMillis()));
        health.put("excludeAt", from.getNodeHealthExcludeAt());
        spec.put("nodeHealth", health);
        return spec;
    }

    private static Map<String, Object> toleration(Toleration from) {
        var toleration = new LinkedHashMap<String, Object>();
        put(toleration, "key", from.getKey());
        if (from.getOperator() != TolerationOperator.EQUAL) {
            toleration.put("operator", words(from.getOperator()));
        }
        put(toleration, "value", from.getValue());
        @Nullable TaintEffect effect = from.getEffect();
        put(toleration, "effect", effect == null ? null : words(effect));
        return toleration;
    }

    private static @Nullable Map<String, Object> reason(@Nullable WaitReason from) {
        if (from == null) {
            return null;
        }
        var reason = new LinkedHashMap<String, Object>();
        reason.put("code", from.getCode());
        put(reason, "scope", from.getScope());
        put(reason, "message", from.getMessage());
        put(reason, "remedy", from.getRemedy());
        reason.put("since", from.getSince().toString());
        return reason;
    }

    /** By resource, as users write quantities. */
    private static Map<String, Object> amounts(@Nullable Map<String, Long> units) {
        var amounts = new TreeMap<String, Object>();
        if (units != null) {
            units.forEach(
                    (resource, amount) -> amounts.put(resource, Amount.text(resource, amount)));
        }
        return amounts;
    }
}
