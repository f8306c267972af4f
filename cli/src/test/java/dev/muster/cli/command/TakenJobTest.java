package dev.muster.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.http.Admission.Answer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class TakenJobTest {
    @ParameterizedTest
    @CsvSource({
        "Accepted, ml/b submitted (uid 0-7)",
        "Duplicate, ml/b was submitted already (uid 0-7)"
    })
    void jobThatWasThereIsToldFromOneThatIsNew(String outcome, String said) {
        var body = JsonMapper.shared().valueToTree(Map.of("outcome", outcome, "uid", "0-7"));
        var out = new StringWriter();
        TakenJob.say(new PrintWriter(out), "ml/b", new Answer(200, body));
        assertThat(out.toString()).isEqualToNormalizingNewlines(said + "\n");
    }
}
