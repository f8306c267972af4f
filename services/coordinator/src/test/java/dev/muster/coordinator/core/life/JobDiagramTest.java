package dev.muster.coordinator.core.life;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class JobDiagramTest {
    private static final String BEGIN = "<!-- diagram -->\n```mermaid\n";
    private static final String END = "```\n<!-- /diagram -->";

    @Test
    void readmeShowsTheStateMachineAsTheRulesHaveIt() throws IOException {
        var readme = Files.readString(Path.of("README.md"));
        assertThat(readme).contains(BEGIN).contains(END);
        var shown = readme.substring(readme.indexOf(BEGIN) + BEGIN.length(), readme.indexOf(END));
        assertThat(shown)
                .as("replace it by the other, between the diagram's marks in README.md")
                .isEqualTo(JobDiagram.mermaid());
    }
}
