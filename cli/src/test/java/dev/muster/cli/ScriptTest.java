package dev.muster.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The script at the root looks at all that its programs are built from. */
class ScriptTest {
    private static final Path ROOT = Path.of("..");

    private static final Pattern LOOP = Pattern.compile("for folder in (.*) \"\\$@\"; do");
    private static final Pattern MODULES = Pattern.compile("\\) echo \"([a-z/ -]+)\" ;;");
    private static final Pattern MODULE = Pattern.compile("<module>(.*)</module>");
    private static final Pattern NAME = Pattern.compile("<artifactId>(muster-.*)</artifactId>");
    private static final Pattern DEPENDENCY =
            Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL);

    @Test
    void scriptBuildsAnewWhateverOfItsModulesHasChanged() throws IOException {
        var script = Files.readString(ROOT.resolve("muster"));
        var always = words(script, LOOP);
        assertThat(always).hasSize(1);
        var built = words(script, MODULES);
        assertThat(built).hasSize(2).contains(List.of("cli"));
        for (var modules : built) {
            var seen = new TreeSet<>(always.getFirst());
            seen.addAll(modules);
            assertThat(seen).containsAll(withAllThatTheyNeed(modules));
        }
    }

    private static List<List<String>> words(String script, Pattern of) {
        return of.matcher(script).results().map(it -> List.of(it.group(1).split(" "))).toList();
    }

    private static TreeSet<String> withAllThatTheyNeed(List<String> modules) throws IOException {
        var folders = folders();
        var needed = new TreeSet<String>();
        for (var next = new ArrayDeque<>(modules); !next.isEmpty(); ) {
            var module = next.remove();
            if (needed.add(module)) {
                dependencies(module)
                        .map(name -> requireNonNull(folders.get(name)))
                        .forEach(next::add);
            }
        }
        return needed;
    }

    /** By the name of their artifact. */
    private static Map<String, String> folders() throws IOException {
        var folders = new TreeMap<String, String>();
        for (var module : MODULE.matcher(pom(".")).results().map(it -> it.group(1)).toList()) {
            folders.put(name(DEPENDENCY.matcher(pom(module)).replaceAll("")), module);
        }
        return folders;
    }

    /** Those that are ours, without those of tests. */
    private static Stream<String> dependencies(String module) throws IOException {
        return DEPENDENCY
                .matcher(pom(module))
                .results()
                .map(it -> it.group(1))
                .filter(it -> it.contains("<groupId>dev.muster</groupId>"))
                .filter(it -> !it.contains("<scope>test</scope>"))
                .map(ScriptTest::name);
    }

    private static String name(String xml) {
        var found = NAME.matcher(xml);
        assertThat(found.find()).as(xml).isTrue();
        return found.group(1);
    }

    private static String pom(String module) throws IOException {
        return Files.readString(ROOT.resolve(module).resolve("pom.xml"));
    }
}
