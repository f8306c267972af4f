package dev.muster.cli.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.Context;
import dev.muster.sandbox.TestParts;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.TopicCreator;
import dev.muster.schemas.Topics;
import dev.muster.v1.Envelope;
import dev.muster.v1.JobEvent;
import dev.muster.v1.JobEventKind;
import dev.muster.v1.JobMoved;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Outcome;
import dev.muster.v1.Phase;
import dev.muster.v1.QueueRequest;
import dev.muster.v1.QueueSpec;
import dev.muster.v1.RequestResult;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TopicsIT {
    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

    private static Context context = nowhere();

    @BeforeAll
    static void topics() {
        context =
                new Context(
                        "http://127.0.0.1:1",
                        TestParts.bootstrapServers(),
                        TestParts.registryUrl(),
                        Path.of("none"));
        var config = Map.<String, Object>of("bootstrap.servers", context.bootstrapServers());
        try (var admin = Admin.create(config)) {
            var _ = new TopicCreator(admin, 1).run();
        }
    }

    @Test
    void ofEachNameTheNewestSubmissionIsShown() throws Exception {
        try (var producer = Kafka.<JobStatus>producer(context)) {
            put(producer, "twice", "0-100", Phase.SUCCEEDED);
            put(producer, "twice", "0-9", Phase.RUNNING);
            put(producer, "gone", "1-5", Phase.FAILED);
            put(producer, "gone", "1-5", null);
        }
        try (var statuses = JobStatuses.open(context)) {
            assertThat(statuses.of("newest", "twice"))
                    .get()
                    .extracting(JobStatus::getPhase)
                    .isEqualTo(Phase.SUCCEEDED);
            assertThat(statuses.of("newest", "gone")).isEmpty();
        }
    }

    @Test
    void newsAreEveryChangeInItsOrder() throws Exception {
        try (var statuses = JobStatuses.open(context);
                var producer = Kafka.<JobStatus>producer(context)) {
            put(producer, "moving", "2-1", Phase.QUEUED);
            put(producer, "moving", "2-1", Phase.STARTING);
            put(producer, "moving", "2-1", Phase.RUNNING);
            var seen = new ArrayList<Phase>();
            await().untilAsserted(() -> {
                statuses.news().stream()
                        .filter(s -> s.getJob().getName().equals("moving"))
                        .forEach(s -> seen.add(s.getPhase()));
                assertThat(seen).containsExactly(Phase.QUEUED, Phase.STARTING, Phase.RUNNING);
            });
        }
    }

    @Test
    void whatHappenedToASubmissionIsToldInItsOrderAndNothingOfOthers() throws Exception {
        var one = new JobRef("newest", "eventful", "3-2");
        var older = new JobRef("newest", "eventful", "3-1");
        try (var producer = Kafka.<JobEvent>producer(context)) {
            put(producer, older, Phase.FAILED);
            put(producer, one, Phase.QUEUED);
            put(producer, new JobRef("newest", "another", "3-2"), Phase.QUEUED);
            put(producer, one, Phase.STARTING);
            try (var news = JobNews.of(context, Statuses.status(one, Phase.STARTING))) {
                assertThat(news.all())
                        .extracting(event -> event.getMoved().getTo())
                        .containsExactly(Phase.QUEUED, Phase.STARTING);
                put(producer, one, Phase.RUNNING);
                var next = new ArrayList<JobEvent>();
                await().untilAsserted(() -> {
                    next.addAll(news.next());
                    assertThat(next)
                            .extracting(event -> event.getMoved().getTo())
                            .containsExactly(Phase.RUNNING);
                });
            }
        }
    }

    private static void put(Producer<String, JobEvent> producer, JobRef job, Phase phase)
            throws Exception {
        var event =
                JobEvent.newBuilder()
                        .setEnvelope(envelope("0-1/0"))
                        .setKind(JobEventKind.MOVED)
                        .setJob(job)
                        .setMoved(JobMoved.newBuilder().setTo(phase).build())
                        .build();
        var topic = Topics.JOB_EVENTS;
        var partition = Partitions.ofKey(topic, JobKeys.of(job));
        producer.send(new ProducerRecord<>(topic.name(), partition, JobKeys.of(job), event)).get();
    }

    @Test
    void theAnswerToARequestIsTheOneThatNamesIt() throws Exception {
        try (var requests = Requests.open(context, "test");
                var producer = Kafka.<RequestResult>producer(context)) {
            var id = requests.put("research", QueueSpec.newBuilder().setWeight(3).build());
            for (var answered : List.of("another", id)) {
                var result =
                        RequestResult.newBuilder()
                                .setEnvelope(envelope(answered))
                                .setOutcome(
                                        answered.equals(id) ? Outcome.ACCEPTED : Outcome.REFUSED)
                                .build();
                var topic = Topics.REQUEST_RESULTS.name();
                producer.send(new ProducerRecord<>(topic, "research", result)).get();
            }
            assertThat(requests.answer(id, Duration.ofSeconds(20)).getOutcome())
                    .isEqualTo(Outcome.ACCEPTED);
        }
        try (var consumer = Kafka.<QueueRequest>consumer(context)) {
            consumer.seekToBeginning(Kafka.assign(consumer, Topics.QUEUE_REQUESTS));
            var found = new ArrayList<QueueSpec>();
            await().untilAsserted(() -> {
                consumer.poll(Duration.ofMillis(200)).forEach(r -> found.add(r.value().getQueue()));
                assertThat(found).containsExactly(QueueSpec.newBuilder().setWeight(3).build());
            });
        }
    }

    @Test
    void aBrokerThatDoesNotAnswerIsOneLine() {
        assertThatThrownBy(() -> JobStatuses.open(nowhere()))
                .isInstanceOf(CommandFailedException.class)
                .hasMessage("no Kafka broker answers at 127.0.0.1:1: is the system up?");
    }

    private static Context nowhere() {
        return new Context("http://127.0.0.1:1", "127.0.0.1:1", "http://127.0.0.1:1", Path.of(""));
    }

    private static void put(
            Producer<String, JobStatus> producer, String name, String uid, @Nullable Phase phase)
            throws Exception {
        var job = new JobRef("newest", name, uid);
        var status = phase == null ? null : Statuses.status(job, phase);
        var topic = Topics.JOB_STATUS;
        // Partitioned by the name alone, as the coordinator does it.
        var partition = Partitions.ofKey(topic, JobKeys.of(job));
        producer.send(new ProducerRecord<>(topic.name(), partition, JobKeys.of(job), status)).get();
    }

    private static Envelope envelope(String requestId) {
        return Envelope.newBuilder()
                .setId(requestId)
                .setAt(NOON)
                .setActor("test")
                .setRequestId(requestId)
                .build();
    }
}
