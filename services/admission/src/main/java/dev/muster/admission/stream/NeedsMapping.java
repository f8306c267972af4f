package dev.muster.admission.stream;

import dev.muster.admission.core.PodNeeds;
import dev.muster.v1.MainMemory;
import dev.muster.v1.NodeRequirement;
import dev.muster.v1.NodeTerm;
import dev.muster.v1.PodRange;
import dev.muster.v1.PodRestart;
import dev.muster.v1.PodTerm;
import dev.muster.v1.SelectorOperator;
import dev.muster.v1.TaintEffect;
import dev.muster.v1.Toleration;
import dev.muster.v1.TolerationOperator;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Turns what a pod needs into the contract's record; enums have the same names on both sides. */
final class NeedsMapping {
    private NeedsMapping() {}

    static dev.muster.v1.PodNeeds toAvro(PodNeeds needs, int world) {
        return new dev.muster.v1.PodNeeds(
                needs.role(),
                needs.demand(),
                needs.limits(),
                needs.nodeSelector(),
                needs.nodeAffinity().stream()
                        .map(term ->
                                new NodeTerm(
                                        term.requirements().stream()
                                                .map(NeedsMapping::requirement)
                                                .toList()))
                        .toList(),
                needs.tolerations().stream().map(NeedsMapping::toleration).toList(),
                PodRestart.valueOf(needs.restart().name()),
                needs.mainContainer(),
                needs.onePerNode(),
                memory(needs.mainMemory()),
                world,
                millis(needs.graceSeconds()),
                needs.apartFrom().stream()
                        .map(ranks -> new PodRange(ranks.role(), ranks.first(), ranks.end()))
                        .toList(),
                needs.labels(),
                needs.shuns().stream().map(NeedsMapping::term).toList());
    }

    private static PodTerm term(PodNeeds.PodTerm term) {
        return new PodTerm(
                term.namespaces(),
                term.requirements().stream().map(NeedsMapping::requirement).toList());
    }

    private static @Nullable Long millis(@Nullable Long seconds) {
        return seconds == null ? null : Duration.ofSeconds(seconds).toMillis();
    }

    private static @Nullable MainMemory memory(PodNeeds.@Nullable MainMemory memory) {
        return memory == null
                ? null
                : new MainMemory(
                        memory.asked(), memory.besides(), memory.limitBesides(), memory.request());
    }

    private static NodeRequirement requirement(PodNeeds.Requirement requirement) {
        return new NodeRequirement(
                requirement.key(),
                SelectorOperator.valueOf(requirement.operator().name()),
                requirement.values(),
                requirement.field());
    }

    private static Toleration toleration(PodNeeds.Toleration toleration) {
        return new Toleration(
                toleration.key(),
                toleration.exists() ? TolerationOperator.EXISTS : TolerationOperator.EQUAL,
                toleration.value(),
                effect(toleration.effect()));
    }

    private static @Nullable TaintEffect effect(PodNeeds.@Nullable Effect effect) {
        return effect == null ? null : TaintEffect.valueOf(effect.name());
    }
}
