package dev.muster.coordinator.core.simulation;

import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.ScaledJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Change.ScaleIn;
import dev.muster.coordinator.core.model.Change.ScaleOut;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Scaling.Stage;
import org.junit.jupiter.api.Test;

/** That commands which would wait for ever are found. */
class ScalePromisesTest {
    private final Play play = Play.withNodes(4);
    private final JobId a = job("a", 1);
    private final ScaledJob job = new ScaledJob(play, a);

    private void asks(Change.Scale command) {
        job.one.runs(ElasticJobs.elastic("default", 2, 3, 6));
        job.scale(command);
    }

    /** As if nobody had looked at the command again. */
    private void isStuck() {
        var known = play.job(a);
        var open = job.scaling().at(Stage.SCALING, "", "", play.now());
        play.rows.get(Row.Table.JOB).put(a.toString(), known.with(known.past().scaling(open)));
        assertThatThrownBy(() -> ScalePromises.nothingWaitsForNothing(play))
                .hasMessageContaining("waits for nobody");
    }

    private void waits() {
        assertThatCode(() -> ScalePromises.nothingWaitsForNothing(play)).doesNotThrowAnyException();
    }

    @Test
    void shrinkWaitsForWhoLeavesAndForNobodyElse() {
        asks(new ScaleIn("worker", 1, ScaledJob.nobody(), Terms.PLAIN));
        waits();
        job.one.gone(2);
        waits();
        isStuck();
    }

    @Test
    void growthWaitsForWhoComesAndForNobodyElse() {
        asks(new ScaleOut("worker", 1, Terms.PLAIN));
        waits();
        job.one.seeNewest(3, PodPhase.RUNNING, null);
        waits();
        isStuck();
    }
}
