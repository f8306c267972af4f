package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.InboxRecords.ended;
import static dev.muster.coordinator.stream.InboxRecords.event;
import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.pod;
import static dev.muster.coordinator.stream.InboxRecords.seen;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.jobs.Hindrances;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.ContainerEnd;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Memory;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Uid;
import dev.muster.v1.ContainerSeen;
import dev.muster.v1.ContainerState;
import dev.muster.v1.ExitCodeRange;
import dev.muster.v1.FailureAction;
import dev.muster.v1.FailureRule;
import dev.muster.v1.FailureSpec;
import dev.muster.v1.Framework;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobRef;
import dev.muster.v1.MainMemory;
import dev.muster.v1.PodPhase;
import dev.muster.v1.Witness;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures, and what users say of them, as the core is told. */
class InboundFailuresTest {
    private static final Inbound INBOUND = new Inbound(_ -> workers(2));
    private static final JobRef RESNET = job("resnet", 4711);
    private static final Witness WATCHER = new Witness(2, 4, 17L, null);

    @Test
    void endOfAnInitContainerIsTheRanksEndWhereTheMainOneNeverRan() {
        var seen =
                seen(pod(RESNET, 1), PodPhase.FAILED)
                        .setContainers(List.of(waiting("main", "PodInitializing")))
                        .setInitContainers(List.of(ended("fetch", 0), ended("check", 7)))
                        .build();
        var in = event(InboxKind.POD_SEEN).setWitness(WATCHER).setJob(RESNET).setPodSeen(seen);

        assertThat(((Event.PodSeen) INBOUND.event(in.build())).pod().main())
                .isEqualTo(new ContainerEnd(7, "Error", "", "check"));
    }

    /** Which of its words a kubelet has for it changes from try to try. */
    @ParameterizedTest
    @ValueSource(strings = {"ErrImagePull", "RegistryUnavailable", "SignatureValidationFailed"})
    void imageThatCannotBePulledHindersThePodFromTheFirstTryOn(String reason) {
        var play = Play.withNodes(4);
        var a = new JobId("ml", "resnet", new Uid(3, 4711));
        play.on(new Event.PodManagerAlive("pods-0", Set.of(3)));
        play.on(new Event.Submitted(a, Fixtures.workers(1, 1), null));
        var heard = new Witness(0, 1, 100L, null);
        long version = 1;
        for (var word : List.of(reason, "ImagePullBackOff", reason)) {
            assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
            var seen =
                    seen(pod(RESNET, 0), PodPhase.PENDING)
                            .setResourceVersion(version++)
                            .setContainers(List.of(waiting("main", word)))
                            .build();
            var in = event(InboxKind.POD_SEEN).setWitness(heard).setJob(RESNET).setPodSeen(seen);
            play.on(INBOUND.event(in.build()));
            play.passHeard(Hindrances.LIMIT.dividedBy(3), 3);
        }
        assertThat(play.take(Effect.Moved.class).getLast())
                .returns(Phase.FAILED, Effect.Moved::to)
                .returns(reason, Effect.Moved::reason);
    }

    @Test
    void containerThatCannotStartAsItStandsHindersThePod() {
        var seen =
                seen(pod(RESNET, 1), PodPhase.PENDING)
                        .setContainers(
                                List.of(
                                        waiting("side", "ContainerCreating"),
                                        waiting("main", "ImagePullBackOff")))
                        .build();
        var in = event(InboxKind.POD_SEEN).setWitness(WATCHER).setJob(RESNET).setPodSeen(seen);

        assertThat(((Event.PodSeen) INBOUND.event(in.build())).pod().hindrance())
                .isEqualTo(new Event.Hindrance("ImagePullBackOff", "wait"));
    }

