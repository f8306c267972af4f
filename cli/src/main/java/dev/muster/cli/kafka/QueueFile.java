package dev.muster.cli.kafka;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.ExitCode;
import dev.muster.cli.text.ProblemLines;
import dev.muster.schemas.trainjob.Form;
import dev.muster.schemas.trainjob.SettingsForm;
import dev.muster.schemas.trainjob.SettingsForm.PoolSetting;
import dev.muster.schemas.trainjob.SettingsForm.QueueSetting;
import dev.muster.schemas.trainjob.SettingsForm.Setting;
import dev.muster.v1.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Queues and pools as a file sets them. */
public record QueueFile(List<Setting> settings) {
    private static final Duration ANSWER = Duration.ofSeconds(30);

    /** Copies the settings in. */
    public QueueFile {
        settings = List.copyOf(settings);
    }

    /** Reads the file's text; what is wrong with it is the trouble's lines. */
    public static QueueFile read(String text) {
        return switch (SettingsForm.read(text)) {
            case Form.Read(var settings) -> new QueueFile(settings);
            case Form.Refused(var problems) ->
                    throw new CommandFailedException(
                            ExitCode.REFUSED,
                            ProblemLines.of("the file cannot be applied:", problems),
                            null);
        };
    }

    /**
     * Requests all of them and waits for the answers.
     *
     * @param told hears of each setting that was taken
     */
    public void apply(Requests requests, Consumer<String> told) {
        // One after the other: a queue must find its pool.
        for (var setting : settings) {
            var id =
                    switch (setting) {
                        case QueueSetting queue -> requests.put(queue);
                        case PoolSetting(var name, var spec) -> requests.put(name, spec);
                    };
            await(requests, id, setting);
            told.accept(called(setting) + " set");
        }
    }

    /** The same of those that are not there; what is there stays as it is. */
    public void applyToMissing(Requests requests) {
        for (var setting : settings) {
            var id =
                    switch (setting) {
                        case QueueSetting(var name, var spec, _) -> requests.make(name, spec);
                        case PoolSetting(var name, var spec) -> requests.make(name, spec);
                    };
            await(requests, id, setting);
        }
    }

    private static void await(Requests requests, String id, Setting setting) {
        var answer = requests.answer(id, ANSWER);
        if (answer.getOutcome() != Outcome.ACCEPTED && answer.getOutcome() != Outcome.DUPLICATE) {
            throw new CommandFailedException(
                    ExitCode.REFUSED,
                    ProblemLines.of(
                            called(setting) + " was refused: " + answer.getMessage(),
                            answer.getProblems()),
                    null);
        }
    }

    /** {@code queue research}. */
    public static String called(Setting setting) {
        return switch (setting) {
            case QueueSetting queue -> "queue " + queue.name();
            case PoolSetting pool -> "pool " + pool.name();
        };
    }
}
