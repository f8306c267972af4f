package dev.muster.sandbox.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.sandbox.process.Http;
import dev.muster.sandbox.process.PartFailedException;
import dev.muster.sandbox.process.Place;
import dev.muster.sandbox.process.Progress;
import dev.muster.sandbox.process.UntilJvmEnds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

class ServiceProcessIT {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private static Path folder;

    private static final String FROM_THE_ARCHIVE =
            TinyService.class.getName() + " source: shared objects file (top)";

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
        return ServiceSpec.of("renewed", jar);
    }

    private static ServiceProcess begin(ServiceSpec spec) {
        var prepared = QuickStart.of(spec, folder.resolve("cache"));
        return ServiceProcess.begin(place, spec, prepared).awaitReady();
    }

    @Test
    void serviceThatEndsInGoodOrderLeavesItsClassesToTheNext() {
        var loads = folder.resolve("loads.log");
        var telling = tiny.withJvmFlags(List.of("-XX:+UseSerialGC", "-Xlog:class+load:" + loads));
        ServiceProcess.begin(place, telling, quick).awaitReady().stop();
        assertThat(loads).content().doesNotContain(FROM_THE_ARCHIVE);

        ServiceProcess.begin(place, telling, quick).awaitReady().kill();
        assertThat(loads).content().contains(FROM_THE_ARCHIVE);
    }

    @Test
    void serviceIsTakenApartOnce() {
        assertThat(QuickStart.of(tiny, folder.resolve("cache"))).isEqualTo(quick);
    }

    @Test
    void deployedServiceHasNoArchive() {
        var deployed = tiny.deployedWith(List.of("-XX:+UseSerialGC"));
        assertThat(quick.command(tiny, "-D", 1)).anyMatch(word -> word.contains("Archive"));
        assertThat(quick.command(deployed, "-D", 1)).noneMatch(word -> word.contains("Archive"));
    }

    @Test
    void missingJarSaysWhatToDo() {
        var absent = ServiceSpec.of("absent", folder.resolve("absent-exec.jar"));
        assertThatThrownBy(() -> ServiceProcess.start(place, absent))
                .isInstanceOf(PartFailedException.class)
                .hasMessageEndingWith("absent-exec.jar is not there: run mvn package");
    }
}
