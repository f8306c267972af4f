package dev.muster.podmanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.io.ClassPathResource;

class PodManagerConfigTest {
    @Test
    void theDefaultsAreAccepted() throws Exception {
        assertThat(bound(Map.of()).installation()).isEqualTo("muster");
    }

    @Test
    void oneVariableSetsTheInstallationHereAndInTheWatcher() throws Exception {
        assertThat(bound(Map.of("MUSTER_INSTALLATION", "lab")).installation()).isEqualTo("lab");
    }

    @ParameterizedTest
    @CsvSource({
        "installation, Not A Label",
        "api-qps, 0",
        "api-burst, 0",
        "api-requests-at-once, 0",
        "api-timeout, 0s",
        "pods-at-once, 0",
        "workers, 0",
        "backoff-initial, 0s",
        "backoff-max, 0s",
        "backoff-max, 99ms",
        "alive-every, 0s",
        "sweep-every, 0s",
        "sweep-closely-every, 0s",
        "sweep-closely-for, -1s",
        "sweep-at-most, -1",
        "drain-timeout, -1s"
    })
    void whatCannotBeIsRefusedByItsName(String name, String value) {
        assertThatThrownBy(() -> bound(Map.of("pod-manager." + name, value)))
                .rootCause()
                .hasMessageStartingWith("pod-manager." + name + " must");
    }

    private static PodManagerConfig bound(Map<String, Object> overrides) throws Exception {
        var sources = new MutablePropertySources();
        sources.addLast(new MapPropertySource("overrides", overrides));
        new YamlPropertySourceLoader()
                .load("defaults", new ClassPathResource("application.yaml"))
                .forEach(sources::addLast);
        return new Binder(
                        ConfigurationPropertySources.from(sources),
                        new PropertySourcesPlaceholdersResolver(sources))
                .bind("pod-manager", PodManagerConfig.class)
                .get();
    }
}
