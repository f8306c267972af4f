package dev.muster.coordinator.core.gang;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.atLeast;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.lying;
import static dev.muster.coordinator.core.fixtures.Fixtures.node;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Topology;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Started jobs of which not all pods have room, and who is tried first of them. */
class GrowableJobsTest {
    private static final JobSpec HALF = spec("default", atLeast(1, role("worker", 2, 4)));

    private final Play play = Play.withNodes();

    @Test
    void jobsThatWantTheSameStandInOneLineAndTheOldestIsItsHead() {
        submit("y", 2, HALF);
        submit("x", 3, HALF);
        assertThat(next()).containsExactly("y worker");
    }

    @Test
    void jobWhosePodsLieTogetherStandsAlone() {
        var together = lying(new Topology(Topology.Policy.REQUIRE, null), HALF);
        submit("y", 2, together);
        submit("x", 3, together);
        assertThat(next()).containsExactly("y worker", "x worker");
    }

    @Test
    void jobWhosePodsOnlyPreferToLieTogetherStandsWithOthers() {
        var together = lying(new Topology(Topology.Policy.PREFER, null), HALF);
        submit("y", 2, together);
        submit("x", 3, together);
        assertThat(next()).containsExactly("y worker");
    }

    @Test
    void rolesOfAJobAreTriedInItsOrder() {
        submit(
                "x",
                1,
                spec(
                        "default",
                        atLeast(1, role("worker", 2, 4)),
                        atLeast(1, role("ps", 2, 4)),
                        atLeast(0, role("chief", 1, 4))));
        assertThat(next()).containsExactly("x worker", "x ps", "x chief");
    }

    private void submit(String name, long offset, JobSpec spec) {
        play.on(new Event.Submitted(job(name, offset), spec, null));
    }

    /** On two nodes each of two jobs has a pod: starting comes before growing. */
    private List<String> next() {
        play.on(new Event.NodeSeen(WATCHER, node("node-0", 4)));
        play.on(new Event.NodeSeen(WATCHER, node("node-1", 4)));
        var tables = new Tables(new Journal());
        play.allRows().forEach(tables::restore);
        var next = new ArrayList<String>();
        for (var line : tables.growing.lines()) {
            next.add(line.head().name() + " " + line.role().name());
        }
        return next;
    }
}
