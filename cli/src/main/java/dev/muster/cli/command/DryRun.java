package dev.muster.cli.command;

import dev.muster.cli.ExitCode;
import dev.muster.cli.SettingKind;
import dev.muster.cli.http.Admission;
import dev.muster.cli.kafka.QueueFile;
import dev.muster.cli.text.SettingDifference;
import dev.muster.schemas.contract.Answers;
import dev.muster.schemas.trainjob.SettingsDocument;
import dev.muster.schemas.trainjob.SettingsForm.Setting;
import java.io.PrintWriter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Says what a file would change, and changes nothing. What admission and the pool would refuse they
 * are not asked.
 *
 * @param keep whether those that are there stay as they are
 */
record DryRun(Admission admission, PrintWriter out, boolean keep) {
    private static final JsonMapper JSON = JsonMapper.shared();

    int of(QueueFile file) {
        boolean differs = false;
        for (var setting : file.settings()) {
            var change = change(setting);
            differs |= !change.equals(Answers.UNCHANGED);
            out.println(QueueFile.called(setting) + ": " + change);
        }
        out.flush();
        return differs ? ExitCode.DIFFERS : ExitCode.OK;
    }

    private String change(Setting setting) {
        var shown = admission.find(SettingKind.of(setting), setting.name()).orElse(null);
        if (shown == null) {
            return "would be made";
        }
        JsonNode wanted = JSON.valueToTree(SettingsDocument.of(setting));
        var changes = SettingDifference.between(shown.path("spec"), wanted.path("spec"));
        return keep || changes.isEmpty() ? Answers.UNCHANGED : String.join(", ", changes);
    }
}
