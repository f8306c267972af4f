package dev.muster.podmanager.core;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.List;

/** The container of a template that trains. */
final class MainContainer {
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

    /** What it asks for with so much memory in bytes; a limit it gets only where it has one. */
    static ResourceRequirements withMemory(long bytes, Container main) {
        var memory = new Quantity(String.valueOf(bytes));
        var had = main.getResources();
        var resources =
                had == null
                        ? new ResourceRequirementsBuilder()
                        : new ResourceRequirementsBuilder(had);
        resources.addToRequests("memory", memory);
        if (had != null && had.getLimits() != null && had.getLimits().containsKey("memory")) {
            resources.addToLimits("memory", memory);
        }
        return resources.build();
    }

    static Container of(Plan.Role role) {
        int index = indexOf(role);
        return role.template().getSpec().getContainers().get(index);
    }
}
