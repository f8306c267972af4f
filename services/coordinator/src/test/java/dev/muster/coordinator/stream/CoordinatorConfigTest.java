package dev.muster.coordinator.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.io.ClassPathResource;

class CoordinatorConfigTest {
    @Test
    void defaultsAreWhatWasMeasured() throws Exception {
        var properties = properties(bound(Map.of()));

        assertThat(properties)
                .containsEntry(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, "exactly_once_v2")
                .containsEntry(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 300L)
                // A thread's consumer waits for less where something waits for its next round.
                .doesNotContainKey(StreamsConfig.POLL_MS_CONFIG)
                .containsEntry(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, 1)
                .containsEntry(StreamsConfig.GROUP_PROTOCOL_CONFIG, "classic")
                .containsEntry("producer.transaction.timeout.ms", 10_000)
                .containsEntry("consumer.session.timeout.ms", 1500)
                .containsEntry("consumer.heartbeat.interval.ms", 375)
                .containsEntry("main.consumer.max.partition.fetch.bytes", 128 * 1024)
                .doesNotContainKey("consumer.group.instance.id");
    }

    @Test
    void versionOfTheCoreIsTheBuilds() throws Exception {
        var defaults =
                new YamlPropertySourceLoader()
                        .load("defaults", new ClassPathResource("application.yaml"))
                        .getFirst();

        assertThat(defaults.getProperty("spring.application.version"))
                .asString()
                .matches("[0-9]+\\.[0-9]+\\.[0-9]+(-SNAPSHOT)?");
    }

    @Test
    void nameOfTheInstanceIsKeptOverRestarts() throws Exception {
        assertThat(properties(bound(Map.of("coordinator.instance", "a"))))
                .containsEntry("consumer.group.instance.id", "a");
    }

    @Test
    void operatorsKafkaSettingsStandButForWhatExactlyOnceRestsOn() throws Exception {
        var kafka = Map.of("poll.ms", "20", "processing.guarantee", "at_least_once");

        assertThat(ClientProperties.streams(kafka, bound(Map.of())))
                .containsEntry("poll.ms", "20")
                .containsEntry("processing.guarantee", "exactly_once_v2");
    }

    @ParameterizedTest
    @MethodSource
    void whatCannotBeMeantIsRefusedInTheUsersWords(String name, String value, String words) {
        assertThatThrownBy(() -> bound(Map.of("coordinator." + name, value)))
                .rootCause()
                .hasMessageContaining(words);
    }

    static Stream<Arguments> whatCannotBeMeantIsRefusedInTheUsersWords() {
        return Stream.of(
                argumentSet("threads", "threads", "0", "coordinator.threads must be 1 or more"),
                argumentSet(
                        "standbys",
                        "standby-replicas",
                        "-1",
                        "coordinator.standby-replicas must not be negative, was -1"),
                argumentSet(
                        "commit",
                        "commit-interval",
                        "10s",
                        "must be shorter than transaction-timeout"),
                argumentSet(
                        "session",
                        "session-timeout",
                        "0s",
                        "coordinator.session-timeout must be 1 ms or more"),
                argumentSet("id", "application-id", " ", "must not be empty"),
                argumentSet("unknown", "thread", "2", "coordinator.thread"));
    }

    private static Properties properties(CoordinatorConfig config) {
        return ClientProperties.streams(
                Map.of("bootstrap.servers", List.of("localhost:1")), config);
    }

    /** As Spring binds application.yaml with {@code changed} in front of it. */
    private static CoordinatorConfig bound(Map<String, ?> changed) throws Exception {
        var sources = new MutablePropertySources();
        sources.addLast(new MapPropertySource("changed", Map.copyOf(changed)));
        new YamlPropertySourceLoader()
                .load("defaults", new ClassPathResource("application.yaml"))
                .forEach(sources::addLast);
        var binder =
                new Binder(
                        ConfigurationPropertySources.from(sources),
                        null,
                        ApplicationConversionService.getSharedInstance());
        return binder.bind(
                        "coordinator",
                        Bindable.of(CoordinatorConfig.class),
                        new NoUnboundElementsBindHandler(BindHandler.DEFAULT))
                .get();
    }
}
