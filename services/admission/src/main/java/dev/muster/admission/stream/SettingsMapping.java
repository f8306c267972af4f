package dev.muster.admission.stream;

import dev.muster.admission.core.PodNeeds;
import dev.muster.admission.core.PoolSettings;
import dev.muster.admission.core.QueueSettings;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns queues and pools of the contract into the core's own. */
final class SettingsMapping {
    private SettingsMapping() {}

    static QueueSettings toCore(QueueSpec spec) {
        return new QueueSettings(
                spec.getPool(),
                spec.getWeight(),
                spec.getMaxWaiting(),
                spec.getGuaranteed(),
                spec.getLimit(),
                spec.getBorrowLimit(),
                spec.getLendLimit(),
                spec.getMaxRunning(),
                spec.getOrder() != QueueOrder.UNKNOWN,
                Duration.ofMillis(spec.getReserveAfterMillis()),
                spec.getDefaultPriority(),
                spec.getNamespaces(),
                spec.getGroup());
    }

    static PoolSettings toCore(PoolSpec spec) {
        return new PoolSettings(
                spec.getNumber(),
                spec.getNodeSelector(),
                Duration.ofMillis(spec.getMinimumRunMillis()),
                spec.getPreemptionBudget(),
                spec.getPriorityClasses(),
                Duration.ofMillis(spec.getAgingStepMillis()),
                spec.getAgingMost(),
                spec.getSpotSelector(),
                spec.getSpotTolerations().stream().map(SettingsMapping::toleration).toList(),
                new PoolSettings.Backing(
                        spec.getBackend() != Backend.NONE,
                        spec.getCapacity() == Capacity.DELEGATED,
                        spec.getBackendQueue()),
                Map.of(
                        "taints", spec.getNoticeTaints(),
                        "conditions", spec.getNoticeConditions(),
                        "annotations", spec.getNoticeAnnotations()),
                new PoolSettings.NodeHealth(
                        Duration.ofMillis(spec.getNodeHealthHalfLifeMillis()),
                        spec.getNodeHealthExcludeAt()),
                unknown(spec));
    }

    private static PodNeeds.Toleration toleration(Toleration toleration) {
        return new PodNeeds.Toleration(
                toleration.getKey(),
                toleration.getOperator() == TolerationOperator.EXISTS,
                toleration.getValue(),
                effect(toleration.getEffect()));
    }

    private static PodNeeds.@Nullable Effect effect(@Nullable TaintEffect effect) {
        return effect == null || effect == TaintEffect.UNKNOWN
                ? null
                : PodNeeds.Effect.valueOf(effect.name());
    }

    private static List<String> unknown(PoolSpec spec) {
        var paths = new ArrayList<String>();
        if (spec.getBackend() == Backend.UNKNOWN) {
            paths.add("spec.backend");
        }
        if (spec.getCapacity() == Capacity.UNKNOWN) {
            paths.add("spec.capacity");
        }
        if (spec.getPolicy() == QueuePolicy.UNKNOWN) {
            paths.add("spec.policy");
        }
        if (spec.getPreemption() == Preemption.UNKNOWN) {
            paths.add("spec.preemption");
        }
        for (int i = 0; i < spec.getSpotTolerations().size(); i++) {
            var toleration = spec.getSpotTolerations().get(i);
            if (toleration.getOperator() == TolerationOperator.UNKNOWN) {
                paths.add("spec.spot.tolerations[" + i + "].operator");
            }
            if (toleration.getEffect() == TaintEffect.UNKNOWN) {
                paths.add("spec.spot.tolerations[" + i + "].effect");
            }
        }
        return paths;
    }
}
