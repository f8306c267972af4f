package dev.muster.coordinator.core.simulation;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.coordinator.core.effects.Effect.Part;
import dev.muster.coordinator.core.effects.Effect.PlannedPod;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.effects.Grouping;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Event.PodMark;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.model.Scaling.Stage;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** That lists are found in which some of an atomic command stand without the others of it. */
class LaunchedTest {
    private static final String TOGETHER = "others are listed";
    private final JobId id = job("a", 1);
    private final Launched launched = new Launched(id);
    private List<String> listed = List.of();
    private long hosts = 1;
    private long version;

    private void ready(String... ranks) {
        for (var rank : ranks) {
            var mark = new PodMark(rank(rank), 1, 1, 1, rank);
            launched.seen(Fixtures.pod(mark, 1, PodPhase.RUNNING, "node"), version);
        }
    }

    private static RankId rank(String name) {
        var parts = name.split("-", -1);
        return new RankId(parts[0], Integer.parseInt(parts[1]));
    }

    /**
     * @param left nodes that the job leaves; each pod is on the node of its name
     */
    private void plans(Set<String> left, List<String> now, String... pods) {
        hosts += now.equals(listed) ? 0 : 1;
        listed = now;
        var planned =
                Stream.of(pods)
                        .map(pod ->
                                new PlannedPod(
                                        rank(pod),
                                        1,
                                        pod,
                                        null,
                                        0,
                                        false,
                                        0,
                                        new Part(now.contains(pod), null),
                                        false))
                        .toList();
        var plan =
                new RunPlan(
                        id,
                        1,
                        ++version,
                        "q",
                        planned,
                        PoolSpec.Spot.NONE,
                        Grouping.NONE,
                        hosts,
                        0,
                        null,
                        0,
                        Collections.emptySortedMap(),
                        Collections.emptySortedMap(),
                        List.of(),
                        false);
        launched.plans(plan, NOON, left);
    }

    private void plans(List<String> now, String... pods) {
        plans(Set.of(), now, pods);
    }

    private void scales(int number, int from, int to, boolean atomic, Stage stage) {
        launched.scales(
                new Scaling(
                        number, "", "worker", from, to, atomic, null, stage, "", "", NOON, null,
                        false, false));
    }

    @Test
    void whoComesForOneThatIsLostExcusesNobodyOfTheCommand() {
        ready("worker-0", "worker-1", "worker-2");
        plans(List.of("worker-0", "worker-1"), "worker-0", "worker-1");
        scales(1, 2, 4, true, Stage.SCALING);
        plans(List.of("worker-0", "worker-1"), "worker-0", "worker-1", "worker-2", "worker-3");
        plans(List.of("worker-0"), "worker-0", "worker-2", "worker-3", "worker-4");
        assertThatThrownBy(() ->
                        plans(
                                List.of("worker-0", "worker-2"),
                                "worker-0",
                                "worker-2",
                                "worker-3",
                                "worker-4"))
                .hasMessageContaining(TOGETHER);
    }

    private void comesWhileTheFirstOneIsAboutToLeave() {
        ready("worker-0", "worker-1");
        plans(List.of("worker-0"), "worker-0");
        scales(1, 1, 3, true, Stage.SCALING);
        plans(Set.of("worker-0"), List.of("worker-0"), "worker-0", "worker-1", "worker-2");
    }

    @Test
    void whoMayHaveComeEarlyForOneThatLeavesMayBeListedAloneOnceThatOneHasLeft() {
        comesWhileTheFirstOneIsAboutToLeave();
        assertThatCode(() ->
                        plans(
                                Set.of("worker-0"),
                                List.of("worker-1"),
                                "worker-1",
                                "worker-2",
                                "worker-3"))
                .doesNotThrowAnyException();
    }

