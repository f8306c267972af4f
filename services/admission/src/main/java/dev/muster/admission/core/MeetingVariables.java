package dev.muster.admission.core;

import dev.muster.admission.core.TrainJob.Role;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Variables of users by which processes of pytorch meet. Muster sets none of theirs, and tells
 * everybody else the port at which rank 0 is told to listen; what cannot agree is warned of.
 */
final class MeetingVariables {
    private static final String PORT = "MASTER_PORT";
    private static final int LARGEST_PORT = 65_535;

    /** What torchrun reads, alike in all pods. */
    private static final List<String> ALIKE =
            List.of("PET_RDZV_ENDPOINT", "PET_RDZV_BACKEND", "PET_RDZV_ID");

    private final TrainJob.Spec spec;
    private final Problems warnings;

    MeetingVariables(TrainJob.Spec spec, Problems warnings) {
        this.spec = spec;
        this.warnings = warnings;
    }

    /** A variable as it stands in a template. */
    private record Said(JsonObject variable) {
        String path() {
            return variable.at("value");
        }

        /** Empty: the kubelet alone knows it. */
        String value() {
            return Objects.requireNonNullElse(variable.text("value"), "");
        }

        @Nullable Integer port() {
            int port = value().matches("[1-9][0-9]{0,4}") ? Integer.parseInt(value()) : 0;
            return port == 0 || port > LARGEST_PORT ? null : port;
        }
    }

    /**
     * @param together roles that train together
     * @param first whose first pod is rank 0
     */
    void check(List<Role> together, Role first) {
        var port = said(first, PORT);
        if (port != null) {
            checkFirst(together, first, port);
        }
        var agreed =
                port != null
                        ? port.port()
                        : first.hostNetwork() ? null : (Integer) spec.masterPort();
        for (var role : together) {
            var own = role.equals(first) ? null : said(role, PORT);
            warnings.unless(
                    own == null || Objects.equals(own.port(), agreed) && agreed != null,
                    own == null ? "" : own.path(),
                    own == null ? "" : own.value(),
                    "is not known to be where rank 0 listens%s: leave it out, and Muster tells it"
                            .formatted(agreed == null ? "" : ", which is " + agreed));
        }
        ALIKE.forEach(name -> checkAlike(together, name));
    }

    private void checkFirst(List<Role> together, Role first, Said port) {
        if (port.port() == null) {
            warnings.unless(
                    together.size() == 1 && !first.hostNetwork(),
                    port.path(),
                    port.value(),
                    "is no number that could be told to the other roles: say it here, or in"
                            + " spec.masterPort");
        } else {
            warnings.unless(
                    !first.hostNetwork(),
                    port.path(),
                    port.value(),
                    "is not kept free on the node's network, where others may listen: leave it out,"
                            + " and a free port is chosen and told to all");
        }
    }

    private void checkAlike(List<Role> together, String name) {
        var values =
                together.stream()
                        .map(role -> said(role, name))
                        .map(said -> said == null ? null : said.value())
                        .toList();
        for (int i = 0; i < together.size(); i++) {
            var said = said(together.get(i), name);
            if (said != null && values.stream().distinct().count() > 1) {
                warnings.add(
                        said.path(),
                        said.value(),
                        "must be the same in all roles that train together, or be left out of all");
                return;
            }
        }
    }

    private @Nullable Said said(Role role, String name) {
        // What is wrong with a template is told when it is read.
        var content =
                Objects.requireNonNullElse(role.template().content(), Map.<String, Object>of());
        var path = "spec.roles[%d].template".formatted(spec.roles().indexOf(role));
        var pod = new JsonObject(path, content, new Problems()).object("spec");
        var containers = pod.objects("containers");
        return containers.stream()
                .filter(container -> "main".equals(container.text("name")))
                .findFirst()
                .or(() -> containers.stream().findFirst())
                .stream()
                .flatMap(main -> main.objects("env").stream())
                .filter(variable -> name.equals(variable.text("name")))
                .findFirst()
                .map(Said::new)
                .orElse(null);
    }
}
