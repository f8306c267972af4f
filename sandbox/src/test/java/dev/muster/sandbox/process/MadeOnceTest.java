package dev.muster.sandbox.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MadeOnceTest {
    @TempDir private Path folder;

    @Test
    void tenThatWantItAtOnceMakeItOnce() {
        var made = new AtomicInteger();
        var target = folder.resolve("deep").resolve("thing");
        try (var together = new Together()) {
            for (int i = 0; i < 10; i++) {
                var _ =
                        together.begin(() ->
                                MadeOnce.at(
                                        target,
                                        file ->
                                                Files.writeString(
                                                        file, "" + made.incrementAndGet())));
            }
        }
        assertThat(target).hasContent("1");
    }

    @Test
    void failureLeavesNothingBehindAndTheNextTrySucceeds() {
        var target = folder.resolve("thing");
        assertThatThrownBy(() ->
                        MadeOnce.at(
                                target,
                                file -> {
                                    Files.writeString(file, "half");
                                    throw new IOException("disk full");
                                }))
                .isInstanceOf(PartFailedException.class)
                .hasMessage("cannot make " + target + ": disk full");
        assertThat(target).doesNotExist();

        MadeOnce.at(target, file -> Files.writeString(file, "whole"));
        assertThat(target).hasContent("whole");
    }
}
