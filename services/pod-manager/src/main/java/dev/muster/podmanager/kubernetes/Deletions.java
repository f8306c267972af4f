package dev.muster.podmanager.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.podmanager.core.Action.Delete;
import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;

/** How something is deleted, and what the answer says. */
final class Deletions {
    private Deletions() {}

    /**
     * What an API server answers to a deletion: a Status where nothing is left, or the object as it
     * was last. A pod that had no time left to end, since it had ended, shows that it was given
     * none. What has finalizers is there until they are gone.
     */
    static boolean isGone(JsonNode answer) {
        var metadata = answer.path("metadata");
        boolean isFinal = metadata.path("finalizers").isEmpty();
        return switch (answer.path("kind").asText("")) {
            case "Status" -> answer.path("status").asText("").equals("Success");
            case "Pod" -> isFinal && metadata.path("deletionGracePeriodSeconds").asLong(-1) == 0;
            case "Service" -> isFinal;
            default -> false;
        };
    }

    static DeleteOptions options(Delete delete) {
        return new DeleteOptionsBuilder()
                .withApiVersion("v1")
                .withKind("DeleteOptions")
                .withNewPreconditions(null, delete.uid())
                .withGracePeriodSeconds(delete.graceSeconds())
                .withPropagationPolicy("Background")
                .build();
    }
}
