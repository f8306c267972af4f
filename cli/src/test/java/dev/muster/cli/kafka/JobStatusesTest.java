package dev.muster.cli.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.Context;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topics;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Phase;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobStatusesTest {
    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final String TOPIC = Topics.JOB_STATUS.name();
    private static final int FOREIGN = 2000;
    private static final Context NOWHERE =
            new Context("http://127.0.0.1:1", "127.0.0.1:1", "http://127.0.0.1:1", Path.of(""));

    private static final Predicate<JobStatus> FAILED = status -> status.getPhase() == Phase.FAILED;
    private static final Predicate<JobStatus> QUEUED = status -> status.getPhase() == Phase.QUEUED;

    private final Map<TopicPartition, Long> ends = new LinkedHashMap<>();
    private final List<ConsumerRecord<String, JobStatus>> log = new ArrayList<>();
    private final MockConsumer<String, JobStatus> consumer = new MockConsumer<>("earliest");

    JobStatusesTest() {
        var partitions = new ArrayList<PartitionInfo>();
        for (int i = 0; i < Topics.JOB_STATUS.partitions(); i++) {
            partitions.add(new PartitionInfo(TOPIC, i, Node.noNode(), new Node[0], new Node[0]));
            ends.put(new TopicPartition(TOPIC, i), 0L);
        }
        consumer.updatePartitions(TOPIC, partitions);
        for (int i = 0; i < FOREIGN; i++) {
            append("theirs", "job-" + i, "0-" + i, Phase.RUNNING);
            append("mine", "job-" + i, "0-" + i, Phase.RUNNING);
        }
        append("mine", "wanted", "0-7", Phase.FAILED);
        append("mine", "wanted", "0-9", Phase.QUEUED);
    }

    @Test
    void ofOneNameOnePartitionIsReadAndNothingOfOthersIsKept() {
        try (var statuses = read(JobNames.one("mine", "wanted"))) {
            assertThat(consumer.assignment())
                    .containsExactly(
                            new TopicPartition(TOPIC, Partitions.ofName("mine", "wanted")));
            assertThat(statuses.all()).extracting(s -> s.getJob().getUid()).containsExactly("0-9");
            assertThat(statuses.of("mine", "wanted")).isPresent();
        }
    }

    @Test
    void newsAreOfTheWantedNameAlone() {
        try (var statuses = read(JobNames.one("mine", "wanted"))) {
            append("mine", "wanted", "0-9", Phase.RUNNING);
            append("mine", inPartitionOf("wanted"), "0-8", Phase.RUNNING);
            feed(consumer.assignment());
            assertThat(statuses.news())
                    .extracting(s -> s.getJob().getName())
                    .containsExactly("wanted");
        }
    }

    @Test
    void ofANamespaceNothingOfOthersIsKept() {
        try (var statuses = read(new JobNames("mine", null))) {
            assertThat(consumer.assignment()).hasSize(Topics.JOB_STATUS.partitions());
            assertThat(statuses.all())
                    .hasSize(FOREIGN + 1)
                    .allMatch(s -> s.getJob().getNamespace().equals("mine"));
        }
    }

    @Test
    void ofANameInAllNamespacesNothingOfOthersIsKept() {
        try (var statuses = read(new JobNames(null, "job-3"))) {
            assertThat(statuses.all())
                    .extracting(s -> s.getJob().getNamespace())
                    .containsExactly("mine", "theirs");
        }
    }

    @Test
    void onlyTheFormInWhichTheyAreKeptStays() {
        schedule();
        try (var statuses =
                JobStatuses.read(
                        NOWHERE,
                        consumer,
                        JobNames.ALL,
                        _ -> true,
                        _ -> Statuses.status(new JobRef("mine", "short", "0-1"), Phase.RUNNING))) {
            assertThat(statuses.all())
                    .hasSize(2 * FOREIGN + 1)
                    .allMatch(s -> s.getJob().getName().equals("short"));
        }
    }

    /** Who submits a job anew does not want to see how the last one ended. */
    @Test
    void submissionThatIsNotWantedHidesThoseBeforeIt() {
        append("mine", "wanted", "0-7", Phase.FAILED);
        try (var statuses = read(JobNames.ALL, FAILED)) {
            assertThat(statuses.all()).isEmpty();
            assertThat(statuses.of("mine", "wanted")).isEmpty();
            append("mine", "wanted", "0-7", Phase.FAILED);
            append("mine", "wanted", "0-9", Phase.FAILED);
            feed(consumer.assignment());
            assertThat(statuses.news()).extracting(s -> s.getJob().getUid()).containsExactly("0-9");
            assertThat(statuses.all()).hasSize(1);
        }
    }

    @Test
    void theChangeIsToldWithWhichAJobIsWantedNoMore() {
        try (var statuses = read(JobNames.ALL, QUEUED)) {
            assertThat(statuses.all()).hasSize(1);
            append("mine", "wanted", "0-9", Phase.RUNNING);
            append("mine", "wanted", "0-9", Phase.SUCCEEDED);
            append("mine", "job-1", "0-1", Phase.SUCCEEDED);
            feed(consumer.assignment());
            assertThat(statuses.news())
                    .extracting(JobStatus::getPhase)
                    .containsExactly(Phase.RUNNING);
            assertThat(statuses.all()).isEmpty();
        }
    }

    @Test
    void theSubmissionOfAMomentIsLookedForInOnePartition() {
        schedule();
        assertThat(JobStatuses.at(consumer, "mine", "wanted", NOON))
                .get()
                .extracting(s -> s.getJob().getUid())
                .isEqualTo("0-9");
        assertThat(consumer.assignment()).hasSize(1);
    }

    private JobStatuses read(JobNames names) {
        return read(names, _ -> true);
    }

    private JobStatuses read(JobNames names, Predicate<JobStatus> wanted) {
        schedule();
        return JobStatuses.read(NOWHERE, consumer, names, wanted, status -> status);
    }

    private void schedule() {
        ends.keySet().forEach(of -> consumer.updateBeginningOffsets(Map.of(of, 0L)));
        consumer.updateEndOffsets(ends);
        consumer.schedulePollTask(() -> feed(consumer.assignment()));
    }

    private void feed(Set<TopicPartition> assigned) {
        var now = List.copyOf(log);
        log.clear();
        now.stream()
                .filter(r -> assigned.contains(new TopicPartition(TOPIC, r.partition())))
                .forEach(consumer::addRecord);
    }

    private static String inPartitionOf(String name) {
        for (int i = 0; ; i++) {
            if (Partitions.ofName("mine", "x" + i) == Partitions.ofName("mine", name)) {
                return "x" + i;
            }
        }
    }

    private void append(String namespace, String name, String uid, @Nullable Phase phase) {
        var job = new JobRef(namespace, name, uid);
        var partition = new TopicPartition(TOPIC, Partitions.ofName(namespace, name));
        long offset = ends.merge(partition, 1L, Long::sum) - 1;
        log.add(
                new ConsumerRecord<>(
                        TOPIC,
                        partition.partition(),
                        offset,
                        JobKeys.of(job),
                        phase == null ? null : Statuses.status(job, phase)));
    }
}
