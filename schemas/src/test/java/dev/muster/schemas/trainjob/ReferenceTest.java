package dev.muster.schemas.trainjob;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Run with {@code -Dmuster.reference=write} it also writes the page. */
class ReferenceTest {
    private static final Path PAGE = Path.of("..", "docs", "guide", "reference.md");

    @Test
    void pageHasTheFieldsAsTheSchemasHaveThem() throws IOException {
        if ("write".equals(System.getProperty("muster.reference"))) {
            Files.writeString(PAGE, Reference.text());
        }
        assertThat(PAGE)
                .as("run mvn -pl schemas test -Dtest=ReferenceTest -Dmuster.reference=write")
                .hasContent(Reference.text());
    }
}
