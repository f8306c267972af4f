package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.model.Event.ContainerEnd;
import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Failure;
import dev.muster.coordinator.core.model.Failure.Cause;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What Kubernetes says of a pod that failed, and what is to be made of it. */
enum ContainerFate {
    OUT_OF_MEMORY(137, "OOMKilled", "", Cause.SIGNAL, "OOMKilled"),
    TOLD_TO_END(143, "Error", "", Cause.SIGNAL, "Error"),
    FAULTY(139, "Error", "", Cause.SIGNAL, "Error"),
    SILENT(134, "", "", Cause.SIGNAL, "Error"),
    NOT_STARTED(128, "StartError", "", Cause.CONFIG, "StartError"),
    FORGOTTEN(137, "ContainerStatusUnknown", "", Cause.INFRASTRUCTURE, "NodeLost"),
    DELETED(143, "Error", "", Cause.INFRASTRUCTURE, "PodDeleted"),
    EVICTED(137, "Error", "Evicted", Cause.INFRASTRUCTURE, "Evicted"),
    SHUT_DOWN(143, "Error", "Terminated", Cause.INFRASTRUCTURE, "NodeShutdown"),
    OVERTIME(143, "Error", "DeadlineExceeded", Cause.EXIT_CODE, "DeadlineExceeded"),
    WITHOUT_DEVICE(
            null, "", "UnexpectedAdmissionError", Cause.INFRASTRUCTURE, "UnexpectedAdmissionError"),
    WITHOUT_ROOM(null, "", "OutOfcpu", Cause.INFRASTRUCTURE, "OutOfcpu");

    private static final List<ContainerFate> OF_CONTAINERS =
            List.of(OUT_OF_MEMORY, TOLD_TO_END, FAULTY, SILENT, NOT_STARTED, FORGOTTEN);

    private final @Nullable Integer code;
    private final String ofContainer;
    private final String ofPod;
    private final Cause cause;
    private final String called;

    ContainerFate(
            @Nullable Integer code, String ofContainer, String ofPod, Cause cause, String called) {
        this.code = code;
        this.ofContainer = ofContainer;
        this.ofPod = ofPod;
        this.cause = cause;
        this.called = called;
    }

    static ContainerFate ofPod(Random random) {
        return random.nextBoolean() ? OUT_OF_MEMORY : values()[random.nextInt(values().length)];
    }

    /** One after which its pod may go on. */
    static ContainerFate ofContainer(Random random) {
        return random.nextBoolean()
                ? OUT_OF_MEMORY
                : OF_CONTAINERS.get(random.nextInt(OF_CONTAINERS.size()));
    }

    @Nullable ContainerEnd end() {
        return code == null ? null : new ContainerEnd(code, ofContainer, "");
    }

    /** The same pod, which has failed so. */
    Pod failed(Pod pod) {
        return new Pod(
                pod.mark(),
                pod.resourceVersion(),
                PodPhase.FAILED,
                pod.node(),
                false,
                this == DELETED,
                false,
                end(),
                null,
                ofPod,
                "",
                pod.runs());
    }

    boolean is(Failure failure) {
        return failure.isBy(cause) && failure.reason().equals(called);
    }
}
