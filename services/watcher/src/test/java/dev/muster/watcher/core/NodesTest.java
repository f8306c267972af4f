package dev.muster.watcher.core;

import static dev.muster.watcher.core.Cluster.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.watcher.core.NodeReport.Effect;
import dev.muster.watcher.core.NodeReport.Taint;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NodesTest {
    @Test
    void aNodeIsReportedAsItIs() {
        var node =
                new NodeBuilder(node("n1", "zone=a"))
                        .withNewSpec()
                        .withUnschedulable(true)
                        .addNewTaint("NoExecute", "gone", null, null)
                        .addNewTaint("PreferNoSchedule", "rather", null, "not")
                        .addNewTaint("NoSchedule", "gpu", null, "yes")
                        .addNewTaint("NeverHeardOf", "new", null, "x")
                        .endSpec()
                        .editStatus()
                        .addToAllocatable("nvidia.com/gpu", new Quantity("8"))
                        .addNewCondition()
                        .withType("TerminateScheduled")
                        .withStatus("True")
                        .endCondition()
                        .addNewCondition()
                        .withType("PreemptScheduled")
                        .withStatus("False")
                        .endCondition()
                        .endStatus()
                        .editMetadata()
                        .addToAnnotations("b", "x")
                        .addToAnnotations("a/goes", "")
                        .endMetadata()
                        .build();
        assertThat(Nodes.read(node))
                .isEqualTo(
                        new NodeReport(
                                "n1",
                                "uid-of-n1",
                                10,
                                Map.of("zone", "a"),
                                List.of(
                                        new Taint("gone", "", Effect.NO_EXECUTE),
                                        new Taint("rather", "not", Effect.PREFER_NO_SCHEDULE),
                                        new Taint("gpu", "yes", Effect.NO_SCHEDULE),
                                        new Taint("new", "x", Effect.NO_SCHEDULE)),
                                true,
                                true,
                                Map.of("cpu", 4000L, "memory", 8L << 30, "nvidia.com/gpu", 8L),
                                List.of("TerminateScheduled"),
                                List.of("a/goes", "b")));
    }

    @Test
    void aNodeThatSaysNothingIsNotReady() {
        var bare =
                new NodeBuilder()
                        .withNewMetadata()
                        .withName("n1")
                        .withUid("u")
                        .withResourceVersion("1")
                        .endMetadata()
                        .build();
        assertThat(Nodes.read(bare))
                .isEqualTo(
                        new NodeReport(
                                "n1", "u", 1, Map.of(), List.of(), false, false, Map.of(),
                                List.of(), List.of()));
    }

    @ParameterizedTest
    @MethodSource
    void onlyWhatIsPublishedCountsAsNews(UnaryOperator<NodeBuilder> edit, boolean news) {
        var before = node("n1", "zone=a");
        var after = edit.apply(new NodeBuilder(before)).build();
        assertThat(Nodes.read(after).tellsMoreThan(Nodes.read(before))).isEqualTo(news);
    }

    static Stream<Arguments> onlyWhatIsPublishedCountsAsNews() {
        return Stream.of(
                change(
                        "version",
                        n -> n.editMetadata().withResourceVersion("11").endMetadata(),
                        false),
                change(
                        "heartbeat",
                        n ->
                                n.editStatus()
                                        .editCondition(0)
                                        .withLastHeartbeatTime("now")
                                        .endCondition()
                                        .endStatus(),
                        false),
                change(
                        "same amount",
                        n ->
                                n.editStatus()
                                        .addToAllocatable("cpu", new Quantity("4000m"))
                                        .endStatus(),
                        false),
                change(
                        "silent",
                        n ->
                                n.editStatus()
                                        .editCondition(0)
                                        .withStatus("Unknown")
                                        .endCondition()
                                        .endStatus(),
                        true),
                change("label", n -> n.editMetadata().addToLabels("zone", "b").endMetadata(), true),
                change("cordoned", n -> n.withNewSpec().withUnschedulable(true).endSpec(), true),
                change(
                        "amount",
                        n -> n.editStatus().addToAllocatable("cpu", new Quantity("5")).endStatus(),
                        true));
    }

    private static Arguments change(String name, UnaryOperator<NodeBuilder> edit, boolean news) {
        return argumentSet(name, edit, news);
    }
}
