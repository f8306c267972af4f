package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every page of the documentation can be found. */
class IndexTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final String INDEX = "README.md";
    private static final Pattern PAGE = Pattern.compile("\\]\\(([\\w-]+\\.md)\\)");

    @ParameterizedTest
    @ValueSource(strings = {"guide", "decisions"})
    void indexOfAFolderNamesEveryPageOnce(String folder) throws IOException {
        var pages = new TreeSet<String>();
        try (var files = Files.newDirectoryStream(DOCS.resolve(folder), "*.md")) {
            files.forEach(file -> pages.add(file.getFileName().toString()));
        }
        pages.remove(INDEX);
        var index = Files.readString(DOCS.resolve(folder).resolve(INDEX));
        assertThat(PAGE.matcher(index).results().map(link -> link.group(1)))
                .containsExactlyInAnyOrderElementsOf(pages);
    }
}
