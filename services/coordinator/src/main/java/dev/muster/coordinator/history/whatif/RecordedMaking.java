package dev.muster.coordinator.history.whatif;

import dev.muster.coordinator.core.model.Event.PlanRefused;
import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Failure;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One making of the pod of a rank or of a hook, as the log tells of it. */
final class RecordedMaking {
    private final String queue;
    private final boolean trains;
    private final Instant ordered;
    private final List<News> news = new ArrayList<>();
    private @Nullable Instant taken;
    private @Nullable Instant told;
    private @Nullable PlanRefused refusal;
    private boolean made;

    /** News of a pod, so long after it was ordered. */
    record News(Duration after, Pod pod) {
        boolean isEnd() {
            return pod.phase() == PodPhase.SUCCEEDED || pod.phase() == PodPhase.FAILED;
        }

        private News later(Duration by) {
            return new News(after.plus(by), pod);
        }
    }

    /**
     * @param trains false: it is a hook's
     */
    RecordedMaking(String queue, boolean trains, Instant ordered) {
        this.queue = queue;
        this.trains = trains;
        this.ordered = ordered;
    }

    void seen(Instant at, Pod pod) {
        made();
        if (pod.deleting() || Failure.isTaken(pod, false)) {
            taken(at);
        }
        if (isCut()) {
            return;
        }
        if (!news.isEmpty() && isAlike(news.getLast().pod(), pod)) {
            // Lists tell of each pod again and again, and all that is kept is kept to the end.
            news.set(news.size() - 1, new News(news.getLast().after(), pod));
        } else {
            news.add(new News(Duration.between(ordered, at), pod));
        }
    }

    /** The second one says nothing that a pool would act upon. */
    private static boolean isAlike(Pod one, Pod two) {
        return one.phase() == two.phase()
                && one.ready() == two.ready()
                && (one.node() == null) == (two.node() == null)
                && Objects.equals(one.main(), two.main())
                && Objects.equals(one.hindrance(), two.hindrance())
                && Objects.equals(one.runs(), two.runs());
    }

    /** The API server took it, whatever it said of others. */
    void made() {
        made = true;
        refusal = null;
    }

    /** A plan that wants it was. One that is there is not meant. */
    void refused(PlanRefused why) {
        if (!made && !isCut()) {
            refusal = why;
        }
    }

    /** By whomsoever: how it would have gone on by itself nobody knows. */
    void taken(Instant at) {
        if (taken == null && !hasEnded()) {
            taken = at;
        }
    }

    /** The coordinator told it to go. One that had ended, or was taken before, is not meant. */
    void told(Instant at) {
        if (!isCut() && !hasEnded()) {
            told = at;
        }
    }

    /** The coordinator wants it again, or still. */
    void wanted() {
        told = null;
    }

    String queue() {
        return queue;
    }

    boolean trains() {
        return trains;
    }

    Instant ordered() {
        return ordered;
    }

    /** Until it was cut. */
    List<News> news() {
        return news;
    }

    /** From when on the coordinator was to blame for what is told of it; null: never. */
    @Nullable Instant told() {
        return told;
    }

    /** Null: it was made, or is to be. */
    @Nullable PlanRefused refusal() {
        return refusal;
    }

    boolean isCut() {
        return taken != null || told != null;
    }

    boolean hasEnded() {
        return !news.isEmpty() && news.getLast().isEnd();
    }

    /** When it ran first, since it was ordered; null: it never did. */
    @Nullable Duration began() {
        return after(PodPhase.RUNNING);
    }

    @Nullable Duration after(PodPhase phase) {
        return after(news, phase);
    }

    private static @Nullable Duration after(List<News> news, PodPhase phase) {
        for (var one : news) {
            if (one.pod().phase() == phase) {
                return one.after();
            }
        }
        return null;
    }

    /** For how long one with such news ran; for ever: it did not end; below 0: it never ran. */
    static Duration ran(List<News> news) {
        var began = after(news, PodPhase.RUNNING);
        var end = news.stream().filter(News::isEnd).findFirst().map(News::after).orElse(null);
        if (end == null) {
            return began == null ? Duration.ofSeconds(-1) : ChronoUnit.FOREVER.getDuration();
        }
        return began == null ? Duration.ZERO : end.minus(began);
    }

    /**
     * Had it not been cut: it runs as long in all as another did that came to its end by itself. If
     * it had run longer already, that one went on from what was saved: then it runs as long from
     * there on.
     */
    List<News> goingOnAs(RecordedMaking other) {
        var cut = told == null ? taken : told;
        if (cut == null) {
            return news;
        }
        var since = Duration.between(ordered, cut);
        var shift = shift(other, since);
        var all = new ArrayList<>(news);
        other.news.stream()
                .map(one -> one.later(shift))
                .filter(one -> one.after().compareTo(since) >= 0)
                .forEach(all::add);
        return all;
    }

    private Duration shift(RecordedMaking other, Duration since) {
        var own = began();
        var others = other.began();
        if (own == null || others == null) {
            var late = since.minus(other.news.getFirst().after());
            return late.isNegative() ? Duration.ZERO : late;
        }
        var end = other.news.stream().filter(News::isEnd).findFirst().orElseThrow().after();
        var asLong = own.minus(others);
        return end.plus(asLong).compareTo(since) < 0 ? since.minus(others) : asLong;
    }
}
