package dev.muster.schemas.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.Topic;
import dev.muster.schemas.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Run with {@code -Dmuster.schemas=follow} or {@code =release} it also brings the history up. */
class SchemaHistoryTest {
    private static final String FOLLOW =
            "%s is not the newest version in its history; if the change is meant, run"
                    + " mvn -pl schemas -am test -Dtest=SchemaHistoryTest"
                    + " -Dsurefire.failIfNoSpecifiedTests=false -Dmuster.schemas=follow"
                    + " and commit what it writes";

    private final SchemaHistory history =
            new SchemaHistory(Path.of("src", "main", "schemas-history"));

    @TempDir Path folder;

    @ParameterizedTest
    @MethodSource("dev.muster.schemas.Topics#all")
    void newestVersionIsWhatTheSourceSays(Topic<?> topic) throws IOException {
        if (System.getProperty("muster.schemas") != null) {
            history.follow(topic);
        }
        assertThat(history.versions(topic))
                .withFailMessage(FOLLOW, topic.value().getSimpleName())
                .isNotEmpty()
                .last()
                .matches(newest ->
                        SchemaHistory.isSame(newest.schema(), SchemaHistory.current(topic)));
    }

    @Test
    void releasedVersionsAreThereAndUntouched() throws IOException {
        if ("release".equals(System.getProperty("muster.schemas"))) {
            for (var topic : Topics.all()) {
                history.follow(topic);
            }
            history.release();
        }
        for (var released : history.released().entrySet()) {
            assertThat(history.file(released.getKey())).exists();
            assertThat(SchemaHistory.digest(history.file(released.getKey())))
                    .as(released.getKey())
                    .isEqualTo(released.getValue());
        }
    }

    @Test
    void noVersionIsLeftOut() throws IOException {
        var counted = 0;
        for (var topic : Topics.all()) {
            counted += history.versions(topic).size();
        }
        assertThat(history.files()).hasSize(counted);
    }

    @Test
    void draftFollowsTheSourceUntilItIsReleased() throws IOException {
        var own = new SchemaHistory(folder);
        var first = folder.resolve("JobStatus/v1.avsc");
        var older = SchemaBuilder.record("dev.muster.v1.JobStatus").fields().endRecord();

        Files.createDirectories(first.getParent());
        Files.writeString(first, older.toString());
        own.follow(Topics.JOB_STATUS);
        assertThat(own.versions(Topics.JOB_STATUS))
                .singleElement()
                .matches(v -> v.schema().getFields().size() > 0);

        Files.writeString(first, older.toString());
        own.release();
        own.follow(Topics.JOB_STATUS);
        own.follow(Topics.JOB_STATUS);
        assertThat(own.versions(Topics.JOB_STATUS))
                .extracting(version -> version.schema().getFields().isEmpty())
                .containsExactly(true, false);
        assertThat(own.released())
                .containsOnlyKeys("JobStatus/v1.avsc")
                .containsValue(SchemaHistory.digest(first));
    }
}
