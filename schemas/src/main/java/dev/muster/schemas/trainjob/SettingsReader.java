package dev.muster.schemas.trainjob;

import dev.muster.v1.Backend;
import dev.muster.v1.Capacity;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.Preemption;
import dev.muster.v1.QueueOrder;
import dev.muster.v1.QueuePolicy;
import dev.muster.v1.QueueSpec;
import dev.muster.v1.TaintEffect;
import dev.muster.v1.Toleration;
import dev.muster.v1.TolerationOperator;

/** Maps the checked document of a queue or a pool; what is absent has the contract's default. */
final class SettingsReader {
    private SettingsReader() {}

    static QueueSpec queue(Fields document) {
        var to = QueueSpec.newBuilder();
        document.object(
                "spec",
                spec -> {
                    spec.text("pool", to::setPool);
                    spec.number("weight", to::setWeight);
                    spec.flag("paused", to::setPaused);
                    spec.flag("backfill", to::setBackfill);
                    spec.number("maxWaiting", to::setMaxWaiting);
                    shares(spec, to);
                    spec.number("maxRunning", to::setMaxRunning);
                    spec.constant("order", QueueOrder.class, to::setOrder);
                    spec.duration("reserveAfter", to::setReserveAfterMillis);
                    spec.number("defaultPriority", to::setDefaultPriority);
                    spec.list(
                            "namespaces",
                            namespace -> namespace.object().asString(),
                            to::setNamespaces);
                    spec.text("group", to::setGroup);
                    spec.flag("draining", to::setDraining);
                });
        return to.build();
    }

    private static void shares(Fields spec, QueueSpec.Builder to) {
        spec.amounts("guaranteed", to::setGuaranteed);
        spec.amounts("limit", to::setLimit);
        spec.flag("borrowing", to::setBorrowing);
        spec.amounts("borrowLimit", to::setBorrowLimit);
        spec.amounts("lendLimit", to::setLendLimit);
    }

    static PoolSpec pool(Fields document) {
        var to = PoolSpec.newBuilder();
        document.object(
                "spec",
                spec -> {
                    spec.number("number", to::setNumber);
                    spec.texts("nodeSelector", to::setNodeSelector);
                    spec.constant("backend", Backend.class, to::setBackend);
                    spec.constant("capacity", Capacity.class, to::setCapacity);
                    spec.text("backendQueue", to::setBackendQueue);
                    spec.constant("policy", QueuePolicy.class, to::setPolicy);
                    spec.constant("preemption", Preemption.class, to::setPreemption);
                    spec.duration("minimumRun", to::setMinimumRunMillis);
                    spec.number("preemptionBudget", to::setPreemptionBudget);
                    spec.numbers("priorityClasses", to::setPriorityClasses);
                    spec.object("aging", aging -> aging(aging, to));
                    spec.object("spot", spot -> spot(spot, to));
                    spec.object("notices", notices -> notices(notices, to));
                    spec.object("nodeHealth", health -> nodeHealth(health, to));
                });
        return to.build();
    }

    private static void aging(Fields aging, PoolSpec.Builder to) {
        aging.duration("step", to::setAgingStepMillis);
        aging.number("most", to::setAgingMost);
    }

    private static void spot(Fields spot, PoolSpec.Builder to) {
        spot.texts("nodeSelector", to::setSpotSelector);
        spot.list("tolerations", SettingsReader::toleration, to::setSpotTolerations);
    }

    private static void notices(Fields notices, PoolSpec.Builder to) {
        notices.list("taints", key -> key.object().asString(), to::setNoticeTaints);
        notices.list("conditions", type -> type.object().asString(), to::setNoticeConditions);
        notices.list("annotations", key -> key.object().asString(), to::setNoticeAnnotations);
    }

    private static void nodeHealth(Fields health, PoolSpec.Builder to) {
        health.duration("halfLife", to::setNodeHealthHalfLifeMillis);
        health.number("excludeAt", to::setNodeHealthExcludeAt);
    }

    private static Toleration toleration(Fields from) {
        var to = Toleration.newBuilder();
        from.text("key", to::setKey);
        from.constant("operator", TolerationOperator.class, to::setOperator);
        from.text("value", to::setValue);
        from.constant("effect", TaintEffect.class, to::setEffect);
        return to.build();
    }
}
