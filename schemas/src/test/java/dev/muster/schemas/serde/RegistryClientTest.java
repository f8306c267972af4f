package dev.muster.schemas.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.v1.CancelSpec;
import dev.muster.v1.Envelope;
import dev.muster.v1.JobRef;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegistryClientTest {
    private static final String SUBJECT = "t-value";
    private static final Map<String, String> AT_ONCE = Map.of(RegistryConfig.WAIT, "0");

    private final FakeRegistry registry = new FakeRegistry();

    @AfterEach
    void close() {
        registry.close();
    }

    @Test
    void nextAddressIsAskedWhenOneIsDown() throws Exception {
        var urls = nobody() + "," + registry.url() + "/," + nobody();
        try (var client = client(Map.of("schema.registry.url", urls), AT_ONCE)) {
            assertThat(client.register(SUBJECT, JobRef.SCHEMA$)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 429, 500, 503})
    void nextAddressIsAskedWhenOneCannotAnswerNow(int status) {
        try (var other = new FakeRegistry();
                var client =
                        client(
                                Map.of("schema.registry.url", registry.url() + "," + other.url()),
                                AT_ONCE)) {
            registry.answerNext(status, "later");

            assertThat(client.register(SUBJECT, JobRef.SCHEMA$)).isEqualTo(1);
            assertThat(client.register(SUBJECT, CancelSpec.SCHEMA$)).isEqualTo(2);

            assertThat(registry.requests()).hasSize(1);
            assertThat(other.requests()).as("the one that answered is asked first").hasSize(2);
        }
    }

    @Test
    void busyRegistryIsAskedAgain() {
        registry.answerNext(503, "");
        registry.answerNext(503, "");
        try (var client = client(Map.of())) {
            assertThat(client.register(SUBJECT, JobRef.SCHEMA$)).isEqualTo(1);
            assertThat(registry.requests()).hasSize(3);
        }
    }

    @Test
    void registryThatComesUpLaterIsWaitedFor() throws Exception {
        var port = registry.port();
        registry.close();
        try (var client = client(Map.of());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var id = threads.submit(() -> client.register(SUBJECT, JobRef.SCHEMA$));
            try (var _ = new FakeRegistry(port, null)) {
                assertThat(id.get()).isEqualTo(1);
            }
        }
    }

    @Test
    void callerIsToldWhoDidNotAnswer() throws Exception {
        var nobody = nobody();
        try (var client = client(Map.of("schema.registry.url", nobody), AT_ONCE)) {
            assertThatExceptionOfType(RegistryUnavailableException.class)
                    .isThrownBy(() -> client.schema(1))
                    .withMessageContaining(nobody);
        }
    }

    @Test
    @Timeout(20)
    void whatCallersInAHurryAskAgainIsAskedOnce() {
        registry.fallSilent();
        try (var client = hurried(registry.url(), Duration.ofMillis(300))) {
            askInVain(client, 9, 9, 9, 8, 7);

            assertThat(registry.requests()).as("no id is asked twice").hasSizeLessThan(4);
        }
    }

    @Test
    @Timeout(20)
    void callersInAHurryAreToldWhereNobodyIs() throws Exception {
        try (var client = hurried(nobody(), Duration.ofMillis(300))) {
            askInVain(client, 9, 9, 8);
        }
    }

    /** Else a registry that takes longer for each, such as one far away, would never be heard. */
    @Test
    @Timeout(20)
    void answerThatComesAfterItsCallerHasLeftIsKeptForTheNext() {
        registry.fallSilent();
        try (var client = hurried(registry.url(), Duration.ofMillis(300))) {
            assertThatExceptionOfType(RegistryUnavailableException.class)
                    .isThrownBy(() -> client.register(SUBJECT, JobRef.SCHEMA$));
            registry.speakAgain();

            assertThat(registeredAtLast(client)).isEqualTo(1);
            assertThat(registry.requests()).hasSize(1);
        }
    }

    @Test
    @Timeout(20)
    void registryThatComesUpLaterIsFoundByCallersInAHurry() {
        var port = registry.port();
        var url = registry.url();
        registry.close();
        try (var client = hurried(url, Duration.ofMillis(300))) {
            assertThatExceptionOfType(RegistryUnavailableException.class)
                    .isThrownBy(() -> client.register(SUBJECT, JobRef.SCHEMA$));
            try (var _ = new FakeRegistry(port, null)) {
                assertThat(registeredAtLast(client)).isEqualTo(1);
            }
        }
    }

    private static void askInVain(RegistryClient client, int... ids) {
        for (int id : ids) {
            assertThatExceptionOfType(RegistryUnavailableException.class)
                    .isThrownBy(() -> client.schema(id));
        }
    }

    private static int registeredAtLast(RegistryClient client) {
        while (true) {
            try {
                return client.register(SUBJECT, JobRef.SCHEMA$);
            } catch (RegistryUnavailableException e) {
                Thread.onSpinWait();
            }
        }
    }

    /** Whoever waits for it anyway goes on asking. */
    @Test
    void patientCallersOfASilentRegistryAreAnsweredOnceItSpeaks() throws Exception {
        registry.fallSilent();
        try (var client = client(Map.of("http.read.timeout.ms", "300"));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var id = threads.submit(() -> client.register(SUBJECT, JobRef.SCHEMA$));
            while (registry.requests().size() < 2) {
                Thread.onSpinWait();
            }
            registry.speakAgain();

            assertThat(id.get()).isEqualTo(1);
        }
    }

    @Test
    void closingEndsTheWait() throws Exception {
        registry.close();
        var client = client(Map.of());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var schema = threads.submit(() -> client.schema(1));
            client.close();

            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(schema::get)
                    .withCauseInstanceOf(RegistryUnavailableException.class);
        }
    }

    @Test
    void whatIsKnownNeedsNoRegistry() {
        try (var client = client(AT_ONCE)) {
            var id = client.register(SUBJECT, JobRef.SCHEMA$);
            registry.close();

            assertThat(client.register(SUBJECT, JobRef.SCHEMA$)).isEqualTo(id);
            assertThat(client.schema(id)).isEqualTo(JobRef.SCHEMA$);
            assertThatExceptionOfType(RegistryUnavailableException.class)
                    .isThrownBy(() -> client.register(SUBJECT, CancelSpec.SCHEMA$));
        }
    }

    @ParameterizedTest
    @CsvSource({"409,40901,incompatible", "422,42201,invalid", "404,40401,lacks"})
    void refusalOfASchemaSaysWhatAndWhere(int status, int code, String why) {
        registry.answerNext(status, "{\"error_code\":" + code + ",\"message\":\"field x\"}");
        try (var client = client(Map.of())) {
            assertThatExceptionOfType(SchemaRefusedException.class)
                    .isThrownBy(() -> client.register(SUBJECT, JobRef.SCHEMA$))
                    .withMessageContainingAll(why, SUBJECT);
        }
    }

    /** A wrong address or password must never make a reader park what is well. */
    @ParameterizedTest
    @CsvSource({
        "401,{},credentials",
        "403,{},credentials",
        "404,<html>,root of a Confluent API",
        "404,'{\"error_code\":404}',root of a Confluent API",
        "302,,302",
        "200,<html>,no JSON"
    })
    void answerThatIsNotAboutTheSchemaParksNothing(int status, String body, String why) {
        registry.answerNext(status, body == null ? "" : body);
        try (var client = client(Map.of())) {
            assertThatExceptionOfType(RegistryUnavailableException.class)
                    .isThrownBy(() -> client.schema(1))
                    .withMessageContaining(why);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'{\"schema\":\"syntax = proto3\",\"schemaType\":\"PROTOBUF\"}',PROTOBUF",
        "'{\"schema\":\"{\\\"type\\\":\\\"no such\\\"}\"}',no valid Avro",
        "'{\"schema\":\"nothing\"}',no valid Avro"
    })
    void idOfWhatIsNoAvroIsUnreadable(String body, String why) {
        registry.answerNext(200, body);
        try (var client = client(Map.of())) {
            assertThatExceptionOfType(UnreadableRecordException.class)
                    .isThrownBy(() -> client.schema(1))
                    .withMessageContaining(why);
        }
    }

    @Test
    void schemaIsPutTogetherFromTheSubjectsThatItRefersTo() {
        registry.answerNext(
                200,
                """
                {"schema": "{\\"type\\":\\"record\\",\\"name\\":\\"a.Outer\\",\\"fields\\":\
                [{\\"name\\":\\"in\\",\\"type\\":\\"a.Inner\\"}]}",
                 "references": [{"name": "a.Inner", "subject": "a.Inner", "version": 3}]}
                """);
        registry.answerNext(
                200,
                """
                {"schema": "{\\"type\\":\\"record\\",\\"name\\":\\"a.Inner\\",\\"fields\\":[]}"}
                """);
        try (var client = client(Map.of())) {
            assertThat(client.schema(1).getField("in").schema().getFullName()).isEqualTo("a.Inner");
            assertThat(registry.requests())
                    .containsExactly("GET /schemas/ids/1", "GET /subjects/a.Inner/versions/3");
        }
    }

    @Test
    void compatibilityIsTheRegistrysWord() {
        registry.answerNext(200, "{\"is_compatible\":false}");
        registry.answerNext(200, "{\"is_compatible\":true}");
        registry.answerNext(404, "{\"error_code\":40401}");
        try (var client = client(Map.of())) {
            assertThat(client.isCompatible(SUBJECT, Envelope.SCHEMA$)).isFalse();
            assertThat(client.isCompatible(SUBJECT, Envelope.SCHEMA$)).isTrue();
            assertThat(client.isCompatible("new", Envelope.SCHEMA$)).isTrue();
        }
    }

    @Test
    void subjectMayHoldAnySign() {
        try (var client = client(Map.of())) {
            client.register("a b/ä?", JobRef.SCHEMA$);

            assertThat(registry.requests())
                    .containsExactly("POST /subjects/a%20b%2F%C3%A4%3F/versions");
        }
    }

    private RegistryClient client(Map<String, String> more) {
        return client(registry.config(), more);
    }

    private static RegistryClient client(Map<String, String> config, Map<String, String> more) {
        var all = new HashMap<>(config);
        all.putAll(more);
        return new RegistryClient(RegistryConfig.from(all));
    }

    private static RegistryClient hurried(String urls, Duration hurry) {
        return new RegistryClient(
                RegistryConfig.from(
                        RegistryConfig.hurried(Map.of("schema.registry.url", urls), hurry)));
    }

    private static String nobody() throws Exception {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "http://localhost:" + socket.getLocalPort();
        }
    }
}