    @ParameterizedTest
    @CsvSource({"main, ErrImagePull", "side, "})
    void inAPodThatRunsOnlyTheContainerThatCountsHindersIt(String name, @Nullable String reason) {
        var other = name.equals("main") ? "side" : "main";
        var seen =
                seen(pod(RESNET, 1), PodPhase.RUNNING)
                        .setContainers(
                                List.of(
                                        waiting(name, "ErrImagePull"),
                                        waiting(other, "CrashLoopBackOff")))
                        .build();
        var in = event(InboxKind.POD_SEEN).setWitness(WATCHER).setJob(RESNET).setPodSeen(seen);

        var hindrance = ((Event.PodSeen) INBOUND.event(in.build())).pod().hindrance();
        assertThat(hindrance == null ? null : hindrance.reason()).isEqualTo(reason);
    }

    private static ContainerSeen waiting(String name, String reason) {
        return ContainerSeen.newBuilder()
                .setName(name)
                .setState(ContainerState.WAITING)
                .setReason(reason)
                .setMessage("wait")
                .build();
    }

    @ParameterizedTest
    @MethodSource
    void ruleOfTheTableIsWhatTheUserSays(FailureRule said, Action action) {
        var submitted = workers(1);
        submitted.getSpec().setFailure(FailureSpec.newBuilder().setRules(List.of(said)).build());
        var in = event(InboxKind.JOB_SUBMITTED).setJob(RESNET).setJobSubmitted(submitted).build();

        assertThat(((Event.Submitted) INBOUND.event(in)).spec().work().failure().rules())
                .containsExactly(
                        new FailurePolicy.Rule(
                                List.of(new FailurePolicy.ExitCodes(3, 5)),
                                List.of("OOMKilled"),
                                "worker",
                                action));
    }

    @Test
    void memoryThatMayGrowIsThatOfTheMainContainerWithItsRequest() {
        var submitted = workers(1);
        var rules = List.of(said(FailureAction.GROW_MEMORY));
        submitted.getSpec().setFailure(FailureSpec.newBuilder().setRules(rules).build());
        var needs = submitted.getNeeds().getFirst();
        needs.setDemand(Map.of("memory", 9L));
        needs.setLimits(Map.of("memory", 66L));
        needs.setMainMemory(new MainMemory(64L, 1L, 2L, 8L));
        var in = event(InboxKind.JOB_SUBMITTED).setJob(RESNET).setJobSubmitted(submitted).build();

        var role = ((Event.Submitted) INBOUND.event(in)).spec().role("worker");
        assertThat(role.pod().memory())
                .isEqualTo(new Memory(64, 8L, new Memory.Share(9, 1), new Memory.Share(66, 2), 0));
    }

    static Stream<Arguments> ruleOfTheTableIsWhatTheUserSays() {
        return Stream.of(
                Arguments.of(said(FailureAction.RESTART_POD), new Action.RestartPod()),
                Arguments.of(said(FailureAction.RESTART_ROLE), new Action.RestartRole()),
                Arguments.of(said(FailureAction.RESTART_GANG), new Action.RestartGang()),
                Arguments.of(said(FailureAction.EXCLUDE_NODE), new Action.ExcludeNode()),
                Arguments.of(said(FailureAction.RESTART_IN_PLACE), new Action.RestartInPlace()),
                Arguments.of(said(FailureAction.FAIL), new Action.Fail("no")),
                Arguments.of(said(FailureAction.IGNORE), new Action.Ignore()));
    }

    private static FailureRule said(FailureAction action) {
        return FailureRule.newBuilder()
                .setExitCodes(List.of(new ExitCodeRange(3, 5)))
                .setReasons(List.of("OOMKilled"))
                .setRole("worker")
                .setAction(action)
                .setMessage("no")
                .build();
    }

    @Test
    void ranksOfHorovodFailAloneAndThoseOfOthersTogether() {
        var in = event(InboxKind.JOB_SUBMITTED).setJob(RESNET).setJobSubmitted(workers(1));
        assertThat(otherwise(in.build())).isEqualTo(FailurePolicy.Otherwise.GANG);
        in.getJobSubmitted().getSpec().setFramework(Framework.HOROVOD);
        assertThat(otherwise(in.build())).isEqualTo(FailurePolicy.Otherwise.POD);
    }

    private static FailurePolicy.Otherwise otherwise(InboxEvent in) {
        return ((Event.Submitted) INBOUND.event(in)).spec().work().failure().otherwise();
    }
}
