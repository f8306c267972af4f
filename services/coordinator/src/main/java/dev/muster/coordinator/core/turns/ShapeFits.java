package dev.muster.coordinator.core.turns;

import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.WaitReason.Gist;
import dev.muster.coordinator.core.placement.Capacity;
import dev.muster.coordinator.core.state.Tables;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How each shape of the queues' first lines stood when it was last asked about, which is done once
 * for all its jobs; the queues of a shape that stands otherwise now are marked.
 *
 * <p>A shape that fits is asked about after every change, one that does not only in {@link
 * #refresh}: while a round goes on, room shrinks.
 */
public final class ShapeFits {
    private static final long NEVER = -1;

    private final Tables tables;
    private final Map<Shape, Trial> trials = new LinkedHashMap<>();

    /** Those that fitted when they were asked about last. */
    private final Set<Trial> fitting = new LinkedHashSet<>();

    private long refreshed = NEVER;
    private long grown = NEVER;

    public ShapeFits(Tables tables) {
        this.tables = tables;
    }

    /** One shape's. */
    static final class Trial {
        private final Shape shape;
        private final Capacity capacity;
        private long at;
        private boolean fits;
        private boolean ever;
        private @Nullable Gist told;

        Trial(Shape shape, Capacity capacity) {
            this(shape, capacity, capacity.fits(shape), capacity.couldEverFit(shape));
        }

        private Trial(Shape shape, Capacity capacity, boolean fits, boolean ever) {
            this.shape = shape;
            this.capacity = capacity;
            this.at = capacity.changed();
            this.fits = fits;
            this.ever = ever;
        }

        /** As it would stand, until anything changes, if no other used the room that there is. */
        Trial ifRoomCame() {
            return new Trial(shape, capacity, ever, ever);
        }

        boolean fits() {
            if (fits && at != capacity.changed()) {
                ask();
            }
            return fits;
        }

        private void ask() {
            fits = capacity.fits(shape);
            at = capacity.changed();
        }
    }

    /** Of this moment, whatever is known. */
    Trial fresh(Shape shape) {
        return new Trial(shape, tables.capacity);
    }

    Trial of(Shape shape) {
        return trials.computeIfAbsent(shape, this::meet);
    }

    private Trial meet(Shape shape) {
        var trial = fresh(shape);
        if (trial.fits) {
            fitting.add(trial);
        }
        return trial;
    }

    /** Returns whether any that fitted before fits no more. */
    boolean fewerFit() {
        return fitting.removeIf(trial -> !trial.fits());
    }

    /** Room may have grown since the last refresh. */
    boolean areOld() {
        return grown != tables.capacity.grown();
    }

    /**
     * Meets every shape of a first line, and asks again about each if anything changed.
     *
     * @return false: nothing did
     */
    public boolean refresh() {
        boolean isNews = refreshed != tables.capacity.changed();
        var waiting = tables.backlog.shapes();
        trials.keySet().retainAll(waiting);
        fitting.removeIf(trial -> !waiting.contains(trial.shape));
        if (isNews) {
            trials.values().forEach(this::refresh);
        }
        waiting.forEach(this::of);
        refreshed = tables.capacity.changed();
        grown = tables.capacity.grown();
        return isNews;
    }

    private void refresh(Trial trial) {
        boolean fitted = trial.fits;
        boolean could = trial.ever;
        trial.ask();
        if (trial.fits) {
            fitting.add(trial);
        }
        trial.ever = tables.capacity.couldEverFit(trial.shape);
        if (trial.ever != could) {
            tables.backlog.queues(trial.shape).forEach(tables.marks::of);
        } else if (trial.fits && !fitted) {
            tables.backlog.queues(trial.shape).forEach(tables.marks.forTurns::add);
        }
    }

    /** Marks for reasons the queues of every shape of which something else is to be told now. */
    void judge() {
        for (var trial : trials.values()) {
            var gist = trial.fits() ? null : tables.capacity.gist(trial.shape);
            if (!Objects.equals(gist, trial.told)) {
                tables.backlog.queues(trial.shape).forEach(tables.marks.forReasons::add);
            }
            trial.told = gist;
        }
    }
}
