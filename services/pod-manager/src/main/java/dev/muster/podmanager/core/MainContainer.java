package dev.muster.podmanager.core;

import dev.muster.schemas.demand.GrownRequest;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The container of a template that trains. */
final class MainContainer {
    private static final String MEMORY = "memory";
    private static final String NEVER = "Never";
    private static final String ON_FAILURE = "OnFailure";

    /** The end of its log is kept with its status, where it fails and writes no message itself. */
    static final String MESSAGE_FROM_LOG = "FallbackToLogsOnError";

    private MainContainer() {}

    static int indexOf(Plan.Role role) {
        var spec = role.template().getSpec();
        var containers = spec == null ? List.<Container>of() : spec.getContainers();
        for (int i = 0; i < containers.size(); i++) {
            if (role.mainContainer().equals(containers.get(i).getName())) {
                return i;
            }
        }
        throw new IllegalArgumentException(
                "the template of role %s has no container %s"
                        .formatted(role.name(), role.mainContainer()));
    }

    /** Where the main container has a policy of its own that of the role is not for the others. */
    static String policyOfPod(Plan.Role role) {
        var spec = role.template().getSpec();
        boolean isOwn = spec.getContainers().get(indexOf(role)).getRestartPolicy() != null;
        var policy = spec.getRestartPolicy();
        boolean restarts =
                isOwn ? policy != null && !policy.equals(NEVER) : role.restartOnFailure();
        return restarts ? ON_FAILURE : NEVER;
    }

    /** Its own; null: that of the pod. A training container that exits with 0 is done. */
    static @Nullable String policy(Container main) {
        var policy = main.getRestartPolicy();
        return policy == null || policy.equals(NEVER) ? policy : ON_FAILURE;
    }

    /**
     * Where its last words are taken from: the pod, and its log, may be gone when they are asked
     * for.
     */
    static String lastWords(Container main) {
        var policy = main.getTerminationMessagePolicy();
        return policy == null || policy.isEmpty() ? MESSAGE_FROM_LOG : policy;
    }

    /**
     * What it asks for with so much memory in bytes: as its limit, its request keeping its
     * proportion to that, or as its request where it has no limit.
     */
    static ResourceRequirements withMemory(long bytes, Container main) {
        var had = main.getResources();
        if (had == null) {
            return new ResourceRequirementsBuilder().addToRequests(MEMORY, bytes(bytes)).build();
        }
        var resources = new ResourceRequirementsBuilder(had);
        var limit = memory(had.getLimits());
        if (limit == null) {
            return resources.addToRequests(MEMORY, bytes(bytes)).build();
        }
        var request = memory(had.getRequests());
        long asked =
                request == null || request >= limit
                        ? bytes
                        : GrownRequest.of(request, limit, bytes);
        return resources
                .addToLimits(MEMORY, bytes(bytes))
                .addToRequests(MEMORY, bytes(asked))
                .build();
    }

    private static Quantity bytes(long bytes) {
        return new Quantity(String.valueOf(bytes));
    }

    /** As the coordinator counts it; null: none is named. */
    private static @Nullable Long memory(@Nullable Map<String, Quantity> named) {
        var memory = named == null ? null : named.get(MEMORY);
        var exact = memory == null ? null : dev.muster.schemas.demand.Quantity.parse(text(memory));
        return exact == null ? null : Long.valueOf(exact.unitsOf(MEMORY));
    }

    private static String text(Quantity quantity) {
        var format = quantity.getFormat();
        return quantity.getAmount() + (format == null ? "" : format);
    }

    static Container of(Plan.Role role) {
        int index = indexOf(role);
        return role.template().getSpec().getContainers().get(index);
    }
}
