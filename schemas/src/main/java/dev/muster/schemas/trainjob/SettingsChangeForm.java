package dev.muster.schemas.trainjob;

import dev.muster.schemas.trainjob.SettingsForm.Setting;
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

    /**
     * What is to change.
     *
     * @param setting with defaults for what is not named, or taken away
     * @param fields what is named, as in {@code paused}, {@code limit.cpu}
     */
    public record Change(Setting setting, List<String> fields) {
        /** Copies the fields in. */
        public Change {
            fields = List.copyOf(fields);
        }
    }

    /**
     * Reads the change of the queue or pool of this name.
     *
     * @return the change, or everything that is wrong with it; never an exception
     */
    public static Form<Change> read(Kind kind, String name, String text) {
        return switch (MergePatch.read(kind.word, name, text)) {
            case Form.Refused(var problems) -> new Form.Refused<>(problems);
            case Form.Read(var patch) ->
                    switch (SettingsForm.read(patch.document())) {
                        case Form.Refused(var problems) -> new Form.Refused<>(problems);
                        case Form.Read(var settings) ->
                                new Form.Read<>(new Change(settings.getFirst(), patch.fields()));
                    };
        };
    }
}
