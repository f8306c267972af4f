package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.NamedJobs;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.WaitReason;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A job that comes after several says for whom it still waits. */
class PoolAfterSeveralTest {
    private final Play play = Play.withNodes(8);
    private final NamedJobs jobs = new NamedJobs(play);
    private final JobId last = job("c", 3);

    @BeforeEach
    void oneWaitsForTwo() {
        jobs.submit("a", 1, workers(1, 1));
        jobs.submit("b", 2, workers(1, 1));
        jobs.submit("c", 3, behind(List.of("a", "b")));
        assertThat(told()).containsExactly("it waits for ml/a, ml/b");
    }

    private static JobSpec behind(List<String> names) {
        var place = workers(1, 1).place();
        var behind =
                new JobSpec.Place(
                        place.queue(),
                        place.priority(),
                        place.priorityClass(),
                        place.suspended(),
                        names.stream().map(name -> new JobSpec.After(name, true)).toList(),
                        place.labels());
        return workers(1, 1).with(behind);
    }

    private List<String> told() {
        return play.take(Effect.Waits.class).stream()
                .filter(waits -> waits.job().equals(last))
                .map(waits -> waits.reason().message())
                .toList();
    }

    private List<String> asked() {
        return play.explain(last).orElseThrow().reasons().stream()
                .map(WaitReason::message)
                .toList();
    }

    @Test
    void whoeverIsAwaitedFirstIsNews() {
        jobs.end("a", 1);
        assertThat(told()).containsExactly("it waits for ml/b");
        assertThat(asked()).containsExactly("it waits for ml/b");
        jobs.end("b", 2);
        assertThat(play.takePhases(last)).containsExactly(Phase.STARTING);
    }

    @Test
    void thatFewerAreAwaitedIsSaidToWhoAsks() {
        var since = play.explain(last).orElseThrow().reasons().getFirst().since();
        play.pass(Duration.ofMinutes(1));
        jobs.end("b", 2);
        assertThat(told()).isEmpty();
        assertThat(asked()).containsExactly("it waits for ml/a");
        assertThat(play.explain(last).orElseThrow().reasons().getFirst().since()).isEqualTo(since);
        jobs.end("a", 1);
        assertThat(play.takePhases(last)).containsExactly(Phase.STARTING);
    }

    @Test
    void ofManyItNamesTheFirst() {
        for (int i = 3; i < 8; i++) {
            jobs.submit("d" + i, i + 1, workers(1, 1));
        }
        jobs.submit("e", 9, behind(List.of("a", "b", "d3", "d4", "d5", "d6", "d7")));

        var named = "ml/a, ml/b, ml/d3, ml/d4, ml/d5 and 2 more";
        assertThat(play.explain(job("e", 9)).orElseThrow().reasons())
                .singleElement()
                .returns("it waits for " + named, WaitReason::message)
                .returns("the end of " + named, WaitReason::remedy);
    }
}
