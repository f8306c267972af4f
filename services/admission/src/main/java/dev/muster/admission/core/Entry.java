package dev.muster.admission.core;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the directory knows of one name.
 *
 * @param uid the newest submission
 * @param number the inbox partition of {@code pool}
 * @param phase where that submission stood when it was last heard of
 * @param submits what was answered to submits of the last days, oldest first
 * @param earlier other pools in which submissions before were, oldest first
 * @param commands whom commands of the last days meant that came by name alone, oldest first
 * @param unheard whether its pool has said nothing of the newest submission yet, so that {@code
 *     phase} is a guess; a release that did not ask wrote none, which is false
 */
public record Entry(
        String uid,
        String pool,
        int number,
        String digest,
        Phase phase,
        List<Answered> submits,
        List<Earlier> earlier,
        List<Commanded> commands,
        boolean unheard) {
    private static final Duration REMEMBERED = Duration.ofDays(7);

    /** So that a client that submits in a loop cannot make the row grow. */
    private static final int MOST_REMEMBERED = 256;

    /** Nor one that commands in a loop. */
    private static final int MOST_COMMANDS = 32;

    /** Nor one that goes from pool to pool. */
    private static final int MOST_EARLIER = 16;

    /**
     * A pool in which submissions of the name were.
     *
     * @param upTo the last of them
     * @param number its inbox partition
     */
    public record Earlier(String upTo, String pool, int number) {}

    /**
     * The first answer to a submit, by which a repeat is answered.
     *
     * @param digest of what was asked, as {@link Request.Submit#asked}
     */
    public record Answered(
            String requestId,
            Instant at,
            String digest,
            Outcome outcome,
            String uid,
            @Nullable Phase phase) {
        private Answered refused() {
            return new Answered(requestId, at, digest, Outcome.REFUSED, uid, Phase.REFUSED);
        }
    }

    /** Whom a command by name meant: a repeat means nobody who came later. */
    public record Commanded(String requestId, Instant at, String uid) {}

    public Entry {
        submits = List.copyOf(submits);
        // A release that knew none wrote none.
        earlier = Objects.requireNonNullElse(earlier, List.of());
        earlier = List.copyOf(earlier);
        commands = List.copyOf(Objects.requireNonNullElse(commands, List.of()));
    }

    public boolean living() {
        return !phase.ended();
    }

    /** Where the newest submission stands, as its pool said; null: it has not said anything. */
    @Nullable Phase heardPhase() {
        return unheard ? null : phase;
    }

    /** Whether this first answer is for the pool to give, which has not given any yet. */
    boolean awaits(Answered first) {
        return unheard && isNewestAccepted(first);
    }

    /**
     * Takes news of a submission; of an older one it changes nothing, and nothing follows an end.
     */
    public Entry heard(String ofUid, Phase now) {
        return ofUid.equals(uid) && living()
                ? new Entry(uid, pool, number, digest, now, submits, earlier, commands, false)
                : this;
    }

    /**
     * What was answered to submits as it is answered again: what was accepted for the pool and
     * refused by it counts as refused, also once another submission has the name.
     */
    List<Answered> settled() {
        return phase != Phase.REFUSED
                ? submits
                : submits.stream()
                        .map(first -> isNewestAccepted(first) ? first.refused() : first)
                        .toList();
    }

    private boolean isNewestAccepted(Answered first) {
        return first.outcome() == Outcome.ACCEPTED && first.uid().equals(uid);
    }

    @Nullable Answered answered(@Nullable String requestId, Instant now) {
        return settled().stream()
                .filter(answered -> answered.requestId().equals(requestId))
                .filter(answered -> !isForgotten(answered.at(), now))
                .findFirst()
                .orElse(null);
    }

    static List<Answered> remember(List<Answered> earlier, Answered newest, Instant now) {
        var submits = new ArrayList<Answered>(earlier.size() + 1);
        earlier.stream().filter(answered -> !isForgotten(answered.at(), now)).forEach(submits::add);
        submits.add(newest);
        var tooMany = submits.size() - MOST_REMEMBERED;
        return tooMany > 0 ? List.copyOf(submits.subList(tooMany, submits.size())) : submits;
    }

    private static boolean isForgotten(Instant at, Instant now) {
        return at.plus(REMEMBERED).isBefore(now);
    }

    Entry with(List<Answered> remembered) {
        return new Entry(uid, pool, number, digest, phase, remembered, earlier, commands, unheard);
    }

    /** Whom a command with this id meant when it came first; null: it did not, or long ago. */
    @Nullable String commanded(@Nullable String requestId, Instant now) {
        return commands.stream()
                .filter(command -> command.requestId().equals(requestId))
                .filter(command -> !isForgotten(command.at(), now))
                .map(Commanded::uid)
                .findFirst()
                .orElse(null);
    }

    /** A command by name alone meant this submission. */
    Entry commanding(String requestId, String of, Instant now) {
        var all = new ArrayList<Commanded>(commands.size() + 1);
        commands.stream().filter(command -> !isForgotten(command.at(), now)).forEach(all::add);
        all.add(new Commanded(requestId, now, of));
        var newest = all.subList(Math.max(0, all.size() - MOST_COMMANDS), all.size());
        return new Entry(uid, pool, number, digest, phase, submits, earlier, newest, unheard);
    }

    /** What is earlier once another submission is in this pool. */
    List<Earlier> before(String next) {
        if (next.equals(pool)) {
            return earlier;
        }
        var all = new ArrayList<>(earlier);
        all.add(new Earlier(uid, pool, number));
        return all.subList(Math.max(0, all.size() - MOST_EARLIER), all.size());
    }

    /** Where a submission was that is no newer than this. */
    Earlier placeOf(String submission) {
        return earlier.stream()
                .filter(place -> !Uids.isOlder(place.upTo(), submission))
                .findFirst()
                .orElseGet(() -> new Earlier(uid, pool, number));
    }
}
