package dev.muster.coordinator.core.turns;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.queue.Credits;
import dev.muster.coordinator.core.queue.Credits.Purse;
import dev.muster.coordinator.core.queue.Ledger;
import dev.muster.coordinator.core.queue.Line;
import dev.muster.coordinator.core.state.Eligibility;
import dev.muster.coordinator.core.turns.ShapeFits.Trial;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which job of one queue could start now: the first that could and, where that one would borrow and
 * lets others pass, the first of those behind it that keeps to the queue's guarantee.
 */
public final class Lane implements QueuePolicy.Contender {
    private final String name;
    private final Ledger ledger;
    private final Eligibility eligibility;
    private final Credits credits;

    /** Nothing but room is in the way of a line's head. */
    private final BiPredicate<Queue, Line> allowed;

    final Purse purse;
    private Queue queue;
    private List<Line> lines = List.of();

    /** Of the first line whose head could start; behind all of them: there is none. */
    private int first;

    private @Nullable Trial ofFirst;

    /** The same of those whose head may start before all borrowers, never before the first. */
    private int guaranteed;

    private @Nullable Trial ofGuaranteed;

    /**
     * Of what is guaranteed to the queue: the highest priority of those passed that could start and
     * need of it.
     */
    private final Map<String, Integer> claimed = new LinkedHashMap<>();

    /** Some that keep to the guarantee do not pass for such a claim alone. */
    private boolean waits;

    /** It contends with that one, since other queues could start a job, too. */
    boolean goesFirst;

    boolean listed;
    boolean contends;
    boolean owes;

    Lane(Queue queue, Ledger ledger, Eligibility eligibility, Credits credits) {
        this(
                queue,
                ledger,
                eligibility,
                credits,
                (of, line) -> eligibility.excess(of, line) == null);
    }

    Lane(
            Queue queue,
            Ledger ledger,
            Eligibility eligibility,
            Credits credits,
            BiPredicate<Queue, Line> allowed) {
        this.allowed = allowed;
        this.name = queue.name();
        this.queue = queue;
        this.ledger = ledger;
        this.eligibility = eligibility;
        this.credits = credits;
        this.purse = new Purse(name, queue.spec().weight(), queue.credit());
    }

    /** Takes what may have changed of the queue; what it owes is not written there yet. */
    void become(Queue now) {
        queue = now;
        credits.set(purse, now.spec().weight(), owes ? credit() : now.credit());
    }

    /** Looks at these, from the first on. */
    void look(List<Line> all, Function<Shape, Trial> ask) {
        lines = all;
        first = 0;
        goOn(ask);
    }

    /** While a round goes on room only shrinks: what was found shut stays so. */
    void lookOn(Function<Shape, Trial> ask) {
        if (!isOpen() || !isStill(first, ofFirst)) {
            goOn(ask);
        } else if (guaranteed > first && (waits || isGuaranteed() && !isGuaranteedStill())) {
            goOnGuaranteed(ask);
        }
    }

    private boolean isGuaranteedStill() {
        return isStill(guaranteed, ofGuaranteed);
    }

    private boolean isStill(int at, @Nullable Trial trial) {
        return trial != null && trial.fits() && allowed.test(queue, lines.get(at));
    }

    /** To the first line from here on whose head could start. */
    private void goOn(Function<Shape, Trial> ask) {
        while (isOpen()) {
            var line = lines.get(first);
            ofFirst = ask.apply(line.shape());
            if (isStill(first, ofFirst)) {
                break;
            }
            first = eligibility.blocks(queue, line) ? lines.size() : first + 1;
        }
        goOnGuaranteed(ask);
    }

    private void goOnGuaranteed(Function<Shape, Trial> ask) {
        if (isOpen() && eligibility.isGuaranteed(queue, lines.get(first))) {
            guaranteed = first;
            return;
        }
        boolean passes =
                isOpen()
                        && queue.spec().order().backfill()
                        && eligibility.mayAnyKeepToGuarantee(queue);
        guaranteed = passes ? first + 1 : lines.size();
        claimed.clear();
        waits = false;
        if (isGuaranteed()) {
            claim(lines.get(first), eligibility.needsOfGuarantee(queue, lines.get(first)));
        }
        while (isGuaranteed() && !keepsToGuarantee(lines.get(guaranteed), ask)) {
            guaranteed++;
        }
    }

    /** Who could start and does not keep to it has the first claim before lower priorities. */
    private boolean keepsToGuarantee(Line line, Function<Shape, Trial> ask) {
        var needs = eligibility.needsOfGuarantee(queue, line);
        boolean isWithin = !needs.isEmpty() && eligibility.isGuaranteed(queue, line);
        boolean mayPass =
                isWithin && needs.stream().allMatch(need -> claimed(need) <= line.priority());
        waits |= isWithin && !mayPass;
        if (!mayPass && !claimsMore(line, needs)) {
            return false;
        }
        ofGuaranteed = ask.apply(line.shape());
        boolean could = isStill(guaranteed, ofGuaranteed);
        if (could && !mayPass) {
            claim(line, needs);
        }
        return could && mayPass;
    }

    private void claim(Line line, List<String> needs) {
        if (claimsMore(line, needs)) {
            needs.forEach(need -> claimed.merge(need, line.priority(), Math::max));
        }
    }

    /** By age alone nobody has a claim before others. */
    private boolean claimsMore(Line line, List<String> needs) {
        return queue.spec().order().kind() == QueueSpec.Kind.PRIORITY
                && needs.stream().anyMatch(need -> claimed(need) < line.priority());
    }

    private int claimed(String resource) {
        return claimed.getOrDefault(resource, Integer.MIN_VALUE);
    }

    public String name() {
        return name;
    }

    /** The job that it would start. */
    public JobId head() {
        return line().head();
    }

    private Line line() {
        return lines.get(goesFirst && isGuaranteed() ? guaranteed : first);
    }

    /** It could start a job. */
    boolean isOpen() {
        return first < lines.size();
    }

    /** It could start one that goes before borrowers. */
    boolean isGuaranteed() {
        return guaranteed < lines.size();
    }

    @Override
    public int weight() {
        return purse.weight();
    }

    @Override
    public long credit() {
        return credits.of(purse);
    }

    @Override
    public long ticket() {
        return line().ticket();
    }

    @Override
    public Amounts used() {
        return ledger.account(name).used();
    }
}
