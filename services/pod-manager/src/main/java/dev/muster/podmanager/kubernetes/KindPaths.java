package dev.muster.podmanager.kubernetes;

import dev.muster.podmanager.core.Kind;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** Where the API server has the objects of each kind. */
final class KindPaths {
    private static final String VOLCANO = "/apis/scheduling.volcano.sh/v1beta1";

    private static final String KRUISE = "/apis/apps.kruise.io/v1alpha1";

    private KindPaths() {}

    static String path(Kind kind, HasMetadata object) {
        return path(kind, object.getMetadata().getNamespace())
                + "/"
                + object.getMetadata().getName();
    }

    static String path(Kind kind, String namespace) {
        return group(kind) + "/namespaces/" + namespace + "/" + plural(kind);
    }

    static String group(Kind kind) {
        return switch (kind) {
            case POD, SERVICE, HOST_LIST, LAUNCHING_SECRET -> "/api/v1";
            case DISRUPTION_BUDGET -> "/apis/policy/v1";
            case VOLCANO_GROUP -> VOLCANO;
            case RESTART_REQUEST -> KRUISE;
        };
    }

    static String plural(Kind kind) {
        return switch (kind) {
            case POD -> "pods";
            case SERVICE -> "services";
            case DISRUPTION_BUDGET -> "poddisruptionbudgets";
            case HOST_LIST -> "configmaps";
            case LAUNCHING_SECRET -> "secrets";
            case VOLCANO_GROUP -> "podgroups";
            case RESTART_REQUEST -> "containerrecreaterequests";
        };
    }
}
