package dev.muster.coordinator.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.schemas.crash.DeadProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tasks whose former owner died in the middle of a transaction that may last long. */
class LeftTransactionIT {
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final List<String> ONE_WAY = List.of("one");

    private static Admin admin;
    private static KafkaProducer<String, String> users;

    @BeforeAll
    static void open() {
        admin = Admin.create(Outside.KAFKA);
        users = new KafkaProducer<>(Outside.KAFKA, new StringSerializer(), new StringSerializer());
    }

    @AfterAll
    static void close() {
        users.close();
        admin.close();
    }

    @ParameterizedTest
    @MethodSource
    void whoeverTakesOverEndsIt(
            Relay relay, String written, Map<String, ?> settings, @TempDir Path state)
            throws Exception {
        relay.withTopics(admin);
        try (var dead = DeadProcess.leaving(Outside.KAFKA, relay.id(), written);
                var streams = relay.prompt(state, settings);
                var heard = listener(relay.out("one"))) {
            send(relay.in("one"), "worked on");
            streams.start();

            await().atMost(SOON)
                    .untilAsserted(() ->
                            assertThat(heard.poll(Duration.ofMillis(100)))
                                    .extracting(record -> record.value())
                                    .containsExactly("worked on"));
            assertThat(dead.isFenced()).isTrue();
        }
    }

    static Stream<Arguments> whoeverTakesOverEndsIt() {
        var changelog = Relay.named("in-changelog", ONE_WAY, true);
        var output = Relay.named("in-output", ONE_WAY, true);
        var unlogged = Relay.named("without-log", ONE_WAY, false);
        var named = Relay.named("named", ONE_WAY, true);
        return Stream.of(
                argumentSet(
                        "written to a changelog", changelog, changelog.changelog("one"), Map.of()),
                argumentSet("written to an output alone", output, output.out("one"), Map.of()),
                argumentSet("no changelog at all", unlogged, unlogged.out("one"), Map.of()),
                argumentSet(
                        "clients with a name of their own",
                        named,
                        named.changelog("one"),
                        Map.of("client.id", "my own/name")));
    }

    @Test
    void memberOfTheGroupIsLeftAlone(@TempDir Path one, @TempDir Path other) throws Exception {
        var relay = Relay.named("alone", List.of("a", "b"), true).withTopics(admin);
        try (var living = relay.slow(one)) {
            String way;
            try (var first = relay.slow(other)) {
                living.start();
                first.start();
                await().atMost(SOON).until(() -> tasks(living) == 1 && tasks(first) == 1);
                way =
                        relay.ways().stream()
                                .filter(each -> has(living, relay, each))
                                .findAny()
                                .get();
            }
            send(relay.in(way), "not committed yet");
            await().atMost(SOON).until(() -> open(relay).size() == 1);
            var its = open(relay).iterator().next();
            var before = described(its);

            try (var dead = DeadProcess.leaving(Outside.KAFKA, relay.id(), relay.out(way));
                    var again = relay.slow(other)) {
                again.start();
                await().atMost(SOON)
                        .until(() ->
                                open(relay).equals(Set.of(its))
                                        && tasks(living) == 1
                                        && tasks(again) == 1);
                assertThat(described(its)).isEqualTo(before);
                assertThat(dead.isFenced()).isTrue();
            }
        }
    }

    private static TransactionDescription described(String id)
            throws ExecutionException, InterruptedException {
        return admin.describeTransactions(List.of(id)).description(id).get();
    }

    /** The ids of its open transactions. */
    private static Set<String> open(Relay relay) throws ExecutionException, InterruptedException {
        var ongoing = new ListTransactionsOptions().filterStates(Set.of(TransactionState.ONGOING));
        return admin.listTransactions(ongoing).all().get().stream()
                .map(TransactionListing::transactionalId)
                .filter(id -> id.startsWith(relay.id()))
                .collect(Collectors.toSet());
    }

    private static long tasks(KafkaStreams streams) {
        return streams.state() == KafkaStreams.State.RUNNING ? inputs(streams).size() : 0;
    }

    private static boolean has(KafkaStreams streams, Relay relay, String way) {
        return inputs(streams).contains(new TopicPartition(relay.in(way), 0));
    }

    private static List<TopicPartition> inputs(KafkaStreams streams) {
        return streams.metadataForLocalThreads().stream()
                .flatMap(thread -> thread.activeTasks().stream())
                .flatMap(task -> task.topicPartitions().stream())
                .toList();
    }

    private static void send(String topic, String value)
            throws ExecutionException, InterruptedException {
        users.send(new ProducerRecord<>(topic, 0, "key", value)).get();
    }

    private static KafkaConsumer<String, String> listener(String topic) {
        var settings = new Properties();
        settings.putAll(Outside.KAFKA);
        settings.put("isolation.level", "read_committed");
        settings.put("auto.offset.reset", "earliest");
        var consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
        consumer.assign(List.of(new TopicPartition(topic, 0)));
        return consumer;
    }
}
