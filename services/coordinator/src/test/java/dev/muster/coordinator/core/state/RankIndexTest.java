package dev.muster.coordinator.core.state;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.cpu;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.node;
import static dev.muster.coordinator.core.fixtures.NamedJobs.one;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Checkpoint;
import dev.muster.coordinator.core.model.Clock;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.NamespaceQuota;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What follows for others when a rank that has something is there no more. */
class RankIndexTest {
    private static final List<String> ALL = List.of("a", "b");
    private static final RankId ID = new RankId("worker", 0);

    private final Tables tables = new Tables(new Journal());
    private final Job placed = Job.submitted(job("placed", 1), one("a"), new Clock(NOON, 1, null));
    private final Rank rank =
            Rank.ordered(
                    placed.id(),
                    ID,
                    new Rank.Making(placed.fences(), "node-0", List.of(), null, 0, 0));

    @BeforeEach
    void jobIsThere() {
        tables.restore(node("node-0", 4));
        tables.restore(placed);
    }

    @Test
    void whatItLeavesOfANamespaceIsAMatterOfAllQueuesWhereJobsOfThatWait() {
        var waiting = Job.submitted(job("waiting", 2), one("b"), new Clock(NOON, 2, null));
        var open = new JobState.Queued(0, new JobState.Gate.Open(), null);
        tables.restore(waiting.to(open, waiting.times()));
        tables.restore(new NamespaceQuota("ml", cpu(4), new TreeSet<>(), Amounts.NONE, 0, 1));
        tables.restore(rank);
        tables.marks.forTurns.take(ALL);
        tables.remove(rank);
        assertThat(tables.marks.forTurns.take(ALL)).containsExactly("a", "b");
    }

    @Test
    void jobOwesAnAnswerOnceNoRankOfItWaitsForThatAnyMore() {
        var asked = new Checkpoint(7, 1, "grow", NOON, Checkpoint.Stage.ASKED, "", NOON);
        tables.restore(placed.with(placed.past().asked(asked)));
        var joining = rank.joining(0, asked.id());
        tables.restore(joining);
        assertThat(tables.unawaited.first()).isNull();
        tables.remove(joining);
        assertThat(tables.unawaited.first()).isEqualTo(placed.id());
    }
}
