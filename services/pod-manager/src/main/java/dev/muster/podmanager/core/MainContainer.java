package dev.muster.podmanager.core;

import io.fabric8.kubernetes.api.model.Container;
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

    static Container of(Plan.Role role) {
        int index = indexOf(role);
        return role.template().getSpec().getContainers().get(index);
    }
}
