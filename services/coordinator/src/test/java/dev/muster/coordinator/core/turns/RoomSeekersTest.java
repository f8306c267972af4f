package dev.muster.coordinator.core.turns;

import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Waiting adds to priorities, and a job would grow: how often who waits is looked for. */
class RoomSeekersTest {
    private static final Duration STEP = Duration.ofMinutes(1);

    private final JobId grows = job("grows", 1);
    private final JobId waits = job("waits", 2);
    private final Tables tables = new Tables(new Journal());
    private final RoomSeekers seekers = new RoomSeekers(tables);
    private List<Row> later = List.of();

    @BeforeEach
    void jobRunsAndAnotherIsAboutToCome() {
        var play = Play.withNodes(2);
        play.on(new Event.PoolPut("default", Fixtures.aging(STEP, 1000), null));
        play.on(new Event.Submitted(grows, at(2, ElasticJobs.elastic("default", 2, 2, 4)), null));
        play.allRows().forEach(tables::restore);
        play.on(new Event.Submitted(waits, at(1, workers(2, 1)), null));
        later = List.of(play.job(waits));
    }

    private @Nullable JobId rival() {
        return seekers.of(tables.job(grows), Fixtures.shape(workers(1, 1)));
    }

    /** It is asked for each line of jobs that could grow, while no time passes. */
    @Test
    void whatWasLookedAtIsNotLookedAtAgainAtTheSameTime() {
        assertThat(rival()).isNull();
        later.forEach(tables::restore);
        tables.tick(tables.now().plus(STEP));
        tables.marks.forWanting.take(List.of());
        assertThat(rival()).isEqualTo(waits);
        tables.remove(tables.job(waits));
        tables.marks.forWanting.take(List.of());
        assertThat(rival()).isEqualTo(waits);
        tables.tick(tables.now().plusNanos(1));
        assertThat(rival()).isNull();
    }

    @Test
    void whatIsMarkedIsLookedAtThoughNoTimeHasPassed() {
        tables.tick(tables.now().plus(STEP));
        assertThat(rival()).isNull();
        later.forEach(tables::restore);
        assertThat(rival()).isEqualTo(waits);
    }

    /** As it has waited for long enough to be worth as much. */
    @Test
    void whoComesToTheSameByWaitingIsFoundThoughNothingIsMarked() {
        later.forEach(tables::restore);
        assertThat(rival()).isNull();
        tables.tick(tables.now().plus(STEP));
        assertThat(rival()).isEqualTo(waits);
    }
}
