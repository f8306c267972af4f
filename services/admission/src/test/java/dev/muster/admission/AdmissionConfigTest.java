package dev.muster.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.io.ClassPathResource;
import org.springframework.util.unit.DataSize;

class AdmissionConfigTest {
    private static final Set<String> KUBERNETES_OWN =
            Set.of("kube-system", "kube-public", "kube-node-lease");

    @Test
    void defaultsStandInTheFile() throws IOException {
        assertThat(bound(Map.of()))
                .isEqualTo(
                        new AdmissionConfig(
                                Duration.ofSeconds(2),
                                Duration.ofSeconds(5),
                                DataSize.ofMegabytes(4),
                                KUBERNETES_OWN,
                                "X-Muster-Actor",
                                0));
    }

    @Test
    void namespaceOfMusterItselfIsClosedToo() throws IOException {
        assertThat(bound(Map.of("MUSTER_NAMESPACE", "muster-system")).closedNamespaces())
                .containsAll(KUBERNETES_OWN)
                .contains("muster-system")
                .hasSize(4);
    }

    @ParameterizedTest
    @CsvSource({"'', 0", "'muster-system, default', 2"})
    void closedAreThoseThatAreNamedAlone(String names, int count) throws IOException {
        var given =
                bound(
                        Map.of(
                                "MUSTER_NAMESPACE",
                                "muster-system",
                                "admission.closed-namespaces",
                                names));
        assertThat(given.closedNamespaces()).hasSize(count).doesNotContain("kube-system");
    }

    @ParameterizedTest
    @MethodSource
    void valueThatCannotBeIsRefusedInTheUsersWords(String name, String value) {
        assertThatThrownBy(() -> bound(Map.of(name, value)))
                .hasRootCauseInstanceOf(IllegalArgumentException.class)
                .rootCause()
                .hasMessageContaining(name);
    }

    static Stream<Arguments> valueThatCannotBeIsRefusedInTheUsersWords() {
        return Stream.of(
                argumentSet("negative wait", "admission.queue-wait", "-1s"),
                argumentSet("no patience", "admission.answer-timeout", "0s"),
                argumentSet("no body", "admission.max-body", "0B"),
                argumentSet("a body beyond an array", "admission.max-body", "3GB"),
                argumentSet("a port below all", "admission.report-port", "-1"),
                argumentSet("a port above all", "admission.report-port", "65536"),
                argumentSet("no namespace", "admission.closed-namespaces", "kube-*"));
    }

    private static AdmissionConfig bound(Map<String, Object> given) throws IOException {
        var sources = new MutablePropertySources();
        sources.addLast(new MapPropertySource("given", given));
        new YamlPropertySourceLoader()
                .load("defaults", new ClassPathResource("application.yaml"))
                .forEach(sources::addLast);
        var binder =
                new Binder(
                        ConfigurationPropertySources.from(sources),
                        new PropertySourcesPlaceholdersResolver(sources),
                        ApplicationConversionService.getSharedInstance());
        return binder.bind("admission", AdmissionConfig.class).get();
    }
}
