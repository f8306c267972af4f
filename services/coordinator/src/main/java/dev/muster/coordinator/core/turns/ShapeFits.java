package dev.muster.coordinator.core.turns;

import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.WaitReason.Gist;
import dev.muster.coordinator.core.placement.Capacity;
import dev.muster.coordinator.core.placement.Concerns;
import dev.muster.coordinator.core.placement.Stocks;
import dev.muster.coordinator.core.placement.View;
import dev.muster.coordinator.core.state.Tables;
import java.util.Collection;
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
 * #refresh}: while a round goes on, room shrinks. There, too, it is asked about only where {@link
 * Concerns} say that a change may concern it: news that is no shape's mostly costs the same however
 * many there are.
 */
public final class ShapeFits {
    private static final long NEVER = -1;

    private final Tables tables;
    private final Concerns concerns;
    private final Stocks stocks;
    private final Map<Shape, Trial> trials = new LinkedHashMap<>();

    /** Those that fitted when they were asked about last. */
    private final Set<Trial> fitting = new LinkedHashSet<>();

    /** Those that do not, and that every change may concern. */
    private final Set<Trial> unsettled = new LinkedHashSet<>();

    /** To be asked about in the next refresh: something concerns them, or they were asked since. */
    private final Set<Trial> concerned = new LinkedHashSet<>();

    /** Asked about since something was told of them. */
    private final Set<Trial> untold = new LinkedHashSet<>();

    /** Met since the last refresh; those that none of the first lines has are forgotten in it. */
    private final Set<Shape> met = new LinkedHashSet<>();

    private long refreshed = NEVER;
    private long grown = NEVER;

    public ShapeFits(Tables tables) {
        this.tables = tables;
        this.concerns = tables.capacity.concerns(View.NOW, View.EMPTY);
        this.stocks = tables.capacity.stocks();
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
        met.add(shape);
        concerns.add(shape);
        stocks.add(shape);
        var trial = fresh(shape);
        if (trial.fits) {
            fitting.add(trial);
        }
        concerned.add(trial);
        return trial;
    }

    private void forget(Shape shape) {
        var trial = trials.remove(shape);
        if (trial != null) {
            concerns.remove(shape);
            stocks.remove(shape);
            fitting.remove(trial);
            unsettled.remove(trial);
            concerned.remove(trial);
            untold.remove(trial);
        }
    }

    /** Returns whether any that fitted before fits no more. */
    boolean fewerFit() {
        var shut = fitting.stream().filter(trial -> !trial.fits()).toList();
        shut.forEach(fitting::remove);
        concerned.addAll(shut);
        return !shut.isEmpty();
    }

    /** Room may have grown since the last refresh. */
    boolean areOld() {
        return grown != tables.capacity.grown();
    }

    /**
     * Meets every shape of a first line, and asks again about those whom a change may concern.
     *
     * @return false: nothing did change
     */
    public boolean refresh() {
        boolean isNews = refreshed != tables.capacity.changed();
        var changed = tables.backlog.changedForTurns.take();
        met.addAll(changed);
        met.stream().filter(shape -> !tables.backlog.isFirst(shape)).forEach(this::forget);
        if (isNews) {
            notice();
            var asked = new LinkedHashSet<>(concerned);
            asked.addAll(fitting);
            asked.addAll(unsettled);
            concerned.clear();
            asked.forEach(this::refresh);
        }
        changed.stream().filter(tables.backlog::isFirst).forEach(this::of);
        met.clear();
        refreshed = tables.capacity.changed();
        grown = tables.capacity.grown();
        return isNews;
    }

    private void notice() {
        addAll(concerns.moved(), concerned);
    }

    /**
     * As if each shape were concerned by a change, which marks nothing else. To be used by tests.
     */
    void concernAll() {
        concerned.addAll(trials.values());
        untold.addAll(trials.values());
    }

    private void addAll(Collection<Shape> shapes, Set<Trial> to) {
        for (var shape : shapes) {
            var trial = trials.get(shape);
            if (trial != null) {
                to.add(trial);
            }
        }
    }

    private void refresh(Trial trial) {
        boolean fitted = trial.fits;
        boolean could = trial.ever;
        trial.ask();
        trial.ever = tables.capacity.couldEverFit(trial.shape);
        if (trial.fits) {
            fitting.add(trial);
        }
        if (trial.fits || tables.capacity.isSettled(trial.shape)) {
            unsettled.remove(trial);
        } else {
            unsettled.add(trial);
        }
        untold.add(trial);
        if (trial.ever != could) {
            tables.backlog.queues(trial.shape).forEach(tables.marks::of);
        } else if (trial.fits && !fitted) {
            tables.backlog.queues(trial.shape).forEach(tables.marks.forTurns::add);
        }
    }

    /** Marks for reasons the queues of every shape of which something else is to be told now. */
    void judge() {
        notice();
        addAll(stocks.passed(), untold);
        untold.addAll(concerned);
        untold.addAll(fitting);
        untold.addAll(unsettled);
        untold.forEach(this::judge);
        untold.clear();
    }

    private void judge(Trial trial) {
        var gist = trial.fits() ? null : tables.capacity.gist(trial.shape);
        if (!Objects.equals(gist, trial.told)) {
            tables.backlog.queues(trial.shape).forEach(tables.marks.forReasons::add);
        }
        trial.told = gist;
    }
}
