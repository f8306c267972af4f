package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Kafka;
import dev.muster.cli.kafka.Requests;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Topics;
import dev.muster.v1.CheckpointStage;
import dev.muster.v1.Envelope;
import dev.muster.v1.JobCheckpoint;
import dev.muster.v1.JobEvent;
import dev.muster.v1.JobEventKind;
import dev.muster.v1.JobSignal;
import dev.muster.v1.JobSignalKind;
import dev.muster.v1.Phase;
import dev.muster.v1.ScaleStage;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/**
 * The elastic example, which is asked to save before a worker leaves: it cannot, says nothing, and
 * has saved; by a file and HTTP, and by events and a topic.
 */
class SaveBeforeScaleIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Pattern MASTER = Pattern.compile("the master is process (\\d+)");
    private static final String LEAVE = "{\"role\": \"worker\", \"names\": [\"worker-1\"]}";

    private final Training training =
            new Training(TheSystem.namespace("saving"), "elastic", "master");

    @Test
    void workerLeavesOnceItsJobHasSavedAndStaysIfItHasNot(@TempDir Path folder) throws Exception {
        var finish = folder.resolve("finish");
        var save = folder.resolve("volume").resolve("save.json");
        try (var requests = Requests.open(TheSystem.context(), "saving test");
                var statuses = JobStatuses.open(TheSystem.context());
                var client = TheSystem.administrator();
                var logs = FollowedLogs.of(client, training.namespace())) {
            var _ = requests.submit(Jobs.read(saving(training.yaml(finish), save)));
            training.awaitStepWith(client, "worker-0 worker-1");
            var pods = pods(client);

            var cannot = training.scale(statuses, LEAVE, ScaleStage.FAILED);
            assertThat(cannot.getReason()).isEqualTo("CheckpointFailed");
            assertThat(cannot.getMessage()).contains("No such file or directory");
            Files.createDirectory(save.getParent());

            var master = MASTER.matcher(training.log(client));
            assertThat(master.find()).isTrue();
            Training.signal(master.group(1), "STOP");
            var silent = training.scale(statuses, LEAVE, ScaleStage.FAILED);
            Training.signal(master.group(1), "CONT");
            assertThat(silent.getReason()).isEqualTo("CheckpointTimedOut");
            training.awaitNextStepWith(client, 2);
            assertThat(pods(client)).as("all stay").isEqualTo(pods);
            await("what nobody waits for any more is saved").until(() -> Files.exists(save));
            int late = saved(save);

            training.scale(statuses, LEAVE, 1);
            training.awaitStepWith(client, "worker-0");
            int before = saved(save);
            assertThat(before).isGreaterThan(late);
            assertThat(StepLogs.results(training.log(client).lines().toList()).get(before - 1))
                    .satisfies(step -> assertThat(step.step()).isEqualTo(before))
                    .satisfies(step -> assertThat(step.with()).contains("worker-1"));

            training.awaitSteps(client, 100);
            Files.createFile(finish);
            var end = Jobs.end(statuses, training.namespace(), "elastic");
            assertThat(end.getPhase()).as(end.getMessage()).isEqualTo(Phase.SUCCEEDED);
            assertThat(end.getAttempt()).isEqualTo(1);
            training.noStepIsLost(client, logs);
        }
        assertThat(stages())
                .containsExactly(
                        "scale WAITING",
                        "checkpoint ASKED",
                        "checkpoint FAILED",
                        "scale FAILED",
                        "scale WAITING",
                        "checkpoint ASKED",
                        "checkpoint TIMED_OUT",
                        "scale FAILED",
                        "scale WAITING",
                        "checkpoint ASKED",
                        "checkpoint SAVED",
                        "scale SCALING",
                        "scale SUCCEEDED");
        var ranks = PodLives.byRank(TheSystem.audit(), training.namespace());
        assertThat(ranks.values()).allSatisfy(lives -> assertThat(lives).hasSize(1));
    }

    @Test
    void jobThatIsAskedByEventAnswersThroughTheTopic(@TempDir Path folder) throws Exception {
        var finish = folder.resolve("finish");
        var yaml =
                Training.with(
                        training.yaml(finish),
                        "\n  framework: ",
                        "\n  checkpoint: {signal: event, timeout: 10m}\n  framework: ");
        try (var requests = Requests.open(TheSystem.context(), "saving test");
                var statuses = JobStatuses.open(TheSystem.context());
                var client = TheSystem.administrator();
                var logs = FollowedLogs.of(client, training.namespace())) {
            var _ = requests.submit(Jobs.read(yaml));
            training.awaitStepWith(client, "worker-0 worker-1");

            var refused = training.command(LEAVE);
            answer(awaitAsk(0), JobSignalKind.CHECKPOINT_FAILED, "the disk is full");
            var failed = training.scaled(statuses, refused, ScaleStage.FAILED);
            assertThat(failed.getReason()).isEqualTo("CheckpointFailed");
            assertThat(failed.getMessage()).contains("the disk is full");

            var leaves = training.command(LEAVE);
            var ask = awaitAsk(1);
            training.awaitNextStepWith(client, 2);
            answer(ask, JobSignalKind.CHECKPOINT_SAVED, "saved");
            assertThat(training.scaled(statuses, leaves, ScaleStage.SUCCEEDED).getTo()).isOne();
            training.awaitStepWith(client, "worker-0");

            training.awaitSteps(client, 100);
            Files.createFile(finish);
            var end = Jobs.end(statuses, training.namespace(), "elastic");
            assertThat(end.getPhase()).as(end.getMessage()).isEqualTo(Phase.SUCCEEDED);
            training.noStepIsLost(client, logs);
        }
        assertThat(stages())
                .containsExactly(
                        "scale WAITING",
                        "checkpoint ASKED",
                        "checkpoint FAILED",
                        "scale FAILED",
                        "scale WAITING",
                        "checkpoint ASKED",
                        "checkpoint SAVED",
                        "scale SCALING",
                        "scale SUCCEEDED");
    }

    /**
     * The id of what the job is asked, as its events tell it.
     *
     * @param before how often it was asked before
     */
    private String awaitAsk(int before) {
        return await("the job is asked")
                .atMost(PATIENCE)
                .until(this::asks, asks -> asks.size() > before)
                .get(before);
    }

    private List<String> asks() {
        return events().filter(event -> event.getKind() == JobEventKind.CHECKPOINT)
                .map(JobEvent::getCheckpoint)
                .filter(checkpoint -> checkpoint.getStage() == CheckpointStage.ASKED)
                .map(JobCheckpoint::getId)
                .toList();
    }

    /** As a program with a client of Kafka does. */
    private void answer(String ask, JobSignalKind kind, String message) throws Exception {
        var id = UUID.randomUUID().toString();
        var envelope =
                Envelope.newBuilder()
                        .setId(id)
                        .setAt(Instant.now())
                        .setActor("saving test")
                        .setAttempt(1)
                        .build();
        var signal =
                JobSignal.newBuilder()
                        .setEnvelope(envelope)
                        .setKind(kind)
                        .setNamespace(training.namespace())
                        .setName(training.job())
                        .setAnswers(ask)
                        .setMessage(message)
                        .build();
        var key = JobKeys.of(training.namespace(), training.job());
        try (var producer = Kafka.<JobSignal>producer(TheSystem.context())) {
            producer.send(new ProducerRecord<>(Topics.JOB_SIGNALS.name(), key, signal)).get();
        }
    }

    private String saving(String yaml, Path save) {
        var asked =
                Training.with(
                        yaml,
                        "\n  framework: ",
                        "\n  checkpoint: {signal: file, timeout: 15s}\n  framework: ");
        var signals =
                "%s/v1/jobs/%s/elastic/signals"
                        .formatted(TheSystem.context().admission(), training.namespace());
        return Training.with(
                asked,
                "env: [",
                "env: [{name: SAVE, value: %s}, {name: SIGNALS, value: %s}, "
                        .formatted(save, signals));
    }

    /** Uids, by name. */
    private Map<String, String> pods(KubernetesClient client) {
        return client.pods().inNamespace(training.namespace()).list().getItems().stream()
                .collect(
                        Collectors.toMap(
                                pod -> pod.getMetadata().getName(),
                                pod -> pod.getMetadata().getUid()));
    }

    private static int saved(Path file) {
        return JsonMapper.shared().readTree(file.toFile()).path("step").asInt();
    }

    /** Of commands and of what the job was asked to save, in the order of their events. */
    private List<String> stages() {
        return events().map(SaveBeforeScaleIT::stage).flatMap(Optional::stream).toList();
    }

    private Stream<JobEvent> events() {
        return Records.of(TheSystem.context(), Topics.JOB_EVENTS).stream()
                .filter(record -> record.key().startsWith(training.namespace() + "/"))
                .map(ConsumerRecord::value);
    }

    private static Optional<String> stage(JobEvent event) {
        return switch (event.getKind()) {
            case SCALED -> Optional.of("scale " + event.getScaling().getStage());
            case CHECKPOINT -> Optional.of("checkpoint " + event.getCheckpoint().getStage());
            default -> Optional.empty();
        };
    }
}
