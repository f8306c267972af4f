package dev.muster.coordinator.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Checkpoint;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.state.Effect.RunPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One job at play that is asked to save, and its answers. */
final class Asking {
    private final Play play;
    private final JobId id;

    Asking(Play play, JobId id) {
        this.play = play;
        this.id = id;
    }

    /** What it was asked last. */
    Checkpoint last() {
        var last = play.job(id).past().checkpoint();
        assertThat(last).as("what it was asked").isNotNull();
        return last;
    }

    void isAsked(String purpose) {
        assertThat(last().stage()).isEqualTo(Checkpoint.Stage.ASKED);
        assertThat(last().purpose()).isEqualTo(purpose);
    }

    void answer(boolean saved) {
        say(last().id(), null, saved);
    }

    void say(long ask, @Nullable Integer attempt, boolean saved) {
        play.on(new Event.CheckpointAnswered(id, attempt, ask, saved, "step 40"));
    }

    void endedAs(Checkpoint.Stage stage) {
        assertThat(last().stage()).isEqualTo(stage);
        assertThat(play.rows.get(Row.Table.ALARM))
                .doesNotContainKey(Alarm.key(Alarm.Kind.CHECKPOINT, id.toString()).id());
    }

    /** The ranks of the newest plan since effects were taken last. */
    List<String> planned() {
        return ranks(play.take(RunPlan.class).getLast());
    }

    static List<String> ranks(RunPlan plan) {
        return plan.pods().stream().map(pod -> pod.rank().toString()).toList();
    }

    List<Rank> ranks() {
        return play.allRows()
                .filter(row -> row instanceof Rank rank && rank.job().equals(id))
                .map(Rank.class::cast)
                .toList();
    }

    List<String> members() {
        return ranks().stream()
                .filter(rank -> !rank.isLeaving())
                .map(rank -> rank.id().toString())
                .toList();
    }
}
