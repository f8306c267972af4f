package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.failures.InPlaceRestarts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.InPlace;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Who is asked to start again in his pod has his time for it, no less and no more. Only a container
 * that was seen to have started again counts; and where it did not, its pod is made again or, where
 * all start again together, all pods are.
 */
final class InPlacePromises {
    private static final String GIVEN_UP = "RestartInPlaceFailed";

    /** After so long it is looked at again where nobody saw anything meanwhile. */
    private static final Duration SOON = Duration.ofSeconds(6);

    private record Known(Job job, List<Rank> ranks) {}

    private final Map<JobId, Known> known = new HashMap<>();

    /** How often containers of a pod were started again, as far as anybody saw. */
    private final Map<String, Integer> counts = new HashMap<>();

    /** Pods that were seen to have ended. */
    private final Set<String> over = new HashSet<>();

    /** Requests that whoever was asked has given up. */
    private final Set<String> givenUp = new HashSet<>();

    /** What came of the step that is looked at next. */
    private List<Effect> effects = List.of();

    /** Everybody was heard of since then. */
    private Instant seenSince = Instant.MIN;

    /** Who started again, who was late, and who was given up. */
    private final int[] weighed = new int[3];

    void sees(Pod pod) {
        if (pod.runs() != null) {
            counts.merge(pod.mark().podUid(), pod.runs().count(), Math::max);
        }
        if (pod.phase() == PodPhase.SUCCEEDED || pod.phase() == PodPhase.FAILED) {
            over.add(pod.mark().podUid());
        }
    }

    /**
     * @param event of a step
     * @param next what comes of it
     * @param play as it is before
     */
    void hear(Play play, Event event, List<Effect> next) {
        areKept(play);
        effects = next;
        if (event instanceof Event.RestartFailed(_, _, var mark, _)) {
            givenUp.add(mark.podUid() + "/" + mark.incarnation());
        }
    }

    void areKept(Play play) {
        boolean isBlind =
                play.rows(Row.Table.SOURCE).values().stream()
                        .anyMatch(row -> ((Source) row).isBlind(play.now()));
        seenSince = isBlind ? play.now() : seenSince;
        for (var row : play.rows(Row.Table.JOB).values()) {
            var job = (Job) row;
            var ranks = play.ranks(job.id());
            var was = known.put(job.id(), new Known(job, ranks));
            if (was != null && (was.job() != job || was.ranks() != ranks)) {
                for (var rank : ranks) {
                    was.ranks().stream()
                            .filter(before -> before.id().equals(rank.id()))
                            .forEach(before -> isKept(play, job, before, rank));
                }
            }
            if (job.state().isUp()) {
                ranks.forEach(rank -> isNotLate(play, rank));
            }
        }
        effects = List.of();
    }

    private void isKept(Play play, Job job, Rank before, Rank rank) {
        boolean isAsked =
                rank.is(InPlace.ASKED) && rank.making().inPlace() != before.making().inPlace();
        if (isAsked) {
            hasItsTime(play, job, before, rank);
        } else if (before.is(InPlace.ASKED) && !rank.is(InPlace.ASKED)) {
            isAnswered(play, job, before, rank);
        } else if (before.is(InPlace.DONE) && rank.state() == RankState.RUNNING) {
            isSeen(before, rank);
        }
    }

    /** In its pod, which is there, under a number that nobody had. */
    private static void hasItsTime(Play play, Job job, Rank before, Rank rank) {
        var making = rank.making();
        var by = play.now().plus(job.spec().grace()).plus(InPlaceRestarts.RESTART_TIMEOUT);
        boolean isItsPod =
                before.sight().podUid() != null
                        && before.sight().podUid().equals(rank.sight().podUid())
                        && making.incarnation() == before.making().incarnation()
                        && making.node().equals(before.making().node())
                        && !rank.sight().over();
        if (!isItsPod || making.inPlace() <= before.making().newest()) {
            throw new AssertionError("%s cannot start again as %s".formatted(before, rank));
        }
        if (making.inPlaceBy() == null || making.inPlaceBy().isAfter(by)) {
            throw new AssertionError("%s has more time than until %s".formatted(rank, by));
        }
    }

    private void isAnswered(Play play, Job job, Rank before, Rank rank) {
        var request = before.sight().podUid() + "/" + before.making().inPlace();
        boolean isEnded = effects.stream().anyMatch(effect -> isGivenUp(effect, rank));
        if (isEnded) {
            var by = before.making().inPlaceBy();
            boolean isLate = by != null && !by.isAfter(play.now());
            boolean isOver = over.contains(String.valueOf(before.sight().podUid()));
            weighed[1] += isLate ? 1 : 0;
            weighed[2] += givenUp.contains(request) ? 1 : 0;
            if (!isLate && !isOver && !givenUp.contains(request)) {
                throw new AssertionError("%s is not waited for: %s".formatted(before, rank));
            }
            boolean isWithAll =
                    job.spec().failureOf(rank.id().role()).otherwise() == Otherwise.GANG;
            if (isWithAll && job.state().isUp() || rank.state() == RankState.RUNNING) {
                throw new AssertionError("%s goes on without %s".formatted(job, rank));
            }
        } else if (rank.state() == RankState.RUNNING || rank.state() == RankState.SUCCEEDED) {
            weighed[0]++;
            isSeen(before, rank);
        }
    }

    private static boolean isGivenUp(Effect effect, Rank rank) {
        return effect instanceof Effect.RankEnded ended
                && ended.job().equals(rank.job())
                && ended.rank().equals(rank.id())
                && ended.reason().equals(GIVEN_UP);
    }

    private void isSeen(Rank before, Rank rank) {
        int seen = counts.getOrDefault(String.valueOf(before.sight().podUid()), 0);
        boolean isWhatWasAsked = before.making().incarnation() == rank.making().incarnation();
        if (isWhatWasAsked
                && !rank.isLeaving()
                && seen <= (before.is(InPlace.DONE) ? 0 : before.sight().restarts())) {
            throw new AssertionError("nobody saw %s start again: %s".formatted(before, rank));
        }
    }

    private void isNotLate(Play play, Rank rank) {
        var by = rank.making().inPlaceBy();
        if (rank.is(InPlace.ASKED)
                && by != null
                && by.plus(SOON).isBefore(play.now())
                && seenSince.plus(SOON).isBefore(play.now())) {
            throw new AssertionError("%s is waited for at %s".formatted(rank, play.now()));
        }
    }

    int weighed() {
        return IntStream.of(weighed).min().orElse(0);
    }
}
