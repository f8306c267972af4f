package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.sandbox.service.ServiceProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Ten jobs run and end while each service in turn is killed, at whatever it does just then. */
@Isolated
@Tag("crash")
@Tag("only-in-profile-crash")
class KilledInTurnIT {
    private static final List<String> SERVICES =
            List.of("admission", "coordinator", "pod-manager", "watcher");
    private static final int JOBS = 10;

    @Test
    void tenJobsSucceedAlthoughEachServiceIsKilledInTurn() {
        try (var jobs = new JobsInSituations("killed")) {
            var names = IntStream.range(0, JOBS).mapToObj(i -> "job-" + i).toList();
            names.forEach(name -> jobs.prepare(name, Situation.ENDING));
            names.forEach(jobs::awaitPrepared);

            var running = names.iterator();
            var starting = new ArrayList<ServiceProcess>();
            for (var service : SERVICES) {
                jobs.begin(running.next(), false);
                TheSystem.kill(service);
                jobs.begin(running.next(), false);
                var known = TheSystem.get().services().get(service);
                starting.add(ServiceProcess.begin(known.place(), known.spec()));
            }
            running.forEachRemaining(name -> jobs.begin(name, false));
            starting.forEach(ServiceProcess::awaitReady);

            jobs.awaitEnds();
            assertThat(jobs.ends()).isEmpty();
            assertThat(jobs.broken()).isEmpty();
            jobs.awaitNothingLeft();
        }
    }
}
