package dev.muster.deploy;

import dev.muster.v1.Outcome;
import dev.muster.v1.Phase;
import dev.muster.v1.ScaleStage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What holds whatever dies, judged from the API server's audit log and the topics. Each method
 * answers with a sentence for every job, rank or request of which it does not hold.
 */
final class Invariants {
    /** For so long a pod may be there that was made when its attempt was over, or its rank left. */
    private static final Duration STALE_FOR = Duration.ofSeconds(10);

    /** An attempt makes nothing from here on. */
    private static final Set<Phase> OVER =
            EnumSet.of(
                    Phase.RESTARTING,
                    Phase.STOPPING,
                    Phase.SUSPENDED,
                    Phase.SUCCEEDED,
                    Phase.FAILED,
                    Phase.CANCELLED);

    private static final Set<ScaleStage> SCALE_ENDS =
            EnumSet.of(
                    ScaleStage.SUCCEEDED,
                    ScaleStage.FAILED,
                    ScaleStage.SUPERSEDED,
                    ScaleStage.CANCELLED);

    private Invariants() {}

    /**
     * One record of job-events.
     *
     * @param to of a move
     */
    record Event(String submission, long seq, int attempt, Instant at, @Nullable Phase to) {
        private String job() {
            return submission.substring(submission.indexOf('/') + 1, submission.indexOf('@'));
        }
    }

    /** Events are numbered without a gap or a repeat, and each submission has one end. */
    static List<String> ofEvents(List<Event> events) {
        var wrong = new ArrayList<String>();
        var bySubmission = new TreeMap<String, List<Event>>();
        events.forEach(
                e -> bySubmission.computeIfAbsent(e.submission(), _ -> new ArrayList<>()).add(e));
        bySubmission.forEach((submission, own) -> {
            var numbers = own.stream().map(Event::seq).toList();
            for (int i = 0; i < numbers.size(); i++) {
                if (numbers.get(i) != i + 1) {
                    wrong.add(submission + " has events numbered " + numbers);
                    break;
                }
            }
            var ends = own.stream().filter(e -> Jobs.ENDS.contains(e.to())).toList();
            if (ends.size() != 1) {
                wrong.add(submission + " has " + ends.size() + " ends");
            }
        });
        return wrong;
    }

    /** No rank has two living pods, and nothing of an attempt is made before the last is gone. */
    static List<String> ofRanks(Map<String, List<PodLives.Life>> ranks) {
        var wrong = new ArrayList<String>();
        ranks.forEach((rank, lives) -> {
            for (int i = 1; i < lives.size(); i++) {
                if (lives.get(i).from().isBefore(lives.get(i - 1).until())) {
                    wrong.add(rank + " has two living pods");
                }
            }
        });
        var all = ranks.values().stream().flatMap(List::stream).toList();
        for (var life : all) {
            all.stream()
                    .filter(older -> jobOf(older).equals(jobOf(life)))
                    .filter(older -> older.attempt() < life.attempt())
                    .filter(older -> life.from().isBefore(older.gone()))
                    .findFirst()
                    .ifPresent(older ->
                            wrong.add(
                                    "%s of attempt %d is made before %s of attempt %d is gone"
                                            .formatted(
                                                    life.rank(),
                                                    life.attempt(),
                                                    older.rank(),
                                                    older.attempt())));
        }
        return wrong;
    }

    /** A pod that was made when its attempt was over is gone within ten seconds. */
    static List<String> ofStalePods(Map<String, List<PodLives.Life>> ranks, List<Event> events) {
        var wrong = new ArrayList<String>();
        for (var life : ranks.values().stream().flatMap(List::stream).toList()) {
            var over = over(life, events);
            if (over.isPresent() && life.from().isAfter(over.get()) && stays(life)) {
                wrong.add(life.rank() + " is made when its attempt is over, and stays");
            }
        }
        return wrong;
    }

    /** Longer than what somebody who is late has made. */
    static boolean stays(PodLives.Life life) {
        return life.gone().isAfter(life.from().plus(STALE_FOR));
    }

    /**
     * Every command of scale comes to one end, and to nothing after it.
     *
     * @param scalings stages by command, in their order
     */
    static List<String> ofScalings(Map<String, List<ScaleStage>> scalings) {
        var wrong = new ArrayList<String>();
        scalings.forEach((command, stages) -> {
            boolean isEnded = SCALE_ENDS.contains(stages.getLast());
            if (!isEnded || stages.stream().filter(SCALE_ENDS::contains).count() != 1) {
                wrong.add(command + " came to " + stages);
            }
        });
        return wrong;
    }

    private static Optional<Instant> over(PodLives.Life life, List<Event> events) {
        var moves =
                events.stream()
                        .filter(event -> event.job().equals(jobOf(life)))
                        .filter(event -> event.attempt() == life.attempt())
                        .filter(event -> event.to() != null)
                        .toList();
        // Who was to stop and still saved may go on where he is.
        var runs =
                moves.stream()
                        .filter(event -> event.to() == Phase.RUNNING)
                        .map(Event::at)
                        .max(Instant::compareTo)
                        .orElse(Instant.MIN);
        return moves.stream()
                .filter(event -> OVER.contains(event.to()))
                .map(Event::at)
                .filter(at -> !at.isBefore(runs))
                .min(Instant::compareTo);
    }

    private static boolean isAgain(Outcome first, Outcome repeat) {
        boolean isOver = repeat == Outcome.ENDED || repeat == Outcome.NOT_FOUND;
        return first == repeat || first == Outcome.ACCEPTED && isOver;
    }

    /**
     * What was acknowledged is answered, and always the same: but for a change of a job, whose
     * repeat may be told that the job has ended since.
     *
     * @param acknowledged requests by id, and what they were
     * @param answers by id of the request
     */
    static List<String> ofAnswers(
            Map<String, String> acknowledged, Map<String, List<Outcome>> answers) {
        var wrong = new ArrayList<String>();
        acknowledged.forEach((id, what) -> {
            var outcomes = answers.getOrDefault(id, List.of());
            if (outcomes.isEmpty()) {
                wrong.add(what + " was acknowledged and never answered");
            } else if (outcomes.stream().anyMatch(o -> !isAgain(outcomes.getFirst(), o))) {
                wrong.add(what + " was answered with " + outcomes);
            }
        });
        return wrong;
    }

    private static String jobOf(PodLives.Life life) {
        return life.rank().substring(0, life.rank().indexOf('/'));
    }
}
