package dev.muster.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.Topic.Kept;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Run with {@code -Dmuster.reference=write} it also writes the table. */
class TopicsPageTest {
    private static final Path PAGE = Path.of("..", "deploy", "README.md");

    private static final Pattern TABLE =
            Pattern.compile("(?<=<!-- topics -->\n).*(?=<!-- /topics -->)", Pattern.DOTALL);

    private static final String HEADING =
            """
            | topic `muster.…` | written by | read by | partitions | kept |
            |---|---|---|---|---|
            """;

    @Test
    void pageHasTheTopicsAsTheCatalogueHasThem() throws IOException {
        var page = Files.readString(PAGE);
        var table =
                Topics.all().stream()
                        .map(TopicsPageTest::row)
                        .collect(Collectors.joining("\n", HEADING, "\n"));
        var asItIs = TABLE.matcher(page);
        assertThat(asItIs.find()).isTrue();
        if ("write".equals(System.getProperty("muster.reference"))) {
            Files.writeString(PAGE, asItIs.replaceAll(Matcher.quoteReplacement(table)));
        }
        assertThat(Files.readString(PAGE))
                .as("run mvn -pl schemas test -Dtest=TopicsPageTest -Dmuster.reference=write")
                .contains("<!-- topics -->\n" + table + "<!-- /topics -->");
    }

    private static String row(Topic<?> topic) {
        return "| `%s` | %s | %s | %d | %s |"
                .formatted(
                        topic.name().replaceFirst("muster\\.", ""),
                        words(topic.writers()),
                        words(topic.readers()),
                        topic.partitions(),
                        kept(topic.kept()));
    }

    private static String words(List<String> words) {
        return String.join(", ", words);
    }

    private static String kept(Kept kept) {
        return switch (kept) {
            case Kept.For(var retention) -> days(retention);
            case Kept.ForSinceAppend(var retention) -> days(retention);
            case Kept.History(var retention, var least) ->
                    "%s; may be less, at least %s".formatted(days(retention), days(least));
            case Kept.Newest() -> "the newest of each key";
        };
    }

    private static String days(Duration duration) {
        return duration.toDays() == 1 ? "1 day" : duration.toDays() + " days";
    }
}
