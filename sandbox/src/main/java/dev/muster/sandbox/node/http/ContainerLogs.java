package dev.muster.sandbox.node.http;

import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The pods of a node and the logs of their containers. */
public interface ContainerLogs {
    /** All that the node knows, as the API server showed them last. */
    List<Pod> pods();

    /** The log of a container, or of what it was before its last restart. */
    Answer find(String namespace, String pod, String container, boolean previous);

    /** Where a log is, or why there is none. */
    sealed interface Answer {
        /**
         * There it is.
         *
         * @param growing whether its container still runs
         */
        record Found(Path log, BooleanSupplier growing) implements Answer {}

        /** There is no such pod or container. */
        record Unknown(String message) implements Answer {}

        /** There is no such log. */
        record Nothing(String message) implements Answer {}
    }
}
