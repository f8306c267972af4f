package dev.muster.watcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ClassPathResource;

class WatcherConfigTest {
    @Test
    void theDefaultsAreAValidConfiguration() throws Exception {
        assertThat(withDefaultsBut("watcher.shards", "1").installation()).isEqualTo("muster");
    }

    @Test
    void oneVariableSetsTheInstallationHereAndInPodManager() throws Exception {
        assertThat(withDefaultsBut("MUSTER_INSTALLATION", "lab").installation()).isEqualTo("lab");
    }

    @Test
    void webSocketsCanBeDoneWithout() throws Exception {
        assertThat(withDefaultsBut("watcher.shards", "1").webSockets()).isTrue();
        assertThat(withDefaultsBut("watcher.web-sockets", "false").webSockets()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "watcher.shards | 0 | watcher.shards must be from 1 to 64, was 0",
                "watcher.shards | 65 | watcher.shards must be from 1 to 64, was 65",
                "watcher.installation | '' | watcher.installation must not be empty",
                "watcher.lease-duration | 1500ms | watcher.lease-duration must be in whole seconds, was PT1.5S",
                "watcher.lease-renewal | 1500ms | watcher.lease-renewal must be less than half of watcher.lease-duration (PT2S), was PT1.5S",
                "watcher.more-room-every | 0s | watcher.more-room-every must be more than 0, was PT0S",
                "watcher.alive-every | -1s | watcher.alive-every must be more than 0, was PT-1S"
            })
    void whatCannotBeMeantIsRefused(String name, String value, String why) {
        assertThatThrownBy(() -> withDefaultsBut(name, value)).hasRootCauseMessage(why);
    }

    private static WatcherConfig withDefaultsBut(String name, String value) throws Exception {
        var environment = new StandardEnvironment();
        new YamlPropertySourceLoader()
                .load("defaults", new ClassPathResource("application.yaml"))
                .forEach(environment.getPropertySources()::addLast);
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource("set", Map.of(name, value)));
        return Binder.get(environment).bind("watcher", WatcherConfig.class).get();
    }
}
