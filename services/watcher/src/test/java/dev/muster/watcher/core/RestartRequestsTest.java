package dev.muster.watcher.core;

import static dev.muster.watcher.core.ShardAtNoon.DEFAULT;
import static dev.muster.watcher.core.ShardAtNoon.ONE;
import static dev.muster.watcher.core.ShardAtNoon.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.watcher.core.Report.SnapshotBegin;
import dev.muster.watcher.core.Report.SnapshotEnd;
import dev.muster.watcher.core.ShardEvent.Kind;
import dev.muster.watcher.core.ShardEvent.Listed;
import dev.muster.watcher.core.ShardEvent.RestartFailed;
import dev.muster.watcher.core.ShardEvent.RestartRequestDeleted;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RestartRequestsTest {
    private static final String KILL_FAILED =
            "{phase: Completed, containerRecreateStates:"
                    + " [{name: main, phase: Failed, message: no runtime}]}";

    private final RestartRequests requests = new RestartRequests(new Pods("muster"));
    private final ShardAtNoon noon = new ShardAtNoon(0);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                KILL_FAILED + " | no runtime",
                "{phase: Completed, message: daemon has not responded for a long time}"
                        + " | daemon has not responded for a long time",
                "{phase: Completed, message: too late, containerRecreateStates:"
                        + " [{name: main, phase: Failed, message: too late}]} | too late",
                "{phase: Recreating, containerRecreateStates: [{name: main, phase: Failed}]} | ''",
                "{phase: Failed, message: no} | no"
            })
    void whatIsGivenUpSaysWhy(String status, String message) {
        assertThat(requests.read(request("muster", status))).contains(failed(message));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{phase: Pending}",
                "{phase: Recreating}",
                "{phase: Recreating, containerRecreateStates: [{name: main, phase: Recreating}]}",
                "{phase: Completed, containerRecreateStates: [{name: main, phase: Succeeded}]}"
            })
    void whatIsUnderWayOrDoneIsNotGivenUp(String status) {
        assertThat(requests.read(request("muster", status))).isEmpty();
    }

    @Test
    void aRequestOfSomebodyElseIsNone() {
        assertThat(requests.read(request("another", KILL_FAILED))).isEmpty();
        var bare = request("muster", KILL_FAILED);
        bare.getMetadata().setLabels(null);
        assertThat(requests.read(bare)).isEmpty();
    }

    @Test
    void itIsToldOnceAndInEachSnapshotWhileItIsThere() {
        noon.ready(ONE);
        var report = new Report.RestartFailed(failed("no"));
        assertThat(noon.on(new RestartFailed(failed("no")))).containsExactly(to(DEFAULT, report));
        assertThat(noon.on(new RestartFailed(failed("no")))).isEmpty();
        assertThat(noon.on(new Listed(Kind.PODS)))
                .containsExactly(
                        to(DEFAULT, new SnapshotBegin("0-7-2")),
                        to(DEFAULT, report),
                        to(DEFAULT, new SnapshotEnd("0-7-2")));
        noon.on(new RestartRequestDeleted("ml", "resnet-worker-1-9"));
        assertThat(noon.on(new Listed(Kind.PODS)))
                .containsExactly(
                        to(DEFAULT, new SnapshotBegin("0-7-3")),
                        to(DEFAULT, new SnapshotEnd("0-7-3")));
    }

    private static FailedRestart failed(String message) {
        var pod =
                new PodIdentity(
                        new Job("ml", "resnet", "3-7"),
                        "worker",
                        1,
                        2,
                        9,
                        5,
                        "resnet-worker-1",
                        "pod-uid");
        return new FailedRestart("default", "resnet-worker-1-9", pod, 41, message);
    }

    private static GenericKubernetesResource request(String installation, String status) {
        var text =
                """
                apiVersion: apps.kruise.io/v1alpha1
                kind: ContainerRecreateRequest
                metadata:
                  name: resnet-worker-1-9
                  namespace: ml
                  resourceVersion: "41"
                  labels:
                    muster.dev/installation: %s
                    muster.dev/job: resnet
                    muster.dev/uid: 3-7
                    muster.dev/pool: default
                    muster.dev/role: worker
                    muster.dev/index: "1"
                    muster.dev/attempt: "2"
                    muster.dev/incarnation: "9"
                    muster.dev/plan: "5"
                  ownerReferences:
                  - {apiVersion: v1, kind: Pod, name: resnet-worker-1, uid: pod-uid}
                spec: {podName: resnet-worker-1, containers: [{name: main}]}
                status: %s
                """
                        .formatted(installation, status);
        return Objects.requireNonNull(
                Serialization.unmarshal(text, GenericKubernetesResource.class));
    }
}
