package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.InboxRecords.ended;
import static dev.muster.coordinator.stream.InboxRecords.event;
import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.pod;
import static dev.muster.coordinator.stream.InboxRecords.seen;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.ContainerEnd;
import dev.muster.v1.ContainerSeen;
import dev.muster.v1.ContainerState;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobRef;
import dev.muster.v1.PodPhase;
import dev.muster.v1.Witness;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What containers say: which ended, and which the kubelet started again. */
class InboundRunsTest {
    private static final JobRef RESNET = job("resnet", 4711);
    private static final Witness WATCHER = new Witness(2, 4, 17L, null);
    private static final Inbound INBOUND = new Inbound(_ -> workers(2));

    @Test
    void earlierRunsAreThoseOfTheMainContainer() {
        var again = ContainerSeen.newBuilder().setName("main").setState(ContainerState.RUNNING);
        var side = ContainerSeen.newBuilder(again).setName("side").setRestartCount(9).build();
        var first = List.of(side, ContainerSeen.newBuilder(again).build());
        var third = ContainerSeen.newBuilder(again).setRestartCount(2);
        var unknown = List.of(side, ContainerSeen.newBuilder(third).build());
        var known = third.setLastExitCode(137).setLastReason("OOMKilled").build();
        assertThat(Stream.of(first, unknown, List.of(side, known)).map(InboundRunsTest::runs))
                .containsExactly(
                        null,
                        new Event.EarlierRuns(2, null),
                        new Event.EarlierRuns(2, new ContainerEnd(137, "OOMKilled", "")));
    }

    @Test
    void restartsOfInitContainersCountAsThoseOfTheMainOneDo() {
        var waits = ContainerSeen.newBuilder().setName("main").setState(ContainerState.WAITING);
        var main = List.of(waits.build());
        var init = ContainerSeen.newBuilder(waits).setName("prepare");
        var done = ContainerSeen.newBuilder(init).setName("first").setRestartCount(1).build();
        var again = init.setRestartCount(3).setLastExitCode(1).setLastReason("Error").build();
        var ran = List.of(waits.setRestartCount(2).setLastExitCode(7).build());
        var each = List.of(new Event.InitRuns(1, true), new Event.InitRuns(3, false));
        assertThat(runs(main, List.of(ContainerSeen.newBuilder(init).setRestartCount(0).build())))
                .isNull();
        assertThat(runs(main, List.of(done, again)))
                .isEqualTo(
                        new Event.EarlierRuns(
                                4, new ContainerEnd(1, "Error", "", "prepare"), each));
        assertThat(runs(main, List.of(again, done)))
                .isEqualTo(
                        new Event.EarlierRuns(
                                4, new ContainerEnd(1, "Error", "", "prepare"), each.reversed()));
        assertThat(runs(ran, List.of(done, again)))
                .isEqualTo(new Event.EarlierRuns(6, new ContainerEnd(7, "", ""), each));
    }

    private static Event.@Nullable EarlierRuns runs(List<ContainerSeen> containers) {
        return runs(containers, List.of());
    }

    private static Event.@Nullable EarlierRuns runs(
            List<ContainerSeen> containers, List<ContainerSeen> inits) {
        var seen =
                seen(pod(RESNET, 1), PodPhase.RUNNING)
                        .setContainers(containers)
                        .setInitContainers(inits)
                        .build();
        var in = event(InboxKind.POD_SEEN).setWitness(WATCHER).setJob(RESNET).setPodSeen(seen);
        return ((Event.PodSeen) INBOUND.event(in.build())).pod().runs();
    }

    @ParameterizedTest
    @MethodSource
    void endOfTheMainContainerIsTheRanksEnd(
            List<ContainerSeen> containers, @Nullable ContainerEnd end) {
        var seen = seen(pod(RESNET, 1), PodPhase.RUNNING).setContainers(containers).build();
        var in = event(InboxKind.POD_SEEN).setWitness(WATCHER).setJob(RESNET).setPodSeen(seen);

        assertThat(INBOUND.event(in.build()))
                .extracting(event -> ((Event.PodSeen) event).pod().main())
                .isEqualTo(end);
    }

    static Stream<Arguments> endOfTheMainContainerIsTheRanksEnd() {
        var killed = ended("main", 0);
        killed.setExitCode(null);
        killed.setSignal(9);
        return Stream.of(
                argumentSet("none", List.of(), null),
                argumentSet("another", List.of(ended("side", 1)), null),
                argumentSet(
                        "ended",
                        List.of(ended("side", 1), ended("main", 3)),
                        new ContainerEnd(3, "Error", "")),
                argumentSet("killed", List.of(killed), new ContainerEnd(137, "Completed", "")));
    }
}
