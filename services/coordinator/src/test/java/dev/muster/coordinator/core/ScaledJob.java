package dev.muster.coordinator.core;

import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Scaling;
import java.util.TreeSet;

/** One elastic job at play that is told to change its size, and how its last command stands. */
final class ScaledJob {
    final OneJob one;
    final Asking asking;
    private final Play play;
    private final JobId id;
    private int requests;

    ScaledJob(Play play, JobId id) {
        this.play = play;
        this.id = id;
        one = new OneJob(play, id);
        asking = new Asking(play, id);
    }

    void scale(Change.Scale command) {
        play.on(new Event.ChangeAsked(id, command, new Event.Request("ml/a", "r-" + requests++)));
    }

    Scaling scaling() {
        return play.job(id).past().scaling();
    }

    Scaling.Stage stage() {
        return scaling().stage();
    }

    /** Whoever leaves is not named. */
    static TreeSet<String> nobody() {
        return new TreeSet<>();
    }
}
