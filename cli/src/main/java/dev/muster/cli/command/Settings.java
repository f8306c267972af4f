package dev.muster.cli.command;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.ExitCode;
import dev.muster.cli.SettingKind;
import dev.muster.cli.command.GetCommand.Output;
import dev.muster.cli.http.Admission;
import dev.muster.cli.http.Admission.Answer;
import dev.muster.cli.text.Documents;
import dev.muster.cli.text.SettingTable;
import dev.muster.schemas.contract.Answers;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Queues, or pools, at admission. */
record Settings(SettingKind kind, Admission admission, PrintWriter out) {
    private static final JsonMapper JSON = JsonMapper.shared();

    /** The same, for a part of the command that is given again in another way. */
    Settings again(String how) {
        return new Settings(kind, admission.again(how), out);
    }

    /**
     * Changes fields of the one that is there, or makes it.
     *
     * @param words each {@code FIELD=VALUE}
     */
    int put(String name, List<String> words) {
        var answer = admission.change(kind, name, SettingEdit.patch(words), true);
        return done(answer, called(name), "set", Answers.UNCHANGED);
    }

    /** Changes fields of the one that is there, and nothing else of it. */
    int change(String name, List<String> words, String done) {
        var answer = admission.change(kind, name, SettingEdit.patch(words), false);
        return done(answer, called(name), done, done);
    }

    /**
     * Shows one or all.
     *
     * @param name null: all
     */
    int show(@Nullable String name, Output output) {
        var documents = name == null ? admission.all(kind) : List.of(found(name));
        switch (output) {
            case YAML -> out.print(Documents.yaml(plain(documents)));
            case JSON -> out.print(Documents.json(plain(documents), name == null));
            case TABLE, WIDE -> {
                if (documents.isEmpty()) {
                    out.println("no " + kind.word() + "s");
                } else {
                    new SettingTable(kind, output == Output.WIDE)
                            .lines(documents)
                            .forEach(out::println);
                }
            }
        }
        out.flush();
        return ExitCode.OK;
    }

    /** {@code queue research}. */
    String called(String name) {
        return kind.word() + " " + name;
    }

    /**
     * Says that it is done, unless nobody knows yet.
     *
     * @param done what the one that is called so then is
     * @param same what it is where it was so before
     */
    int done(Answer answer, String called, String done, String same) {
        if (answer.isLate()) {
            throw admission.late("the change of " + called);
        }
        var message = answer.message();
        if (message.equals(Answers.UNCHANGED)) {
            out.println(called + " " + same);
        } else {
            out.println(called + " " + done + (message.isEmpty() ? "" : " (" + message + ")"));
        }
        out.flush();
        return ExitCode.OK;
    }

    private JsonNode found(String name) {
        return admission
                .find(kind, name)
                .orElseThrow(() -> CommandFailedException.notFound("there is no " + called(name)));
    }

    private static List<?> plain(List<JsonNode> documents) {
        return documents.stream().map(each -> JSON.treeToValue(each, Object.class)).toList();
    }
}
