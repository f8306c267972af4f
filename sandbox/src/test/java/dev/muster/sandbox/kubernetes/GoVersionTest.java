package dev.muster.sandbox.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users are told to install builds all that is built with Go. */
class GoVersionTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern TOLD = Pattern.compile("Go (\\d+\\.\\d+) or newer");
    private static final Pattern NEEDED = Pattern.compile("(?m)^go (\\d+\\.\\d+)");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "README.md",
                ".ci/run",
                "sandbox/src/main/java/dev/muster/sandbox/kubernetes/KubernetesBinaries.java"
            })
    void versionThatIsAskedForIsTheNewestThatAModuleNeeds(String file) throws IOException {
        var needed = new ArrayList<String>();
        try (var modules = Files.newDirectoryStream(ROOT.resolve("sandbox/kube"))) {
            for (var module : modules) {
                needed.addAll(versions(NEEDED, module.resolve("go.mod")));
            }
        }
        var newest = needed.stream().max(Comparator.comparing(Runtime.Version::parse));
        assertThat(versions(TOLD, ROOT.resolve(file))).isNotEmpty().containsOnly(newest.get());
    }

    private static List<String> versions(Pattern pattern, Path file) throws IOException {
        return pattern.matcher(Files.readString(file)).results().map(m -> m.group(1)).toList();
    }
}
