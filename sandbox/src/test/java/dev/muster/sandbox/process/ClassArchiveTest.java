package dev.muster.sandbox.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassArchiveTest {
    @TempDir private Path folder;

    @Test
    void flagsDoNotTellWhetherTheArchiveIsThere() throws IOException {
        var jar = Files.writeString(folder.resolve("program.jar"), "classes").toString();
        var archive = folder.resolve("archives").resolve("program.jsa");
        var before = ClassArchive.flags(archive, jar);
        assertThat(before).contains("-XX:SharedArchiveFile=" + archive);
        Files.writeString(archive, "classes");
        assertThat(ClassArchive.flags(archive, jar)).isEqualTo(before);
    }

    @Test
    void classPathWithFoldersHasNone() throws IOException {
        var jar = Files.writeString(folder.resolve("program.jar"), "classes");
        var path = jar + File.pathSeparator + folder;
        assertThat(ClassArchive.flags(folder.resolve("program.jsa"), path)).isEmpty();
    }
}
