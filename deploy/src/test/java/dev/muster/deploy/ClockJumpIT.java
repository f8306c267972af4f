package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.sandbox.clock.MachineClock;
import dev.muster.sandbox.kafka.Kafka;
import dev.muster.sandbox.process.Http;
import dev.muster.sandbox.process.Place;
import dev.muster.sandbox.service.ServiceProcess;
import dev.muster.sandbox.service.ServiceSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The wall clocks of the services jump by hours, ahead and back, while jobs start, restart, are
 * cancelled and are suspended: nothing is lost, none of the jobs' deadlines of half an hour fires,
 * and operators are told. A service that says that it is broken is restarted, as a kubelet would.
 */
@Isolated
@Tag("crash")
@Tag("only-in-profile-crash")
class ClockJumpIT {
    private static final Duration HOURS = Duration.ofHours(3);

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String SET_BACK = "THE CLOCK WAS SET BACK";

    private final MachineClock clock = new MachineClock(place().folder());

    @Test
    void servicesWhoseClocksJumpByHoursLoseNothingAndDoNothingEarly() {
        var services = new LinkedHashMap<>(TheSystem.get().services());
        try {
            // Their machines have the wrong time when they start, and are set right.
            clock.set(HOURS);
            services.replaceAll((_, known) -> ServiceProcess.begin(place(), byTheClock(known)));
            services.values().forEach(ServiceProcess::awaitReady);
            try (var jobs = new JobsInSituations("clocks")) {
                var names = prepared(jobs);
                begin(jobs, names, 0);
                clock.set(Duration.ZERO);
                restartTheBroken(services);
                TheSystem.running("kafka").kill();
                var _ = Kafka.start(place());
                begin(jobs, names, 1);
                end(jobs);
            }
            try (var jobs = new JobsInSituations("clocks")) {
                var names = prepared(jobs);
                begin(jobs, names, 0);
                clock.set(HOURS);
                begin(jobs, names, 1);
                end(jobs);
            }
        } finally {
            for (var known : TheSystem.get().services().values()) {
                var _ = ServiceProcess.start(place(), known.spec());
            }
        }
    }

    private static void end(JobsInSituations jobs) {
        jobs.awaitEnds();
        assertThat(jobs.ends()).isEmpty();
        assertThat(jobs.broken()).isEmpty();
        jobs.awaitNothingLeft();
    }

    /** Two jobs in each situation, whose second ones begin when something has happened. */
    private static List<String> prepared(JobsInSituations jobs) {
        var names = new ArrayList<String>();
        for (int i = 0; i < 2; i++) {
            for (var situation : Situation.values()) {
                var name = situation.word() + "-" + i;
                jobs.prepare(name, situation);
                names.add(name);
            }
        }
        names.forEach(jobs::awaitPrepared);
        return names;
    }

    private static void begin(JobsInSituations jobs, List<String> names, int number) {
        names.stream()
                .filter(name -> name.endsWith("-" + number))
                .forEach(name -> jobs.begin(name, false));
    }

    private void restartTheBroken(Map<String, ServiceProcess> services) {
        for (var name : List.copyOf(services.keySet())) {
            var service = Objects.requireNonNull(services.get(name));
            await(name + " says that it is broken")
                    .atMost(PATIENCE)
                    .until(() -> !Http.ok(service.url() + "/actuator/health/liveness"));
            assertThat(told(name, SET_BACK)).isPositive();
            services.put(name, service.restart());
        }
    }

    /** The same as it is deployed, by a clock of this test's. */
    private ServiceSpec byTheClock(ServiceProcess known) {
        var flags = new ArrayList<>(known.spec().jvmFlags());
        flags.add(clock.flag());
        return known.spec().deployedWith(flags);
    }

    /** How often a service's log says so. */
    private static int told(String service, String what) {
        try (var lines = Files.lines(place().log(service))) {
            return (int) lines.filter(line -> line.contains(what)).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Place place() {
        return TheSystem.get().sandbox().place();
    }
}
