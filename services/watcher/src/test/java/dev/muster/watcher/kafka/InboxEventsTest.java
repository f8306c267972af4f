package dev.muster.watcher.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.v1.ContainerSeen;
import dev.muster.v1.ContainerState;
import dev.muster.v1.Envelope;
import dev.muster.v1.GroupSeen;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobRef;
import dev.muster.v1.NamespaceQuotaGone;
import dev.muster.v1.NamespaceQuotaSeen;
import dev.muster.v1.NodeReleased;
import dev.muster.v1.NodeSeen;
import dev.muster.v1.OthersUse;
import dev.muster.v1.PodGone;
import dev.muster.v1.PodIdentity;
import dev.muster.v1.PodPhase;
import dev.muster.v1.PodSeen;
import dev.muster.v1.RestartRequestFailed;
import dev.muster.v1.SnapshotBegin;
import dev.muster.v1.SnapshotEnd;
import dev.muster.v1.Taint;
import dev.muster.v1.TaintEffect;
import dev.muster.v1.Witness;
import dev.muster.watcher.core.ContainerReport;
import dev.muster.watcher.core.FailedRestart;
import dev.muster.watcher.core.Job;
import dev.muster.watcher.core.NodeReport;
import dev.muster.watcher.core.PodReport;
import dev.muster.watcher.core.PodStatus;
import dev.muster.watcher.core.Report;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class InboxEventsTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Witness WITNESS = new Witness(1, 3, 4711L, 4242L);
    private static final dev.muster.watcher.core.PodIdentity POD =
            new dev.muster.watcher.core.PodIdentity(
                    new Job("ml", "train", "3-14"), "worker", 2, 5, 6, 7, "train-worker-2", "u");
    private static final PodIdentity POD_SAID =
            new PodIdentity("worker", 2, 5, 6, 7L, "train-worker-2", "u");

    @ParameterizedTest
    @MethodSource
    void everyReportHasItsWordInTheContract(
            Report report, InboxKind kind, Consumer<InboxEvent> content) {
        var expected = new InboxEvent();
        expected.setEnvelope(
                Envelope.newBuilder().setId("w1-4711-9").setAt(NOON).setActor("watcher").build());
        expected.setKind(kind);
        expected.setPool("default");
        expected.setWitness(WITNESS);
        content.accept(expected);
        assertThat(new InboxEvents(WITNESS).of("default", report, 9, NOON)).isEqualTo(expected);
    }

    static Stream<Arguments> everyReportHasItsWordInTheContract() {
        return Stream.of(
                row(new Report.Alive(), InboxKind.WATCHER_ALIVE, event -> {}),
                row(
                        new Report.GroupSeen(
                                new dev.muster.watcher.core.GroupReport(
                                        "default",
                                        new Job("ml", "resnet", "3-7"),
                                        2,
                                        "resnet-a2",
                                        41,
                                        "Pending",
                                        true,
                                        "NotEnoughResources",
                                        "0/2 nodes")),
                        InboxKind.GROUP_SEEN,
                        event -> {
                            event.setJob(new JobRef("ml", "resnet", "3-7"));
                            event.getEnvelope().setJobUid("3-7");
                            event.getEnvelope().setAttempt(2);
                            event.setGroupSeen(
                                    new GroupSeen(
                                            "resnet-a2",
                                            2,
                                            41L,
                                            "Pending",
                                            true,
                                            "NotEnoughResources",
                                            "0/2 nodes"));
                        }),
                row(
                        new Report.RestartFailed(
                                new FailedRestart(
                                        "default", "resnet-a-9", POD, 41, "pod has gone")),
                        InboxKind.RESTART_REQUEST_FAILED,
                        event -> {
                            aboutTheJob(event);
                            event.setRestartRequestFailed(
                                    new RestartRequestFailed(POD_SAID, 41L, "pod has gone"));
                        }),
                row(
                        new Report.SnapshotBegin("a"),
                        InboxKind.SNAPSHOT_BEGIN,
                        event -> event.setSnapshotBegin(new SnapshotBegin("a"))),
                row(
                        new Report.SnapshotEnd("a"),
                        InboxKind.SNAPSHOT_END,
                        event -> event.setSnapshotEnd(new SnapshotEnd("a"))),
                row(
                        new Report.NodeReleased("n1", true),
                        InboxKind.NODE_RELEASED,
                        event -> event.setNodeReleased(new NodeReleased("n1", true))),
                row(
                        new Report.OthersUsed("n1", Map.of("cpu", 5L)),
                        InboxKind.OTHERS_USE,
                        event -> event.setOthersUse(new OthersUse("n1", Map.of("cpu", 5L)))),
                row(
                        new Report.QuotaSeen("ml", Map.of("cpu", 8L), Map.of("cpu", 5L)),
                        InboxKind.NAMESPACE_QUOTA_SEEN,
                        event ->
                                event.setNamespaceQuotaSeen(
                                        new NamespaceQuotaSeen(
                                                "ml", Map.of("cpu", 8L), Map.of("cpu", 5L)))),
                row(
                        new Report.QuotaGone("ml"),
                        InboxKind.NAMESPACE_QUOTA_GONE,
                        event -> event.setNamespaceQuotaGone(new NamespaceQuotaGone("ml"))),
                row(
                        new Report.NodeSeen(node()),
                        InboxKind.NODE_SEEN,
                        event -> event.setNodeSeen(nodeSaid())),
                row(
                        new Report.PodSeen(pod()),
                        InboxKind.POD_SEEN,
                        event -> {
                            aboutTheJob(event);
                            event.setPodSeen(podSaid());
                        }),
                row(
                        new Report.PodGone(POD),
                        InboxKind.POD_GONE,
                        event -> {
                            aboutTheJob(event);
                            event.setPodGone(new PodGone(POD_SAID));
                        }));
    }

    private static Arguments row(Report report, InboxKind kind, Consumer<InboxEvent> content) {
        return argumentSet(kind.name(), report, kind, content);
    }

    private static void aboutTheJob(InboxEvent event) {
        event.setJob(new JobRef("ml", "train", "3-14"));
        event.getEnvelope().setJobUid("3-14");
        event.getEnvelope().setAttempt(5);
    }

    private static NodeReport node() {
        return new NodeReport(
                "n1",
                "uid",
                12,
                Map.of("zone", "a"),
                List.of(
                        new NodeReport.Taint("a", "b", NodeReport.Effect.NO_SCHEDULE),
                        new NodeReport.Taint("c", "", NodeReport.Effect.PREFER_NO_SCHEDULE),
                        new NodeReport.Taint("d", "", NodeReport.Effect.NO_EXECUTE)),
                true,
                false,
                Map.of("cpu", 4000L),
                List.of("PreemptScheduled"),
                List.of("a/goes"),
                true);
    }

    private static NodeSeen nodeSaid() {
        return new NodeSeen(
                "n1",
                "uid",
                12L,
                Map.of("zone", "a"),
                List.of(
                        new Taint("a", "b", TaintEffect.NO_SCHEDULE),
                        new Taint("c", "", TaintEffect.PREFER_NO_SCHEDULE),
                        new Taint("d", "", TaintEffect.NO_EXECUTE)),
                true,
                false,
                Map.of("cpu", 4000L),
                List.of("PreemptScheduled"),
                List.of("a/goes"),
                true);
    }

    private static PodReport pod() {
        return new PodReport(
                "default",
                POD,
                12,
                new PodStatus(
                        dev.muster.watcher.core.PodPhase.FAILED,
                        "Evicted",
                        "low on memory",
                        "n1",
                        "127.1.2.3",
                        false,
                        true,
                        false),
                List.of(
                        new ContainerReport(
                                "main",
                                ContainerReport.State.TERMINATED,
                                false,
                                2,
                                137,
                                9,
                                "OOMKilled",
                                "killed",
                                1,
                                "Error")),
                List.of(
                        new ContainerReport(
                                "init",
                                ContainerReport.State.WAITING,
                                false,
                                0,
                                null,
                                null,
                                "Pulling",
                                "",
                                null,
                                "")));
    }

    private static PodSeen podSaid() {
        return new PodSeen(
                POD_SAID,
                12L,
                PodPhase.FAILED,
                "Evicted",
                "low on memory",
                "n1",
                "127.1.2.3",
                false,
                true,
                false,
                List.of(
                        new ContainerSeen(
                                "main",
                                ContainerState.TERMINATED,
                                false,
                                2,
                                137,
                                9,
                                "OOMKilled",
                                "killed",
                                1,
                                "Error")),
                List.of(
                        new ContainerSeen(
                                "init",
                                ContainerState.WAITING,
                                false,
                                0,
                                null,
                                null,
                                "Pulling",
                                "",
                                null,
                                "")));
    }
}
