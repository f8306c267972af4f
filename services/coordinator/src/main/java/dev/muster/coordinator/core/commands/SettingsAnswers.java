package dev.muster.coordinator.core.commands;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Command;
import dev.muster.coordinator.core.model.Fault;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.SettingsAnswer;
import dev.muster.coordinator.core.model.SettingsAnswer.Asked;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import org.jspecify.annotations.Nullable;

/** Answers who sets queues or the pool: once, and the same to who asks again. */
final class SettingsAnswers {
    private final Tables tables;
    private final Journal journal;

    SettingsAnswers(Tables tables, Journal journal) {
        this.tables = tables;
        this.journal = journal;
    }

    /** It was answered before, and now is once more: it is not to be done again. */
    boolean repeats(Command command) {
        var request = command.request();
        if (request == null) {
            return false;
        }
        var asked = asked(command);
        var before =
                tables.answers.to(
                        answer -> answer.asked() == asked && answer.request().equals(request));
        if (before != null) {
            publish(before);
        }
        return before != null;
    }

    void refused(Command command, Fault fault) {
        answer(command, Outcome.REFUSED, fault.sentence(), fault);
    }

    void answer(Command command, Outcome outcome, String message) {
        answer(command, outcome, message, null);
    }

    private void answer(Command command, Outcome outcome, String message, @Nullable Fault fault) {
        var request = command.request();
        if (request == null) {
            return;
        }
        var answer =
                new SettingsAnswer(
                        tables.clock().tick(), asked(command), request, outcome, message, fault);
        tables.put(answer);
        var superfluous = tables.answers.superfluous();
        if (superfluous != null) {
            tables.remove(superfluous);
        }
        publish(answer);
    }

    private void publish(SettingsAnswer answer) {
        journal.publish(
                new Effect.Answer(
                        answer.request(),
                        answer.outcome(),
                        null,
                        null,
                        answer.message(),
                        answer.fault()));
    }

    private static Asked asked(Command command) {
        return switch (command) {
            case Event.QueuePut _ -> Asked.QUEUE_PUT;
            case Event.QueueChange _ -> Asked.QUEUE_CHANGE;
            case Event.QueueDelete _ -> Asked.QUEUE_DELETE;
            case Event.PoolPut _ -> Asked.POOL_PUT;
            case Event.PoolChange _ -> Asked.POOL_CHANGE;
            case Event.Submitted _, Event.ChangeAsked _, Event.BulkAsked _ ->
                    throw new IllegalArgumentException("sets nothing: " + command);
        };
    }
}
