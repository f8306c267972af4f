package dev.muster.sandbox.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EarlierBuildsTest {
    private static final Instant NOW = Instant.parse("2026-11-22T08:00:00Z");

    @TempDir Path cache;

    @Test
    void theThreeThatWereUsedLastStay() throws IOException {
        for (int day = 1; day <= 5; day++) {
            build("admission-" + day, Duration.ofDays(day));
        }
        forget();
        assertThat(left()).containsExactly("admission-1", "admission-2", "admission-3");
    }

    @Test
    void thoseOfThisHourStayHoweverManyThereAre() throws IOException {
        for (int minute = 1; minute <= 5; minute++) {
            build("admission-" + minute, Duration.ofMinutes(minute));
        }
        forget();
        assertThat(left()).hasSize(5);
    }

    @Test
    void thoseOfOtherServicesStay() throws IOException {
        for (int day = 1; day <= 4; day++) {
            build("watcher-" + day, Duration.ofDays(day));
        }
        forget();
        assertThat(left()).hasSize(4);
    }

    @Test
    void oneThatAProcessRunsFromStays() throws Exception {
        for (int day = 1; day <= 4; day++) {
            build("admission-" + day, Duration.ofDays(day));
        }
        var jar = cache.resolve("admission-4/app/admission.jar");
        var process =
                new ProcessBuilder("sh", "-c", "read line; exit", "sh", jar.toString()).start();
        try {
            forget();
            assertThat(left()).hasSize(4);
        } finally {
            process.getOutputStream().close();
            process.waitFor();
        }
        forget();
        assertThat(left()).hasSize(3);
    }

    private void forget() {
        new EarlierBuilds(cache, "admission").forget(NOW);
    }

    private void build(String name, Duration ago) throws IOException {
        var folder = Files.createDirectories(cache.resolve(name).resolve("app")).getParent();
        Files.writeString(folder.resolve("app/" + name + ".jar"), name);
        Files.setLastModifiedTime(folder, FileTime.from(NOW.minus(ago)));
    }

    private Stream<String> left() throws IOException {
        try (var folders = Files.list(cache)) {
            return folders.map(each -> each.getFileName().toString()).sorted().toList().stream();
        }
    }
}
