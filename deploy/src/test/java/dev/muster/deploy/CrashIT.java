package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.schemas.Topics;
import dev.muster.v1.JobEvent;
import dev.muster.v1.JobEventKind;
import dev.muster.v1.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Ten jobs run while each service in turn is killed and started again. */
class CrashIT {
    private static final int JOBS = 10;
    private static final int PODS_OF_A_JOB = 2;
    private static final List<String> SERVICES =
            List.of("admission", "coordinator", "pod-manager", "watcher");

    private static String namespace = "";

    /** How many jobs had pods when each service was killed. */
    private static final TreeMap<String, Long> RUNNING = new TreeMap<>();

    @BeforeAll
    static void jobsRunWhileServicesAreKilled() {
        namespace = TheSystem.namespace("crash");
        int next = 0;
        try (var requests = Requests.open(TheSystem.context(), "crash test");
                var statuses = JobStatuses.open(TheSystem.context())) {
            submit(requests, next++);
            submit(requests, next++);
            for (var service : SERVICES) {
                await().atMost(Duration.ofMinutes(1))
                        .untilAsserted(() -> {
                            statuses.news();
                            assertThat(running(statuses)).isPositive();
                        });
                RUNNING.put(service, running(statuses));
                TheSystem.kill(service);
                // What is asked while it is gone must not be lost either.
                submit(requests, next++);
                TheSystem.restart(service);
                submit(requests, next++);
            }
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> {
                        statuses.news();
                        assertThat(phases(statuses)).hasSize(JOBS).allMatch(Jobs.ENDS::contains);
                    });
        }
        assertThat(next).isEqualTo(JOBS);
    }

    private static long running(JobStatuses statuses) {
        return phases(statuses).stream().filter(Phase.RUNNING::equals).count();
    }

    private static List<Phase> phases(JobStatuses statuses) {
        return IntStream.range(0, JOBS)
                .mapToObj(i -> statuses.of(namespace, "job" + i))
                .flatMap(Optional::stream)
                .map(status -> status.getPhase())
                .toList();
    }

    @Test
    void jobsWereRunningWhenEachServiceWasKilled() {
        assertThat(RUNNING).containsOnlyKeys(SERVICES);
        assertThat(RUNNING.values()).allMatch(jobs -> jobs > 0);
    }

    @Test
    void everyJobSucceeds() {
        try (var statuses = JobStatuses.open(TheSystem.context())) {
            assertThat(phases(statuses)).hasSize(JOBS).containsOnly(Phase.SUCCEEDED);
        }
    }

    @Test
    void everyJobHasOneEndAndEventsWithoutAGap() {
        var events =
                Records.of(TheSystem.context(), Topics.JOB_EVENTS).stream()
                        .filter(record -> record.key().startsWith(namespace + "/"))
                        .collect(
                                Collectors.groupingBy(
                                        ConsumerRecord::key, TreeMap::new, Collectors.toList()));
        assertThat(events).hasSize(JOBS);
        events.forEach((job, records) -> {
            assertThat(records)
                    .as("numbers of %s", job)
                    .extracting(record -> record.value().getEnvelope().getSeq())
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, records.size()).boxed().toList());
            assertThat(records.stream().filter(record -> isEnd(record.value())))
                    .as("ends of %s", job)
                    .hasSize(1);
        });
    }

    @Test
    void noRankEverHadTwoLivingPods() {
        var ranks = PodLives.byRank(TheSystem.audit(), namespace);
        assertThat(ranks).hasSize(PODS_OF_A_JOB * JOBS);
        ranks.forEach((rank, lives) -> {
            for (int i = 1; i < lives.size(); i++) {
                assertThat(lives.get(i).from())
                        .as("second pod of %s", rank)
                        .isAfterOrEqualTo(lives.get(i - 1).until());
            }
        });
    }

    @Test
    void everyPodEnds() {
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() ->
                        assertThat(PodLives.byRank(TheSystem.audit(), namespace).values())
                                .flatExtracting(lives -> lives)
                                .extracting(PodLives.Life::until)
                                .doesNotContain(Instant.MAX));
    }

    /** Nothing failed but services, so there was nothing to make again. */
    @Test
    void noPodWasMadeTwice() {
        assertThat(PodLives.byRank(TheSystem.audit(), namespace).values())
                .allSatisfy(lives -> assertThat(lives).hasSize(1));
    }

    private static boolean isEnd(JobEvent event) {
        return event.getKind() == JobEventKind.MOVED
                && Jobs.ENDS.contains(event.getMoved().getTo());
    }

    private static void submit(Requests requests, int number) {
        var yaml =
                """
                apiVersion: muster.dev/v1
                kind: TrainJob
                metadata: {name: job%d, namespace: %s}
                spec:
                  roles:
                  - name: master
                    template: &pod
                      spec:
                        containers:
                        - name: main
                          image: python:3.12
                          command: [sh, -c, "sleep %d"]
                          resources: {requests: {cpu: 50m}}
                  - name: worker
                    template: *pod
                """
                        .formatted(number, namespace, 5 + number % 4);
        var _ = requests.submit(Jobs.read(yaml));
    }
}
