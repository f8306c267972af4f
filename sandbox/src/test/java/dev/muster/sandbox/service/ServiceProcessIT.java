package dev.muster.sandbox.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.sandbox.process.Http;
import dev.muster.sandbox.process.PartFailed;
import dev.muster.sandbox.process.Place;
import dev.muster.sandbox.process.Progress;
import dev.muster.sandbox.process.UntilJvmEnds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

class ServiceProcessIT {
    private static final List<String> WITHOUT_CACHE =
            List.of("-XX:+UseSerialGC", "-XX:AOTMode=off");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private static Path folder;

    private static ServiceSpec tiny;
    private static QuickStart quick;
    private static Place place;

    @BeforeAll
    static void pack() throws Exception {
        tiny = ServiceSpec.of("tiny", TinyService.pack(folder, "first"));
        place = new Place(folder, new UntilJvmEnds(), false, Progress.silent());
        quick = QuickStart.of(tiny, folder.resolve("cache"));
    }

    @Test
    void serviceComesBackAfterAKillOnTheSamePort() {
        var first = ServiceProcess.begin(place, tiny, quick).awaitReady();
        first.kill();
        assertThat(Http.ok(first.url() + "/actuator/health")).isFalse();

        var second = ServiceProcess.begin(place, tiny, quick).awaitReady();
        assertThat(second.process().pid()).isNotEqualTo(first.process().pid());
        assertThat(second.url()).isEqualTo(first.url());
        second.stop();
        assertThat(second.process().alive()).isFalse();
    }

    @Test
    void serviceThatWasBuiltAnewTakesTheOlderOnesPlace() throws Exception {
        var spec = built("older");
        var older = begin(spec);
        assertThat(begin(spec).process()).isEqualTo(older.process());

        var newer = begin(built("newer"));
        assertThat(older.process().alive()).isFalse();
        assertThat(newer.process().alive()).isTrue();
        assertThat(newer.url()).isEqualTo(older.url());
        newer.kill();
    }

    private static ServiceSpec built(String build) throws Exception {
        var jar = TinyService.pack(Files.createDirectories(folder.resolve(build)), build);
        return ServiceSpec.of("renewed", jar).withJvmFlags(WITHOUT_CACHE);
    }

    private static ServiceProcess begin(ServiceSpec spec) {
        var prepared = QuickStart.of(spec, folder.resolve("cache"));
        return ServiceProcess.begin(place, spec, prepared).awaitReady();
    }

    @Test
    void classesComeFromTheCache() {
        var flags = new ArrayList<>(tiny.jvmFlags());
        flags.add("-XX:AOTMode=on"); // or else the JVM ends at once
        var strict = tiny.named("strict").withJvmFlags(flags);
        var service = ServiceProcess.begin(place, strict, quick).awaitReady();
        assertThat(quick.command(strict, 1)).anyMatch(word -> word.startsWith("-XX:AOTCache="));
        service.kill();
    }

    @Test
    void secondStartFindsTheCacheOfTheFirst() {
        assertThat(QuickStart.of(tiny, folder.resolve("cache"))).isEqualTo(quick);
    }

    @Test
    void serviceWhoseCacheCannotBeMadeStartsWithoutIt() {
        var noTraining = tiny.withJvmFlags(WITHOUT_CACHE);
        var slow = QuickStart.of(noTraining, folder.resolve("cache"));
        assertThat(slow.classes()).isEmpty();
        assertThat(slow.command(noTraining, 1)).noneMatch(word -> word.contains("AOTCache"));
    }

    @Test
    void deployedServiceHasNoCache() {
        var flags = List.of("-XX:+UseSerialGC");
        var deployed = QuickStart.of(tiny.deployedWith(flags), folder.resolve("cache"));
        assertThat(deployed.jar()).isEqualTo(quick.jar());
        assertThat(deployed.classes()).isEmpty();
    }

    @Test
    void missingJarSaysWhatToDo() {
        var absent = ServiceSpec.of("absent", folder.resolve("absent-exec.jar"));
        assertThatThrownBy(() -> ServiceProcess.start(place, absent))
                .isInstanceOf(PartFailed.class)
                .hasMessageEndingWith("absent-exec.jar is not there: run mvn package");
    }
}
