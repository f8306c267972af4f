package dev.muster.watcher.core;

import static dev.muster.watcher.core.Cluster.NAME;
import static dev.muster.watcher.core.Cluster.OURS;
import static dev.muster.watcher.core.Cluster.but;
import static dev.muster.watcher.core.Cluster.foreign;
import static dev.muster.watcher.core.Cluster.inPhase;
import static dev.muster.watcher.core.Cluster.ours;
import static dev.muster.watcher.core.Cluster.pod;
import static dev.muster.watcher.core.PodPhase.FAILED;
import static dev.muster.watcher.core.PodPhase.PENDING;
import static dev.muster.watcher.core.PodPhase.RUNNING;
import static dev.muster.watcher.core.PodPhase.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.schemas.contract.LabelNames;
import dev.muster.watcher.core.ContainerReport.State;
import dev.muster.watcher.core.WatchedPod.PodName;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PodsTest {
    private static final Pods PODS = new Pods("muster");
    private static final PodIdentity IDENTITY =
            new PodIdentity(
                    new Job("ml", "train", "3-4711"), "worker", 2, 1, 5, 7, NAME, "uid-of-" + NAME);

    @Test
    void aPodOfOursIsReportedWithItsFences() {
        assertThat(PODS.read(ours("train", null)))
                .isEqualTo(
                        new WatchedPod(
                                new PodName("ml", NAME),
                                null,
                                false,
                                Map.of("cpu", 1000L, "pods", 1L),
                                Map.of(),
                                QuotaTraits.USUAL,
                                null,
                                new PodReport(
                                        "default",
                                        IDENTITY,
                                        100,
                                        new PodStatus(
                                                PENDING, "", "", null, "", false, false, false),
                                        List.of(),
                                        List.of())));
    }

    @Test
    void aForeignPodIsReadForItsUseOnly() {
        assertThat(PODS.read(foreign("b", "n1", "2")))
                .isEqualTo(
                        new WatchedPod(
                                new PodName("ml", "b"),
                                "n1",
                                false,
                                Map.of("cpu", 2000L, "pods", 1L),
                                Map.of(),
                                QuotaTraits.USUAL,
                                null,
                                null));
    }

    @Test
    void theStatusIsReportedAsTheKubeletWroteIt() {
        var pod =
                new PodBuilder(ours("train", "n1"))
                        .editMetadata()
                        .withDeletionTimestamp("2026-01-01T00:00:00Z")
                        .endMetadata()
                        .editStatus()
                        .withPhase("Running")
                        .withReason("Evicted")
                        .withMessage("low on memory")
                        .withPodIP("127.1.2.3")
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .addNewInitContainerStatus()
                        .withName("init")
                        .withNewState()
                        .withNewWaiting()
                        .withReason("PodInitializing")
                        .endWaiting()
                        .endState()
                        .endInitContainerStatus()
                        .addNewContainerStatus()
                        .withName("main")
                        .withReady(true)
                        .withRestartCount(2)
                        .withNewState()
                        .withNewRunning()
                        .endRunning()
                        .endState()
                        .withNewLastState()
                        .withNewTerminated()
                        .withExitCode(137)
                        .withReason("OOMKilled")
                        .endTerminated()
                        .endLastState()
                        .endContainerStatus()
                        .addNewContainerStatus()
                        .withName("side")
                        .withNewState()
                        .withNewTerminated()
                        .withExitCode(3)
                        .withSignal(9)
                        .withReason("Error")
                        .withMessage("boom")
                        .endTerminated()
                        .endState()
                        .endContainerStatus()
                        .endStatus()
                        .build();
        var running =
                new ContainerReport(
                        "main", State.RUNNING, true, 2, null, null, "", "", 137, "OOMKilled");
        var ended =
                new ContainerReport(
                        "side", State.TERMINATED, false, 0, 3, 9, "Error", "boom", null, "");
        var waiting =
                new ContainerReport(
                        "init",
                        State.WAITING,
                        false,
                        0,
                        null,
                        null,
                        "PodInitializing",
                        "",
                        null,
                        "");
        assertThat(PODS.read(pod).report())
                .isEqualTo(
                        new PodReport(
                                "default",
                                IDENTITY,
                                100,
                                new PodStatus(
                                        RUNNING,
                                        "Evicted",
                                        "low on memory",
                                        "n1",
                                        "127.1.2.3",
                                        true,
                                        true,
                                        false),
                                List.of(running, ended),
                                List.of(waiting)));
    }

    @Test
    void sidecarsAreBesideTheOthersAndNotBeforeThem() {
        var pod =
                new PodBuilder(ours("train", "n1"))
                        .editSpec()
                        .addNewInitContainer()
                        .withName("proxy")
                        .withRestartPolicy("Always")
                        .endInitContainer()
                        .addNewInitContainer()
                        .withName("init")
                        .endInitContainer()
                        .endSpec()
                        .editStatus()
                        .addNewInitContainerStatus()
                        .withName("proxy")
                        .withRestartCount(7)
                        .endInitContainerStatus()
                        .addNewInitContainerStatus()
                        .withName("init")
                        .withRestartCount(1)
                        .endInitContainerStatus()
                        .addNewContainerStatus()
                        .withName("main")
                        .endContainerStatus()
                        .endStatus()
                        .build();
        var report = Objects.requireNonNull(PODS.read(pod).report());
        assertThat(report.containers())
                .extracting(ContainerReport::name)
                .containsExactly("main", "proxy");
        assertThat(report.initContainers())
                .extracting(ContainerReport::name)
                .containsExactly("init");
    }

    @ParameterizedTest
    @CsvSource({
        "muster.dev/installation, other",
        "muster.dev/index, -1",
        "muster.dev/index, 2147483648",
        "muster.dev/attempt, one",
        "muster.dev/incarnation, ''",
        "muster.dev/plan, 9999999999999999999"
    })
    void aPodWhoseLabelsDoNotBearItOutIsForeign(String label, String value) {
        var pod = PODS.read(pod(NAME, "n1", "1", but(OURS, label, value)));
        assertThat(pod.report()).isNull();
        assertThat(pod.usedNode()).isEqualTo("n1");
    }

    @Test
    void onlyAPodThatSaysItIsOursCanBeUnreadable() {
        var broken = but(OURS, LabelNames.INDEX, "x");
        assertThat(PODS.isUnreadable(pod(NAME, null, "1", broken))).isTrue();
        assertThat(PODS.isUnreadable(ours("train", null))).isFalse();
        assertThat(PODS.isUnreadable(foreign("a", null, "1"))).isFalse();
        assertThat(
                        PODS.isUnreadable(
                                pod(NAME, null, "1", but(broken, LabelNames.INSTALLATION, "b"))))
                .isFalse();
    }

    @ParameterizedTest
    @MethodSource
    void aPodTakesRoomWhileItIsBoundAndNotOver(
            String phase, @Nullable String node, PodPhase read, @Nullable String usedNode) {
        var pod = PODS.read(inPhase(ours("train", node), phase));
        assertThat(pod.report()).extracting(report -> report.status().phase()).isEqualTo(read);
        assertThat(pod.usedNode()).isEqualTo(usedNode);
    }

    static Stream<Arguments> aPodTakesRoomWhileItIsBoundAndNotOver() {
        return Stream.of(
                argumentSet("waiting for a node", "Pending", null, PENDING, null),
                argumentSet("bound", "Pending", "n1", PENDING, "n1"),
                argumentSet("running", "Running", "n1", RUNNING, "n1"),
                argumentSet("node silent", "Unknown", "n1", RUNNING, "n1"),
                argumentSet("done", "Succeeded", "n1", SUCCEEDED, null),
                argumentSet("failed", "Failed", "n1", FAILED, null));
    }

    @Test
    void theSchedulersRefusalComesWithItsWords() {
        var status = PODS.read(unschedulable("0/3 nodes")).report().status();
        assertThat(status)
                .isEqualTo(new PodStatus(PENDING, "", "0/3 nodes", null, "", false, false, true));
    }

    @Test
    void aLongMessageIsCut() {
        var status = PODS.read(unschedulable("x".repeat(5000))).report().status();
        assertThat(status.message()).hasSize(Pods.LONGEST_MESSAGE);
    }

    @ParameterizedTest
    @CsvSource({"worker, 1024", "hook, 4096"})
    void ofWhatAContainerLeavesTheEndIsKept(String role, int longest) {
        var pod =
                new PodBuilder(ours("train", "n1"))
                        .editMetadata()
                        .withName("train-" + role + "-2")
                        .addToLabels("muster.dev/role", role)
                        .endMetadata()
                        .editOrNewStatus()
                        .addNewContainerStatus()
                        .withName("hook")
                        .withNewState()
                        .withNewTerminated()
                        .withExitCode(0)
                        .withMessage("x".repeat(5000) + "boom")
                        .endTerminated()
                        .endState()
                        .endContainerStatus()
                        .endStatus()
                        .build();
        assertThat(PODS.read(pod).report().containers().getLast().message())
                .isEqualTo("…" + "x".repeat(longest - 4) + "boom");
    }

    @ParameterizedTest
    @MethodSource
    void onlyWhatIsPublishedCountsAsNews(Pod last, UnaryOperator<PodBuilder> edit, boolean news) {
        var before = PODS.read(last).report();
        var after = PODS.read(edit.apply(new PodBuilder(last)).build()).report();
        assertThat(after.tellsMoreThan(before)).isEqualTo(news);
    }

    static Stream<Arguments> onlyWhatIsPublishedCountsAsNews() {
        var pod = ours("train", "n1");
        return Stream.of(
                change(
                        "version",
                        pod,
                        p -> p.editMetadata().withResourceVersion("9").endMetadata(),
                        false),
                change(
                        "annotation",
                        pod,
                        p -> p.editMetadata().addToAnnotations("a", "b").endMetadata(),
                        false),
                change(
                        "host ip",
                        pod,
                        p -> p.editStatus().withHostIP("127.0.0.1").endStatus(),
                        false),
                change("phase", pod, p -> p.editStatus().withPhase("Running").endStatus(), true),
                change("reason", pod, p -> p.editStatus().withReason("Evicted").endStatus(), true),
                change(
                        "address",
                        pod,
                        p -> p.editStatus().withPodIP("127.0.0.2").endStatus(),
                        true),
                change("node", pod, p -> p.editSpec().withNodeName("n2").endSpec(), true),
                change(
                        "deletion",
                        pod,
                        p -> p.editMetadata().withDeletionTimestamp("x").endMetadata(),
                        true),
                change(
                        "deletion of what runs no more",
                        inPhase(pod, "Succeeded"),
                        p -> p.editMetadata().withDeletionTimestamp("x").endMetadata(),
                        false),
                change(
                        "plan",
                        pod,
                        p -> p.editMetadata().addToLabels(LabelNames.PLAN, "8").endMetadata(),
                        true),
                change(
                        "scheduler's words",
                        unschedulable("0/3"),
                        p ->
                                p.editStatus()
                                        .editCondition(0)
                                        .withMessage("0/4")
                                        .endCondition()
                                        .endStatus(),
                        false),
                change(
                        "scheduler's no",
                        pod,
                        p -> p.withStatus(unschedulable("0/3").getStatus()),
                        true));
    }

    private static Arguments change(
            String name, Pod pod, UnaryOperator<PodBuilder> edit, boolean news) {
        return argumentSet(name, pod, edit, news);
    }

    @Test
    void reasonOfAPodThatTheClusterTakesAwayIsItsDisruption() {
        var evicted = disrupted("True");
        assertThat(PODS.read(evicted).report().status().reason())
                .isEqualTo("EvictionByEvictionAPI");
        var ended = evicted.edit().editStatus().withReason("Evicted").endStatus().build();
        assertThat(PODS.read(ended).report().status().reason()).isEqualTo("Evicted");
        assertThat(PODS.read(disrupted("False")).report().status().reason()).isEmpty();
    }

    private static Pod disrupted(String status) {
        return ours("train", "n1")
                .edit()
                .editOrNewStatus()
                .addNewCondition()
                .withType("DisruptionTarget")
                .withStatus(status)
                .withReason("EvictionByEvictionAPI")
                .endCondition()
                .endStatus()
                .build();
    }

    private static Pod unschedulable(String message) {
        return new PodBuilder(ours("train", null))
                .editStatus()
                .addNewCondition()
                .withType("PodScheduled")
                .withStatus("False")
                .withReason("Unschedulable")
                .withMessage(message)
                .endCondition()
                .endStatus()
                .build();
    }
}
