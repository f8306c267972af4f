package dev.muster.sandbox.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a cluster can do that Kubernetes leaves off by default.
 *
 * @param features names of feature gates
 * @param apis groups with their versions, that the API server is to serve besides
 */
public record FeatureGates(List<String> features, List<String> apis) {
    /** Kubernetes as it comes. */
    public static final FeatureGates NONE = new FeatureGates(List.of(), List.of());

    /** The scheduler's own gangs: the pods of a {@code PodGroup} are bound together or not. */
    public static final FeatureGates GANGS =
            new FeatureGates(
                    List.of("GenericWorkload", "GangScheduling"),
                    List.of("scheduling.k8s.io/v1alpha2"));

    public FeatureGates {
        features = List.copyOf(features);
        apis = List.copyOf(apis);
    }

    /** Of each program. */
    List<String> flags() {
        return flag("--feature-gates", features);
    }

    List<String> flagsOfServer() {
        var flags = new ArrayList<>(flags());
        flags.addAll(flag("--runtime-config", apis));
        return flags;
    }

    private static List<String> flag(String name, List<String> switchedOn) {
        return switchedOn.isEmpty()
                ? List.of()
                : List.of(
                        switchedOn.stream()
                                .map(each -> each + "=true")
                                .collect(Collectors.joining(",", name + "=", "")));
    }
}
