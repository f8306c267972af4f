package dev.muster.admission.core;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a job said of its speed since its last digest. A digest is due with the first sample that
 * comes {@link #SPAN} after the window opened: at most one each 10 s of a job, and none of a job
 * that says nothing.
 *
 * @param uid of the submission
 * @param attempt the latest that was heard of, also before the last digest
 * @param workers as far as somebody said it since then
 * @param since when it was opened: with the last digest, or when its attempt was heard of first
 * @param heard how many samples, those among them that are kept no more
 * @param samples the newest, the oldest first
 */
public record SpeedWindow(
        String uid,
        @Nullable Integer attempt,
        @Nullable Integer workers,
        Instant since,
        int heard,
        List<SpeedSample> samples) {
    /** Least time between two digests of a job. */
    public static final Duration SPAN = Duration.ofSeconds(10);

    /** An attempt that is silent for so long does not keep earlier ones back. */
    public static final Duration FORGOTTEN = Duration.ofMinutes(1);

    /** So many samples are kept. */
    public static final int MOST = 32;

    public SpeedWindow {
        samples = List.copyOf(samples);
    }

    /**
     * The medians of what was said for a while.
     *
     * @param span from when the first step began until the last sample was heard
     * @param step the latest
     */
    public record Digest(
            String uid,
            @Nullable Integer attempt,
            @Nullable Integer incarnation,
            @Nullable Integer workers,
            int samples,
            Duration span,
            long step,
            @Nullable Long epoch,
            @Nullable Long stepMicros,
            @Nullable Long samplesPerSecondThousandths,
            @Nullable Long batchMicros) {}

    /**
     * @param digest null: it is not due yet
     */
    public record Taken(SpeedWindow next, @Nullable Digest digest) {}

    /**
     * It is of an earlier attempt of the same submission than what is heard now: it is dropped. One
     * that is not heard of for {@link #FORGOTTEN} may have been a mistake, and counts no more.
     */
    public boolean isNewerThan(String ofUid, SpeedSample sample) {
        var said = sample.attempt();
        var last = samples.isEmpty() ? since : samples.getLast().at();
        return uid.equals(ofUid)
                && attempt != null
                && said != null
                && said < attempt
                && sample.at().isBefore(last.plus(FORGOTTEN))
                && !isAhead(last, sample);
    }

    /** By the clock of one who was ahead, as it may be set right: then it says nothing. */
    private static boolean isAhead(Instant time, SpeedSample sample) {
        return sample.at().isBefore(time.minus(FORGOTTEN));
    }

    /**
     * Takes one sample in. Of a later attempt, or with another number of workers, what was heard
     * before counts no more; but a digest is due as it was where only the workers are others: two
     * who count otherwise do not put it off. One that says neither goes with what others say:
     * several ranks of a job may report, each by its own means.
     *
     * @param before null: nothing was heard
     * @param uid the newest submission of the name
     */
    public static Taken take(@Nullable SpeedWindow before, String uid, SpeedSample sample) {
        var now =
                (before == null ? opened(uid, sample.at()) : before.openTo(uid, sample))
                        .with(sample);
        return sample.at().isBefore(now.since.plus(SPAN))
                ? new Taken(now, null)
                : new Taken(now.emptied(sample.at()), now.digest());
    }

    private static SpeedWindow opened(String uid, Instant since) {
        return new SpeedWindow(uid, null, null, since, 0, List.of());
    }

    private SpeedWindow openTo(String ofUid, SpeedSample sample) {
        if (!uid.equals(ofUid) || !mayBeSame(attempt, sample.attempt())) {
            return opened(ofUid, sample.at());
        }
        if (isAhead(since, sample)) {
            return emptied(sample.at());
        }
        return mayBeSame(workers, sample.workers()) ? this : emptied(since);
    }

    /** What was heard counts no more, but of which attempt it was does: earlier ones are over. */
    private SpeedWindow emptied(Instant from) {
        return new SpeedWindow(uid, attempt, null, from, 0, List.of());
    }

    private static boolean mayBeSame(@Nullable Integer known, @Nullable Integer said) {
        return known == null || said == null || known.equals(said);
    }

    private SpeedWindow with(SpeedSample sample) {
        var kept =
                Stream.concat(samples.stream(), Stream.of(sample))
                        .skip(Math.max(0, samples.size() + 1L - MOST))
                        .toList();
        return new SpeedWindow(
                uid,
                sample.attempt() == null ? attempt : sample.attempt(),
                sample.workers() == null ? workers : sample.workers(),
                since,
                heard + 1,
                kept);
    }

    private Digest digest() {
        var first = samples.getFirst();
        var took = first.stepMicros() == null ? 0 : first.stepMicros();
        var heardFor = Duration.between(first.at(), samples.getLast().at());
        return new Digest(
                uid,
                of(SpeedSample::attempt).findFirst().orElse(null),
                of(SpeedSample::incarnation).max(Integer::compare).orElse(null),
                workers,
                heard,
                heardFor.plusNanos(took * 1000),
                samples.stream().mapToLong(SpeedSample::step).max().orElse(0),
                of(SpeedSample::epoch).max(Long::compare).orElse(null),
                median(SpeedSample::stepMicros),
                median(SpeedSample::samplesPerSecondThousandths),
                median(SpeedSample::batchMicros));
    }

    private <T> Stream<T> of(Function<SpeedSample, @Nullable T> value) {
        return samples.stream().map(value).flatMap(Stream::ofNullable);
    }

    /** Of two in the middle the lower one; null: nobody said any. */
    private @Nullable Long median(Function<SpeedSample, @Nullable Long> value) {
        var sorted = of(value).sorted().toList();
        return sorted.isEmpty() ? null : sorted.get((sorted.size() - 1) / 2);
    }
}
