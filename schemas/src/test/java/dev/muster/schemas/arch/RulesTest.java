package dev.muster.schemas.arch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule, on a few lines that break it and a few that do not. */
class RulesTest {
    private static final JavaCompiler JAVAC = ToolProvider.getSystemJavaCompiler();

    /** Shared, since reading the class path anew takes longer than compiling. */
    private static final StandardJavaFileManager FILES =
            JAVAC.getStandardFileManager(null, null, null);

    @TempDir Path folder;

    @ParameterizedTest
    @MethodSource("broken")
    void ruleFindsWhatBreaksIt(ArchRule rule, String type, String body) throws IOException {
        assertThat(rule.evaluate(compiled(type, body)).getFailureReport().getDetails())
                .isNotEmpty();
    }

    static Stream<Arguments> broken() {
        var core = "admission.core.Rules";
        var decider = "coordinator.core.Rules";
        return Stream.of(
                argumentSet("utils", HouseRules.namesSayWhatItIs, "cli.TimeUtils", "{}"),
                argumentSet("base", HouseRules.namesSayWhatItIs, "cli.BaseJob", "{}"),
                argumentSet(
                        "nested", HouseRules.namesSayWhatItIs, "cli.Job", "{ class JobImpl {} }"),
                argumentSet(
                        "sleep",
                        HouseRules.nobodySleeps,
                        "cli.Job",
                        "{ void on() throws Exception { Thread.sleep(1); } }"),
                argumentSet(
                        "future",
                        HouseRules.callsBlockAndSignaturesSayWhatComes,
                        "cli.Job",
                        "{ java.util.concurrent.CompletableFuture<String> on() { return null; } }"),
                argumentSet(
                        "seven",
                        HouseRules.sixParametersAreEnough,
                        "cli.Job",
                        "{ void on(int a, int b, int c, int d, int e, int f, int g) {} }"),
                argumentSet(
                        "network",
                        ServiceRules.coreKnowsOnlyTheLanguage,
                        core,
                        "{ java.net.URI uri; }"),
                argumentSet(
                        "Avro",
                        ServiceRules.coreKnowsOnlyTheLanguage,
                        decider,
                        "{ dev.muster.v1.Phase phase; }"),
                argumentSet(
                        "Avro elsewhere",
                        ServiceRules.generatedRecordsStayAtTheEdge,
                        "admission.Config",
                        "{ dev.muster.v1.Phase phase; }"),
                argumentSet(
                        "now",
                        ServiceRules.coreHasNoClockThreadChanceOrLog,
                        core,
                        "{ Object on() { return java.time.LocalDate.now(); } }"),
                argumentSet(
                        "clock",
                        ServiceRules.coreHasNoClockThreadChanceOrLog,
                        core,
                        "{ java.time.Clock clock; }"),
                argumentSet(
                        "nanoTime",
                        ServiceRules.coreHasNoClockThreadChanceOrLog,
                        core,
                        "{ long on() { return System.nanoTime(); } }"),
                argumentSet(
                        "chance",
                        ServiceRules.coreHasNoClockThreadChanceOrLog,
                        core,
                        "{ double on() { return Math.random(); } }"),
                argumentSet(
                        "thread",
                        ServiceRules.coreHasNoClockThreadChanceOrLog,
                        core,
                        "{ void on() { new Thread(() -> {}).start(); } }"),
                argumentSet(
                        "hash map",
                        ServiceRules.deciderHasNoCollectionWithoutAnOrder,
                        decider,
                        "{ java.util.Map<String, String> all = new java.util.HashMap<>(); }"),
                argumentSet(
                        "reference to a hash set",
                        ServiceRules.deciderHasNoCollectionWithoutAnOrder,
                        decider,
                        "{ java.util.function.Supplier<?> all = java.util.HashSet::new; }"),
                argumentSet(
                        "set of two",
                        ServiceRules.deciderHasNoCollectionWithoutAnOrder,
                        decider,
                        "{ Object all = java.util.Set.of(1, 2); }"),
                argumentSet(
                        "grouped",
                        ServiceRules.deciderHasNoCollectionWithoutAnOrder,
                        decider,
                        "{ Object by = java.util.stream.Collectors.groupingBy(x -> x); }"),
                argumentSet(
                        "fraction",
                        ServiceRules.deciderKeepsWholeNumbers,
                        decider,
                        "{ double a; }"),
                argumentSet(
                        "fraction out",
                        ServiceRules.deciderAnswersWithWholeNumbers,
                        decider,
                        "{ float share() { return 1; } }"));
    }

