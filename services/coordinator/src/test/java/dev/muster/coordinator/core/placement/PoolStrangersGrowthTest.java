package dev.muster.coordinator.core.placement;

import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static dev.muster.coordinator.core.placement.Repulsions.in;
import static dev.muster.coordinator.core.placement.Repulsions.labelled;
import static dev.muster.coordinator.core.placement.Repulsions.shunning;
import static dev.muster.coordinator.core.placement.Repulsions.term;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.Zones;
import dev.muster.coordinator.core.model.AntiAffinityTerm;
import dev.muster.coordinator.core.model.AntiAffinityTerm.Operator;
import dev.muster.coordinator.core.model.AntiAffinityTerm.Requirement;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of jobs whose next pods need the same one that others keep off is not in the others' way. */
class PoolStrangersGrowthTest {
    private static final AntiAffinityTerm NOISY = in("app", "noisy");

    private final Play play = Play.withNodes();
    private final JobId a = job("a", 1);
    private final JobId b = job("b", 2);
    private final JobId c = job("c", 3);

    /** It starts with one pod of one core, and wishes for two. */
    private static JobSpec growing() {
        return Fixtures.spec("default", Fixtures.atLeast(1, Fixtures.role("worker", 2, 1)));
    }

    private static JobSpec noisy(JobSpec spec) {
        return labelled(spec, "worker", "app", "noisy");
    }

    /** It has its nodes for itself. */
    private static JobSpec alone(String name, JobSpec spec) {
        var others = new Requirement(AntiAffinityTerm.JOB, Operator.NOT_IN, List.of(name));
        return shunning(spec, term(others));
    }

    private void submit(JobId id, JobSpec spec) {
        play.on(new Event.Submitted(id, spec, null));
    }

    private void node(String name, long cores) {
        play.on(Zones.node(name, "z", cores));
    }

    private List<String> where(JobId id) {
        return play.ranks(id).stream().map(rank -> rank.making().node()).toList();
    }

    @Test
    void jobGrowsWhereAnOlderOneThatIsAlikeMayNotBe() {
        node("node-0", 3);
        submit(c, shunning(workers(1, 1), NOISY));
        node("node-1", 1);
        submit(a, noisy(growing()));
        submit(b, growing());
        assertThat(where(a)).containsExactly("node-1");
        assertThat(where(b)).containsExactly("node-0", "node-0");
        play.restart();
        node("node-2", 1);
        assertThat(where(a)).containsExactly("node-1", "node-2");
    }

    @Test
    void jobThatHasItsNodesForItselfGrowsThereThoughAnOlderOneMayNot() {
        node("node-0", 1);
        submit(a, alone("a", growing()));
        submit(b, alone("b", growing()));
        node("node-1", 3);
        assertThat(where(a)).containsExactly("node-0");
        assertThat(where(b)).containsExactly("node-1", "node-1");
    }

    @Test
    void jobsThatWereAlikePartWhenATermComesThatSelectsOneOfThem() {
        node("node-0", 1);
        submit(a, noisy(growing()));
        submit(b, growing());
        node("node-1", 1);
        submit(c, shunning(workers(1, 1), NOISY));
        node("node-2", 3);
        assertThat(List.of(where(a), where(b), where(c)))
                .containsExactly(List.of("node-0"), List.of("node-1", "node-2"), List.of("node-2"));
    }

    @Test
    void podIsMadeAgainWhereAnOlderJobsMayNotBe() {
        var one = runsOn("node-0", a, noisy(workers(1, 1)));
        var other = runsOn("node-1", b, workers(1, 1));
        node("node-2", 1);
        submit(c, shunning(workers(1, 1), NOISY));
        play.on(Zones.cordoned("node-0", "z", 1));
        play.on(Zones.cordoned("node-1", "z", 1));
        one.fail(0, 137);
        other.fail(0, 137);
        play.passHeard(Duration.ofMinutes(1), 0);
        play.on(Zones.silent("node-0", "z", 1));
        play.on(Zones.silent("node-1", "z", 1));
        node("node-2", 2);
        assertThat(where(a)).containsExactly("node-0");
        assertThat(where(b)).containsExactly("node-2");
    }

    private OneJob runsOn(String node, JobId id, JobSpec spec) {
        node(node, 1);
        var job = new OneJob(play, id);
        job.runs(failing(policy(Otherwise.POD), spec));
        assertThat(where(id)).containsExactly(node);
        return job;
    }
}
