package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What can be chosen for a queue or a pool is said where people look for it. */
class GuidedPoliciesTest {
    private static final Path GUIDE = Path.of("..", "docs", "guide");

    /** All fields there are, in one line each. */
    private static final String REFERENCE = "reference.md";

    @ParameterizedTest
    @MethodSource
    void choiceStandsOnAPageBesideTheReference(String form, String field, String choice)
            throws IOException {
        var word = "`" + choice + "`";
        var pair = field + ": " + choice;
        assertThat(pages()).as(form).anyMatch(page -> page.contains(word) || page.contains(pair));
    }

    static Stream<Arguments> choiceStandsOnAPageBesideTheReference() {
        return Stream.of("pool", "queue").flatMap(GuidedPoliciesTest::choices);
    }

    private static Stream<Arguments> choices(String form) {
        return schema(form)
                .at("/properties/spec/properties")
                .propertyStream()
                .flatMap(field ->
                        field.getValue()
                                .path("enum")
                                .valueStream()
                                .map(choice ->
                                        Arguments.of(form, field.getKey(), choice.asString())));
    }

    private static JsonNode schema(String form) {
        var name = "/dev/muster/%s-v1.schema.json".formatted(form);
        try (InputStream in = GuidedPoliciesTest.class.getResourceAsStream(name)) {
            return JsonMapper.shared().readTree(Objects.requireNonNull(in));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> pages() throws IOException {
        var pages = new ArrayList<String>();
        try (var files = Files.newDirectoryStream(GUIDE, "*.md")) {
            for (var file : files) {
                if (!file.getFileName().toString().equals(REFERENCE)) {
                    pages.add(Files.readString(file));
                }
            }
        }
        return pages;
    }
}
