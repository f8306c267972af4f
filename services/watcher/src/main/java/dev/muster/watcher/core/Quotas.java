package dev.muster.watcher.core;

import dev.muster.watcher.core.Quota.Scope;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaSpec;
import io.fabric8.kubernetes.api.model.ScopedResourceSelectorRequirement;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads what a ResourceQuota allows pods of ours.
 *
 * <p>One with scopes counts only if it holds for every pod that asks for something and may run for
 * ever, as ours mostly do: {@code NotBestEffort}, {@code NotTerminating}, or both. Skipped is
 * whatever names {@code BestEffort}, {@code Terminating}, {@code PriorityClass}, {@code
 * CrossNamespacePodAffinity}, {@code VolumeAttributesClass} or a scope that is not known here: for
 * which pods of a job they hold shows when the API server refuses one, and a job must not wait for
 * a quota that was not meant for it.
 */
public final class Quotas {
    private static final String NOT_BEST_EFFORT = "NotBestEffort";
    private static final String NOT_TERMINATING = "NotTerminating";
    private static final Set<String> KNOWN_SCOPES = Set.of(NOT_BEST_EFFORT, NOT_TERMINATING);
    private static final Set<String> WITH_LIMITS = Set.of("cpu", "memory", "ephemeral-storage");
    private static final String REQUESTS = "requests.";
    private static final String LIMITS = "limits.";
    private static final String OBJECTS = "count/pods";
    private static final String HUGE_PAGES = "hugepages-";

    private Quotas() {}

    /** A quota that cannot apply to pods of ours allows nothing and forbids nothing. */
    public static Quota read(ResourceQuota quota) {
        var hard = new TreeMap<String, Long>();
        var spec = quota.getSpec();
        var scopes = spec == null ? Set.<String>of() : scopes(spec);
        if (spec != null && KNOWN_SCOPES.containsAll(scopes)) {
            Quantities.exact(spec.getHard())
                    .forEach((word, amount) ->
                            nameOf(word)
                                    .ifPresent(name ->
                                            hard.merge(
                                                    name,
                                                    amount.unitsOf(resourceOf(name)),
                                                    Math::min)));
        }
        var meta = quota.getMetadata();
        var scope = new Scope(!scopes.contains(NOT_TERMINATING), !scopes.contains(NOT_BEST_EFFORT));
        return new Quota(meta.getNamespace(), meta.getName(), scope, hard);
    }

    private static Set<String> scopes(ResourceQuotaSpec spec) {
        var selector = spec.getScopeSelector();
        var selected =
                selector == null
                        ? Stream.<String>of()
                        : selector.getMatchExpressions().stream()
                                .map(ScopedResourceSelectorRequirement::getScopeName);
        return Stream.concat(spec.getScopes().stream(), selected)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * What a quota counts, if it is of pods: a resource of their demand, {@code limits.} and a
     * resource, or how many there are, ended or not.
     */
    private static Optional<String> nameOf(String word) {
        if (word.equals(OBJECTS) || word.equals("pods")) {
            return Optional.of(word);
        }
        if (word.startsWith(LIMITS)) {
            return Optional.of(word).filter(limits -> WITH_LIMITS.contains(resourceOf(limits)));
        }
        if (!word.startsWith(REQUESTS)) {
            return Optional.of(word).filter(Quotas::isOfPods);
        }
        return Optional.of(word.substring(REQUESTS.length()))
                .filter(resource -> isOfPods(resource) || resource.contains("/"));
    }

    private static String resourceOf(String name) {
        return name.startsWith(LIMITS) ? name.substring(LIMITS.length()) : name;
    }

    /** What a pod counts in quotas, by the names that they have here: once ended, as an object. */
    static Map<String, Long> counted(WatchedPod pod) {
        if (pod.ended()) {
            return Map.of(OBJECTS, 1L);
        }
        var counted = new TreeMap<>(pod.demand());
        counted.put(OBJECTS, 1L);
        pod.limits()
                .forEach((resource, amount) -> {
                    if (WITH_LIMITS.contains(resource)) {
                        counted.put(LIMITS + resource, amount);
                    }
                });
        return counted;
    }

    private static boolean isOfPods(String resource) {
        return WITH_LIMITS.contains(resource) || resource.startsWith(HUGE_PAGES);
    }
}
