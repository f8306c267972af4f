package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Command;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.state.LastAnswers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Users who wait for answers, and some of whom ask again under the same id: each that asks is
 * answered once, and what was asked before is answered as it was then, and not done again.
 */
final class AnswerChance implements Piece {
    /** With it begin the ids of their requests. */
    static final String USER = "user";

    /** What is remembered together. */
    private static final String SETTINGS = "settings";

    private static final String BULK = "bulk";

    private final Random random;

    /** What was told last, in the words of its user. */
    private @Nullable Event last;

    private int requests;

    /** How many have asked and have no answer. */
    private int open;

    private final Map<String, Said> first = new TreeMap<>();

    /** How many first answers of each there were. */
    private final Map<String, Integer> counts = new TreeMap<>();

    /** By job and request, the number of the command of scale. */
    private final Map<String, Long> commands = new TreeMap<>();

    /** Changes of many jobs, of settings and of one job that were asked for again. */
    private final int[] weighed = new int[3];

    /**
     * @param of the job that it is about, or what else it is remembered with
     * @param number among those
     */
    private record Said(Outcome outcome, String words, String of, int number) {
        Said as(int number) {
            return new Said(outcome, words, of, number);
        }

        boolean isAs(Said other) {
            return outcome == other.outcome && words.equals(other.words);
        }
    }

    AnswerChance(long seed) {
        random = new Random(seed ^ 0xa45eL);
    }

    @Override
    public Event of(Event event) {
        last =
                event instanceof Command command && command.request() == null
                        ? with(command, new Request("key", USER + "-" + requests++))
                        : event;
        return last;
    }

    private static Command with(Command command, Request request) {
        return switch (command) {
            case Event.Submitted(var id, var spec, _) -> new Event.Submitted(id, spec, request);
            case Event.ChangeAsked(var id, var change, _) ->
                    new Event.ChangeAsked(id, change, request);
            case Event.BulkAsked(var who, var change, _, var by) ->
                    new Event.BulkAsked(who, change, request, by);
            case Event.QueuePut(var name, var spec, _) -> new Event.QueuePut(name, spec, request);
            case Event.QueueChange(var name, var spec, var fields, var create, _) ->
                    new Event.QueueChange(name, spec, fields, create, request);
            case Event.QueueDelete(var name, var keep, _) ->
                    new Event.QueueDelete(name, keep, request);
            case Event.PoolPut(var name, var spec, _) -> new Event.PoolPut(name, spec, request);
            case Event.PoolChange(var name, var spec, var fields, _) ->
                    new Event.PoolChange(name, spec, fields, request);
        };
    }

    /** Submissions that come again are answered before they reach a pool. */
    @Override
    public List<Later> echoes(Event told) {
        var later = new ArrayList<Later>();
        if (last instanceof Command && !(last instanceof Event.Submitted) && random.nextBoolean()) {
            later.add(new Later(random.nextInt(3) * random.nextInt(10_000), last));
        }
        if (told instanceof Event.PodSeen(_, var job, _) && random.nextInt(8) == 0) {
            later.add(new Later(0, new Event.ChangeAsked(job, byOne(), null)));
        }
        return later;
    }

    /** Two of them are not what one is. */
    private Change byOne() {
        return random.nextBoolean()
                ? new Change.ScaleOut("worker", 1, Change.Terms.PLAIN)
                : new Change.ScaleIn("worker", 1, new TreeSet<>(), Change.Terms.PLAIN);
    }

    @Override
    public void hears(Play play, Event event, List<Effect> effects) {
        var request = event instanceof Command command ? command.request() : null;
        open += request == null || isLate(play, event) ? 0 : 1;
        var before = request == null ? null : known(request.id());
        for (var effect : effects) {
            switch (effect) {
                case Effect.Answer(var to, var outcome, var job, _, var words, var fault) -> {
                    var of = job == null ? SETTINGS : job.toString();
                    isAnswered(play, to, new Said(outcome, words + fault, of, 0));
                }
                case Effect.BulkDone(var to, var done) ->
                        isAnswered(play, to, new Said(Outcome.DONE, done.toString(), BULK, 0));
                case Effect.Scaled(var job, _, _, var scaling) ->
                        isOne(job + " " + scaling.id(), scaling.number());
                default -> {}
            }
        }
        if (before != null && effects.size() > 1 && isThere(play, before)) {
            throw new AssertionError("%s is done again: %s".formatted(event, effects));
        }
    }

    /** Nobody submits a name again before what he has submitted before: here it happens. */
    private static boolean isLate(Play play, Event event) {
        return event instanceof Event.Submitted(var id, _, _)
                && play.rows(Row.Table.JOB).values().stream()
                        .map(row -> ((Job) row).id())
                        .filter(other -> other.fullName().equals(id.fullName()))
                        .anyMatch(other -> !id.uid().isNewerThan(other.uid()));
    }

    private void isAnswered(Play play, Request request, Said said) {
        open--;
        var before = known(request.id());
        if (before == null) {
            int number = counts.merge(said.of(), 1, Integer::sum);
            first.put(request.id(), said.as(number));
        } else if (isThere(play, before)) {
            weighed[before.of().equals(BULK) ? 0 : before.of().equals(SETTINGS) ? 1 : 2]++;
            if (!before.isAs(said)) {
                throw new AssertionError(
                        "%s is told %s, and was told %s".formatted(request, said, before));
            }
        }
    }

    /** What is remembered that was answered; null: nothing has to be. */
    private @Nullable Said known(String id) {
        var said = first.get(id);
        return said == null
                        || said.outcome() == Outcome.NOT_FOUND
                        || counts.getOrDefault(said.of(), 0) - said.number() >= LastAnswers.KEPT
                ? null
                : said;
    }

    /** Else nothing is known of its job but how it ended. */
    private static boolean isThere(Play play, Said said) {
        return said.of().equals(BULK)
                || said.of().equals(SETTINGS)
                || play.rows(Row.Table.JOB).containsKey(said.of());
    }

    /** A command of scale has the id of its request. */
    private void isOne(String request, long number) {
        if (request.contains(" " + USER) && commands.merge(request, number, Math::min) != number) {
            throw new AssertionError("%s is carried out again".formatted(request));
        }
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        if (open != 0) {
            throw new AssertionError("%d wait for an answer to %s".formatted(open, event));
        }
    }

    @Override
    public int weighed() {
        return IntStream.of(weighed).min().orElse(0);
    }
}
