package dev.muster.schemas.trainjob;

import dev.muster.schemas.trainjob.SettingsForm.Setting;
import dev.muster.v1.Problem;
import java.util.List;

/**
 * Reads a change of some fields of a queue or a pool: a JSON merge patch (RFC 7396) of its
 * document, as in {@code {"spec": {"paused": true, "limit": {"cpu": "20", "memory": null}, "group":
 * null}}}. What it does not name stays as it is; what it sets to null is taken away.
 */
public final class SettingsChangeForm {
    private SettingsChangeForm() {}

    /** Of what a change is. */
    public enum Kind {
        /** Of a queue. */
        QUEUE("Queue"),
        /** Of a pool. */
        POOL("Pool");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /** As its files say it. */
        public String word() {
            return word;
        }
    }

    /** What a text turned out to be. */
    public sealed interface Result {}

    /**
     * A change in good form.
     *
     * @param setting with defaults for what is not named, or taken away
     * @param fields what is named, as in {@code paused}, {@code limit.cpu}
     */
    public record Read(Setting setting, List<String> fields) implements Result {
        /** Copies the fields in. */
        public Read {
            fields = List.copyOf(fields);
        }
    }

    /**
     * A text that is no change.
     *
     * @param problems all of them
     */
    public record Refused(List<Problem> problems) implements Result {
        /** Copies the problems in. */
        public Refused {
            problems = List.copyOf(problems);
        }
    }

    /**
     * Reads the change of the queue or pool of this name.
     *
     * @return the change, or everything that is wrong with it; never an exception
     */
    public static Result read(Kind kind, String name, String text) {
        return switch (MergePatch.read(kind.word, name, text)) {
            case MergePatch.Refused(var problems) -> new Refused(problems);
            case MergePatch.Read(var document, var fields) ->
                    switch (SettingsForm.read(document)) {
                        case SettingsForm.Refused(var problems) -> new Refused(problems);
                        case SettingsForm.Read(var settings) ->
                                new Read(settings.getFirst(), fields);
                    };
        };
    }
}
