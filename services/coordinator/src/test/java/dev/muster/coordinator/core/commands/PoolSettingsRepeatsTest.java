package dev.muster.coordinator.core.commands;

import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.Answer;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.Fault;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Settings;
import dev.muster.coordinator.core.state.LastAnswers;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests about queues and the pool that are asked twice. */
class PoolSettingsRepeatsTest {
    private static final QueueSpec RUNS = QueueSpecs.queue(1, false, true, 10);
    private static final QueueSpec PAUSED = QueueSpecs.queue(1, true, true, 10);

    private final Play play = Play.withNodes(1);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void queueThatWasPausedMeanwhileStaysSo(boolean restarts) {
        var first = answer(put("q", RUNS, "k"));
        assertThat(first.outcome()).isEqualTo(Outcome.ACCEPTED);
        answer(change("q", PAUSED, false, "other", "paused"));
        if (restarts) {
            play.restart();
        }
        assertThat(answer(put("q", RUNS, "k"))).isEqualTo(first);
        assertThat(queue("q")).extracting(q -> q.spec().doors().paused()).isEqualTo(true);
        answer(put("q", RUNS, "k2"));
        assertThat(queue("q")).extracting(q -> q.spec().doors().paused()).isEqualTo(false);
    }

    @Test
    void queueThatIsGoneIsNotMadeAnew() {
        var first = answer(change("q", RUNS, true, "k"));
        answer(new Event.QueueDelete("q", false, request("q", "other")));
        assertThat(answer(change("q", RUNS, true, "k"))).isEqualTo(first);
        assertThat(queue("q")).isNull();
    }

    @Test
    void deletionIsAnsweredAsTheFirstTime() {
        answer(put("q", RUNS, "k"));
        var first = answer(new Event.QueueDelete("q", false, request("q", "d")));
        assertThat(first.outcome()).isEqualTo(Outcome.ACCEPTED);
        assertThat(answer(new Event.QueueDelete("q", false, request("q", "d")))).isEqualTo(first);
        assertThat(answer(new Event.QueueDelete("q", false, request("q", "e"))).outcome())
                .isEqualTo(Outcome.NOT_FOUND);
    }

    @Test
    void refusalIsRememberedWithWhatWasWrong() {
        answer(put("q", QueueSpecs.limited(2), "k"));
        var asked = change("q", QueueSpecs.guaranteed(4), false, "r", "guaranteed.cpu");
        var first = answer(asked);
        assertThat(first.fault())
                .isEqualTo(
                        new Fault("spec.limit.cpu", "2", "must be at least what is guaranteed: 4"));
        play.restart();
        assertThat(answer(asked)).isEqualTo(first);
    }

    @Test
    void poolThatWasSetOtherwiseMeanwhileStaysSo() {
        var first = answer(putPool(PoolSpec.PLAIN, "k"));
        var fifo = Fixtures.pool(QueuePolicy.FIFO, PoolSpec.Preemption.OFF);
        answer(putPool(fifo, "other"));
        assertThat(answer(putPool(PoolSpec.PLAIN, "k"))).isEqualTo(first);
        assertThat(settings().spec()).isEqualTo(fifo);
    }

    @Test
    void queueAndPoolOfOneNameAreNotOneRequest() {
        answer(putPool(PoolSpec.PLAIN, "k"));
        answer(put("default", PAUSED, "k"));
        assertThat(queue("default")).extracting(q -> q.spec().doors().paused()).isEqualTo(true);
    }

    @Test
    void soManyAreRemembered() {
        answer(put("q", RUNS, "k"));
        for (int i = 1; i < LastAnswers.KEPT; i++) {
            answer(put("other", RUNS, "o" + i));
        }
        answer(put("q", PAUSED, "k"));
        assertThat(queue("q")).extracting(q -> q.spec().doors().paused()).isEqualTo(false);
        answer(put("other", RUNS, "last"));
        answer(put("q", PAUSED, "k"));
        assertThat(queue("q")).extracting(q -> q.spec().doors().paused()).isEqualTo(true);
        assertThat(play.rows.get(Row.Table.ANSWER)).hasSize(LastAnswers.KEPT);
    }

    @Test
    void submissionThatIsRefusedNamesItsField() {
        var plain = spec("default", role("worker", 1, 1));
        var after =
                plain.with(
                        new JobSpec.Place(
                                "default",
                                0,
                                null,
                                false,
                                List.of(new JobSpec.After("no", false)),
                                new TreeMap<>()));
        play.on(new Event.Submitted(job("a", 7), after, request("ml/a", "r")));
        assertThat(play.takeOne(Answer.class).fault())
                .isEqualTo(
                        new Fault(
                                "spec.after[0].job",
                                "no",
                                "it waits for ml/no, which the pool does not know"));
    }

    private Answer answer(Event event) {
        play.takeEffects();
        play.on(event);
        return play.takeOne(Answer.class);
    }

    private static Request request(String key, String id) {
        return new Request(key, id);
    }

    private static Event put(String name, QueueSpec spec, String id) {
        return new Event.QueuePut(name, spec, request(name, id));
    }

    private static Event change(
            String name, QueueSpec spec, boolean create, String id, String... fields) {
        var named = new TreeSet<>(List.of(fields));
        return new Event.QueueChange(name, spec, named, create, request(name, id));
    }

    private static Event putPool(PoolSpec spec, String id) {
        return new Event.PoolPut("default", spec, request("default", id));
    }

    private @Nullable Queue queue(String name) {
        return (Queue) play.rows.get(Row.Table.QUEUE).get(name);
    }

    private Settings settings() {
        return (Settings) play.rows.get(Row.Table.SETTINGS).get("");
    }
}
