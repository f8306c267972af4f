package dev.muster.coordinator.core.turns;

import dev.muster.coordinator.core.model.Sweep;
import dev.muster.coordinator.core.model.Sweep.Place;
import dev.muster.coordinator.core.queue.Line;
import dev.muster.coordinator.core.state.Eligibility;
import dev.muster.coordinator.core.state.Tables;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lines that no round looks at, since they stand behind the first ones of their queues: when a
 * round is over they are looked through, in order, a window at a time. Events do not wait for that;
 * what changes meanwhile has all of it looked through once more.
 */
public final class Sweeps {
    /** How many windows one step looks at. */
    public static final int AT_ONCE = 4;

    /** How many lines there are in a window of such as cost little. */
    public static final int WINDOW = 256;

    /** How many of those one counts for where it has to be searched for. */
    private static final int SEARCHED_GANG_WEIGHT = 16;

    private final Tables tables;
    private final Eligibility eligibility;

    /** Lines of a queue that stand behind its first ones, in order. */
    record Further(String queue, List<Line> lines) {
        Further {
            lines = List.copyOf(lines);
        }

        /** Those of which nobody was started, or not everybody. */
        List<Line> left() {
            return lines.stream().filter(line -> line.size() > 0).toList();
        }
    }

    /**
     * Some lines of a queue.
     *
     * @param last the place of the last of them; null: there are none
     * @param isEnd nothing behind them may start before they do, or there is nothing
     */
    record Window(Further lines, @Nullable Place last, boolean isEnd) {
        boolean isEmpty() {
            return last == null;
        }
    }

    Sweeps(Tables tables) {
        this.tables = tables;
        this.eligibility = tables.eligibility;
    }

    /** Lines are left that were not looked at since the last change. */
    public static boolean areDue(Tables tables) {
        var sweep = tables.sweep();
        return sweep != null && sweep.queue() != null;
    }

    /** A round is over: what it did not look at may have become startable, too. */
    void begin() {
        var sweep = tables.sweep();
        if (sweep == null || sweep.queue() == null) {
            beginAfter(sweep == null ? Sweep.NONE : sweep);
        } else if (sweep.after() != null || !sweep.queue().equals(sweep.from())) {
            put(sweep.onceMore());
        }
    }

    private void beginAfter(Sweep before) {
        var deep = tables.backlog.deep();
        var next = deep.higher(before.served());
        if (!deep.isEmpty()) {
            put(before.from(next == null ? deep.first() : next, tables.now()));
        }
    }

    private void put(Sweep sweep) {
        if (!sweep.equals(tables.sweep())) {
            tables.put(sweep);
        }
    }

    /** Those that are looked at next, of the queue whose turn it is. */
    Window next() {
        var sweep = tables.sweep();
        var name = sweep == null || sweep.queue() == null ? "" : sweep.queue();
        var queue = tables.queue(name);
        if (sweep == null
                || queue == null
                || !eligibility.mayStart(queue)
                || eligibility.isBlocked(queue)) {
            return new Window(new Further(name, List.of()), null, true);
        }
        eligibility.lines(queue); // Which are its first ones may have changed.
        var order = eligibility.order(queue, sweep.at());
        var lines = tables.backlog.further(name, order, sweep.after(), WINDOW);
        int count = affordable(lines);
        boolean isEnd = count == lines.size() && count < WINDOW;
        for (int at = 0; at < count; at++) {
            if (eligibility.blocks(queue, lines.get(at))) {
                count = at + 1;
                isEnd = true;
            }
        }
        var window = new Further(name, lines.subList(0, count));
        return new Window(window, count == 0 ? null : order.of(lines.get(count - 1)), isEnd);
    }

    /** How many of them make a window. */
    private static int affordable(List<Line> lines) {
        int cost = 0;
        int count = 0;
        while (count < lines.size() && cost < WINDOW) {
            cost += lines.get(count++).shape().isSearched() ? SEARCHED_GANG_WEIGHT : 1;
        }
        return count;
    }

    /** Something of the queue was started. */
    void serves(String queue) {
        var sweep = tables.sweep();
        if (sweep != null) {
            put(sweep.serving(queue));
        }
    }

    /** The window was looked at. */
    void moveOn(Window window) {
        var sweep = tables.sweep();
        if (sweep == null) {
            return;
        }
        if (window.last() != null && !window.isEnd()) {
            put(sweep.after(window.last()));
            return;
        }
        var next = after(window.lines().queue(), sweep.from());
        if (next != null) {
            put(sweep.in(next));
        } else {
            put(sweep.over());
            if (sweep.again()) {
                beginAfter(sweep);
            }
        }
    }

    /** By name, and those before {@code from} last; null: all were. */
    private @Nullable String after(String queue, String from) {
        var deep = tables.backlog.deep();
        boolean isSecondHalf = queue.compareTo(from) < 0;
        var next = deep.higher(queue);
        if (next == null && !isSecondHalf && !deep.isEmpty()) {
            next = deep.first();
            isSecondHalf = true;
        }
        boolean isOver = next == null || isSecondHalf && next.compareTo(from) >= 0;
        return isOver ? null : next;
    }
}