    @ParameterizedTest
    @MethodSource("kept")
    void ruleLetsTheRestBe(ArchRule rule, String type, String body) throws IOException {
        assertThat(rule.evaluate(compiled(type, body)).getFailureReport().getDetails()).isEmpty();
    }

    static Stream<Arguments> kept() {
        var decider = "coordinator.core.Rules";
        return Stream.of(
                argumentSet("word", HouseRules.namesSayWhatItIs, "cli.Baseline", "{}"),
                argumentSet(
                        "enum of six",
                        HouseRules.sixParametersAreEnough,
                        "cli.Job",
                        "{ enum E { A(1, 2, 3, 4, 5, 6); E(int... n) {} } }"),
                argumentSet(
                        "record of seven",
                        HouseRules.sixParametersAreEnough,
                        "cli.Job",
                        "{ record R(int a, int b, int c, int d, int e, int f, int g) {} }"),
                argumentSet(
                        "switch over a sealed type",
                        ServiceRules.coreKnowsOnlyTheLanguage,
                        decider,
                        """
                        {
                            sealed interface S { record A(int[] n) implements S {} }
                            int on(S s) { return switch (s) { case S.A(var n) -> n.length; }; }
                        }
                        """),
                argumentSet(
                        "edge",
                        ServiceRules.generatedRecordsStayAtTheEdge,
                        "admission.stream.Edge",
                        "{ dev.muster.v1.Phase phase; }"),
                argumentSet(
                        "orders",
                        ServiceRules.deciderHasNoCollectionWithoutAnOrder,
                        decider,
                        """
                        {
                            Object a = new java.util.LinkedHashMap<String, String>();
                            Object b = java.util.Map.of();
                            Object c = java.util.List.of(1, 2);
                        }
                        """));
    }

    @Test
    void packagesThatCallEachOtherAreARing() throws IOException {
        var classes =
                compiled(
                        new Source("cli.a.One", "{ dev.muster.cli.b.Two two; }"),
                        new Source("cli.b.Two", "{ dev.muster.cli.a.One one; }"));

        assertThat(HouseRules.packagesFormNoRing.evaluate(classes).hasViolation()).isTrue();
    }

    @Test
    void fileOfFourHundredAndOneLinesIsTooLong() throws IOException {
        Files.writeString(folder.resolve("Long.java"), "\n".repeat(401));
        Files.writeString(folder.resolve("Short.java"), "\n".repeat(400));

        assertThat(SourceRules.tooLong(folder)).containsExactly(folder.resolve("Long.java"));
    }

    private record Source(String type, String body) {
        String text() {
            var dot = type.lastIndexOf('.');
            return "package dev.muster.%s; public class %s %s"
                    .formatted(type.substring(0, dot), type.substring(dot + 1), body);
        }
    }

    private JavaClasses compiled(String type, String body) throws IOException {
        return compiled(new Source(type, body));
    }

    private JavaClasses compiled(Source... sources) throws IOException {
        for (var source : sources) {
            var file = file(source);
            Files.createDirectories(file.getParent());
            Files.writeString(file, source.text());
        }
        var out = Files.createDirectories(folder.resolve("out"));
        FILES.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(out));
        var files = Arrays.stream(sources).map(this::file).toList();
        var task =
                JAVAC.getTask(
                        null,
                        FILES,
                        null,
                        List.of("-proc:none"),
                        null,
                        FILES.getJavaFileObjectsFromPaths(files));
        assertThat(task.call()).isTrue();
        return new ClassFileImporter().importPath(folder.resolve("out"));
    }

    private Path file(Source source) {
        return folder.resolve(source.type().replace('.', '/') + ".java");
    }
}