    @Test
    void oneMayBeListedAloneForOneThatIsAboutToLeaveAndMayStay() {
        comesWhileTheFirstOneIsAboutToLeave();
        assertThatCode(() ->
                        plans(
                                Set.of("worker-0"),
                                List.of("worker-0", "worker-1"),
                                "worker-0",
                                "worker-1",
                                "worker-2"))
                .doesNotThrowAnyException();
    }

    @Test
    void noMoreMayBeListedAloneThanAreAboutToLeave() {
        ready("worker-0", "worker-1", "worker-2");
        plans(List.of("worker-0"), "worker-0");
        scales(1, 1, 4, true, Stage.SCALING);
        var all = new String[] {"worker-0", "worker-1", "worker-2", "worker-3"};
        plans(Set.of("worker-0"), List.of("worker-0"), all);
        assertThatThrownBy(() ->
                        plans(Set.of("worker-0"), List.of("worker-0", "worker-1", "worker-2"), all))
                .hasMessageContaining(TOGETHER);
    }

    private void atomicOneTakesOver(String... besides) {
        ready("launcher-0", "worker-0", "reader-0");
        plans(List.of("worker-0"), "launcher-0", "worker-0");
        scales(1, 1, 3, false, Stage.SCALING);
        plans(
                Stream.concat(Stream.of("worker-0"), Stream.of(besides)).toList(),
                Stream.concat(
                                Stream.of("launcher-0", "worker-0", "worker-1", "worker-2"),
                                Stream.of(besides))
                        .toArray(String[]::new));
        scales(1, 1, 3, false, Stage.SUPERSEDED);
        scales(2, 1, 3, true, Stage.SCALING);
        ready("worker-1");
    }

    @Test
    void whoWasNotListedByTheCommandBeforeWaitsForTheOthers() {
        atomicOneTakesOver();
        launched.look(NOON, Set.of());
        var later = NOON.plus(Duration.ofMinutes(1));
        assertThatCode(() -> launched.isInTime(later)).doesNotThrowAnyException();
        assertThatThrownBy(() ->
                        plans(
                                List.of("worker-0", "worker-1"),
                                "launcher-0",
                                "worker-0",
                                "worker-1",
                                "worker-2"))
                .hasMessageContaining(TOGETHER);
    }

    @Test
    void whoIsListedOfAnotherRoleExcusesNobodyOfTheCommand() {
        atomicOneTakesOver("reader-0");
        assertThatThrownBy(() ->
                        plans(
                                List.of("worker-0", "worker-1", "reader-0"),
                                "launcher-0",
                                "worker-0",
                                "worker-1",
                                "worker-2",
                                "reader-0"))
                .hasMessageContaining(TOGETHER);
    }

    private void haveComeTogether() {
        ready("worker-0", "worker-1", "worker-2");
        plans(List.of("worker-0"), "worker-0");
        scales(1, 1, 3, true, Stage.SCALING);
        var all = List.of("worker-0", "worker-1", "worker-2");
        plans(all, all.toArray(String[]::new));
    }

    @Test
    void whoComesForOneThatHadComeWithTheOthersComesAlone() {
        haveComeTogether();
        plans(List.of("worker-0", "worker-1"), "worker-0", "worker-1");
        assertThatCode(() ->
                        plans(List.of("worker-0", "worker-1"), "worker-0", "worker-1", "worker-3"))
                .doesNotThrowAnyException();
    }

    @Test
    void whoComesByTheNextCommandWaitsForTheOthersOfThatOne() {
        haveComeTogether();
        scales(1, 1, 3, true, Stage.SUCCEEDED);
        scales(2, 3, 5, true, Stage.SCALING);
        ready("worker-3");
        var all = new String[] {"worker-0", "worker-1", "worker-2", "worker-3", "worker-4"};
        plans(List.of("worker-0", "worker-1", "worker-2"), all);
        assertThatThrownBy(
                        () -> plans(List.of("worker-0", "worker-1", "worker-2", "worker-3"), all))
                .hasMessageContaining(TOGETHER);
    }
}
