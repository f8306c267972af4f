package dev.muster.schemas.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.v1.JobRef;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RegistryLoginTest {
    private static final String ANN = "Basic YW5uOnMzY3JldDph"; // ann:s3cret:a

    private final FakeRegistry registry = new FakeRegistry();

    @AfterEach
    void close() {
        registry.close();
    }

    @ParameterizedTest
    @MethodSource
    void headerIsWhatConfluentsKeysSay(String header, Map<String, String> config) {
        registry.ask(header);
        try (var client = client(config)) {
            assertThat(client.register("s", JobRef.SCHEMA$)).isEqualTo(1);
        }
    }

    static Stream<Arguments> headerIsWhatConfluentsKeysSay() {
        return Stream.of(
                argumentSet(
                        "user",
                        ANN,
                        Map.of(
                                "basic.auth.credentials.source", "USER_INFO",
                                "basic.auth.user.info", "ann:s3cret:a")),
                argumentSet(
                        "user with prefix",
                        ANN,
                        Map.of(
                                "schema.registry.basic.auth.credentials.source", "USER_INFO",
                                "schema.registry.basic.auth.user.info", "ann:s3cret:a")),
                argumentSet("user alone", ANN, Map.of("basic.auth.user.info", "ann:s3cret:a")),
                argumentSet(
                        "token",
                        "Bearer abc",
                        Map.of(
                                "bearer.auth.credentials.source", "STATIC_TOKEN",
                                "bearer.auth.token", "abc")),
                argumentSet("token alone", "Bearer abc", Map.of("bearer.auth.token", "abc")));
    }

    @Test
    void addressMayBringTheUser() {
        registry.ask(ANN);
        var url = registry.url().replace("http://", "http://ann:s3cret%3Aa@");
        try (var client = client(Map.of("schema.registry.url", url))) {
            assertThat(client.register("s", JobRef.SCHEMA$)).isEqualTo(1);
        }
    }

    @Test
    void refusedUserIsToldSoAtOnceWithoutTheSecret() {
        registry.ask("Basic other");
        try (var client = client(Map.of("basic.auth.user.info", "ann:s3cret"))) {
            assertThatExceptionOfType(RegistryUnavailableException.class)
                    .isThrownBy(() -> client.register("s", JobRef.SCHEMA$))
                    .withMessageContaining("401")
                    .withMessageNotContaining("s3cret");
        }
    }

    @ParameterizedTest
    @MethodSource
    void configThatCannotBeIsRefusedByItsKey(String key, Map<String, String> config) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> client(config))
                .withMessageContaining(key)
                .withMessageNotContaining("s3cret");
    }

    static Stream<Arguments> configThatCannotBeIsRefusedByItsKey() {
        return Stream.of(
                argumentSet(
                        "no user",
                        "basic.auth.user.info",
                        Map.of("basic.auth.credentials.source", "USER_INFO")),
                argumentSet(
                        "no token",
                        "bearer.auth.token",
                        Map.of("bearer.auth.credentials.source", "STATIC_TOKEN")),
                argumentSet(
                        "foreign source",
                        "bearer.auth.credentials.source",
                        Map.of("bearer.auth.credentials.source", "OAUTHBEARER")),
                argumentSet(
                        "both",
                        "not both",
                        Map.of(
                                "bearer.auth.token", "s3cret",
                                "basic.auth.user.info", "ann:s3cret")),
                argumentSet(
                        "no host", "schema.registry.url", Map.of("schema.registry.url", "http:x")),
                argumentSet(
                        "secret in a bad address",
                        "schema.registry.url",
                        Map.of("schema.registry.url", "http://ann:s3cret@[host")),
                argumentSet(
                        "unchecked name",
                        "schema.registry.ssl.endpoint.identification.algorithm",
                        Map.of("schema.registry.ssl.endpoint.identification.algorithm", "")));
    }

    @Test
    void configIsShownWithoutItsSecrets() {
        var config =
                RegistryConfig.from(
                        Map.of(
                                "schema.registry.url",
                                "http://registry:8081/apis/ccompat/v7/",
                                "basic.auth.user.info",
                                "ann:s3cret:a",
                                "some.other.key",
                                "is left alone"));

        assertThat(config.toString())
                .contains("http://registry:8081/apis/ccompat/v7]")
                .doesNotContain("s3cret", ANN.substring(6));
    }

    private RegistryClient client(Map<String, String> more) {
        var config = new HashMap<>(registry.config());
        config.putAll(more);
        return new RegistryClient(RegistryConfig.from(config));
    }
}
