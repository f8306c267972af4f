package dev.muster.coordinator.core.turns;

import static dev.muster.coordinator.core.fixtures.Fixtures.atLeast;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.together;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.QUEUE;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.limited;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.NamedJobs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.state.Effect;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which of its mixes a gang that waits has, and who is given another one first. */
class PoolMixChoiceTest {
    private static final Duration RESERVE_AFTER = Duration.ofMinutes(5);

    private final Play play = Play.withNodes(4, 4);
    private final NamedJobs jobs = new NamedJobs(play);
    private final JobId a = job("a", 1);

    /** Three large ones and a small one need 7 cores, two of each 6, one large one 5. */
    private static JobSpec gang(String queue) {
        var large = atLeast(1, role("large", 4, 2));
        return together(4, spec(queue, large, atLeast(1, role("small", 4, 1))));
    }

    private void fill() {
        jobs.submit("full", 0, workers(2, 4));
    }

    private List<String> pods(JobId job) {
        return play.ranks(job).stream().map(rank -> rank.id().toString()).sorted().toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit", "borrowing", "namespace"})
    void mixThatItsQuotaNeverAllowsIsNotKept(String kind) {
        fill();
        restrict(kind);
        play.on(new Event.Submitted(a, gang("q"), null));
        waitsForTwoOfEach();
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit", "borrowing", "namespace"})
    void mixThatItsQuotaAllowsNoMoreIsNotKept(String kind) {
        jobs.queue("q", QUEUE);
        fill();
        play.on(new Event.Submitted(a, gang("q"), null));
        restrict(kind);
        waitsForTwoOfEach();
    }

    private void restrict(String kind) {
        switch (kind) {
            case "limit" -> jobs.queue("q", limited(6));
            case "borrowing" -> jobs.queue("q", quota(6, false, null, null));
            default -> {
                jobs.queue("q", QUEUE);
                jobs.namespace("requests.cpu", 6000);
            }
        }
    }

    private void waitsForTwoOfEach() {
        play.restart();
        assertThat(reason(a)).isNotEqualTo(Code.EXCEEDS_MAX_QUOTA);
        jobs.end("full", 0);
        assertThat(pods(a)).startsWith("large-0", "large-1", "small-0", "small-1");
    }

    private Code reason(JobId job) {
        return play.explain(job).orElseThrow().reasons().getFirst().code();
    }

    @Test
    void roomIsHeldForTheMixThatItsQuotaAllows() {
        restrict("limit");
        fill();
        play.on(new Event.Submitted(a, gang("q"), null));
        assertThat(reason(a)).isEqualTo(Code.INSUFFICIENT_CAPACITY);
        play.passHeard(RESERVE_AFTER, 0);
        assertThat(play.takeOne(Effect.Held.class).job()).isEqualTo(a);
        jobs.submit("late", 2, "default");
        jobs.end("full", 0);
        assertThat(pods(a)).startsWith("large-0", "large-1", "small-0", "small-1");
    }

    @Test
    void firstMixIsKeptWhereNoneCouldEverStart() {
        jobs.queue("q", limited(4));
        fill();
        play.on(new Event.Submitted(a, gang("q"), null));
        assertThat(play.job(a).spec().work().gang().mix()).isEmpty();
        assertThat(reason(a)).isEqualTo(Code.EXCEEDS_MAX_QUOTA);
    }
}
