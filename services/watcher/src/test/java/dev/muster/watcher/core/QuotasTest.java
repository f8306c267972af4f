package dev.muster.watcher.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.watcher.core.Quota.Scope;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class QuotasTest {
    @ParameterizedTest
    @MethodSource
    void aQuotaAllowsWhatADemandNames(String spec, Map<String, Long> hard) {
        var text = "metadata: {namespace: ml, name: q}\nspec: " + spec;
        assertThat(read(text))
                .returns("ml", Quota::namespace)
                .returns("q", Quota::name)
                .returns(new TreeMap<>(hard), Quota::hard);
    }

    static Stream<Arguments> aQuotaAllowsWhatADemandNames() {
        return Stream.of(
                hard("cpu: 2", Map.of("cpu", 2000L)),
                hard("requests.cpu: 1500m", Map.of("cpu", 1500L)),
                hard("limits.cpu: 3", Map.of("limits.cpu", 3000L)),
                hard(
                        "requests.cpu: 2, limits.cpu: 3, cpu: 4",
                        Map.of("cpu", 2000L, "limits.cpu", 3000L)),
                hard("memory: 1Ki", Map.of("memory", 1024L)),
                hard("requests.memory: 1Ki", Map.of("memory", 1024L)),
                hard("limits.memory: 2Ki", Map.of("limits.memory", 2048L)),
                hard("requests.ephemeral-storage: 1k", Map.of("ephemeral-storage", 1000L)),
                hard("hugepages-2Mi: 4Mi", Map.of("hugepages-2Mi", 4L << 20)),
                hard("requests.hugepages-2Mi: 4Mi", Map.of("hugepages-2Mi", 4L << 20)),
                hard("requests.nvidia.com/gpu: 4", Map.of("nvidia.com/gpu", 4L)),
                hard("pods: 7", Map.of("pods", 7L)),
                hard("count/pods: 9", Map.of("count/pods", 9L)),
                hard("pods: 7, count/pods: 9", Map.of("pods", 7L, "count/pods", 9L)),
                hard("pods: 0", Map.of("pods", 0L)),
                hard("services: 1, count/jobs.batch: 2, requests.storage: 1Gi", Map.of()),
                hard("limits.nvidia.com/gpu: 4, persistentvolumeclaims: 1", Map.of()),
                argumentSet("no spec", "{}", Map.of()),
                scoped("scopes: [NotBestEffort]", Map.of("pods", 1L)),
                scoped("scopes: [NotBestEffort, NotTerminating]", Map.of("pods", 1L)),
                scoped("scopes: [BestEffort]", Map.of()),
                scoped("scopes: [NotBestEffort, Terminating]", Map.of()),
                scoped("scopes: [CrossNamespacePodAffinity]", Map.of()),
                scoped("scopes: [PriorityClass]", Map.of()),
                scoped("scopeSelector: {matchExpressions: []}", Map.of("pods", 1L)),
                scoped(
                        "scopeSelector: {matchExpressions: [{scopeName: NotTerminating, operator: Exists}]}",
                        Map.of("pods", 1L)),
                scoped(
                        "scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [high]}]}",
                        Map.of()));
    }

    private static Arguments hard(String hard, Map<String, Long> allowed) {
        return argumentSet(hard, "{hard: {" + hard + "}}", allowed);
    }

    private static Arguments scoped(String scope, Map<String, Long> allowed) {
        return argumentSet(scope, "{hard: {pods: 1}, " + scope + "}", allowed);
    }

    @Test
    void aQuotaWithoutASpecAllowsAndForbidsNothing() {
        var text = "metadata: {namespace: ml, name: q}";
        assertThat(read(text).hard()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'scopes: []', true, true",
        "'scopes: [NotBestEffort]', true, false",
        "'scopes: [NotTerminating]', false, true",
        "'scopes: [NotBestEffort, NotTerminating]', false, false",
        "'scopeSelector: {matchExpressions: [{scopeName: NotTerminating, operator: Exists}]}', false, true",
    })
    void itsScopesSayWhichPodsItCounts(String scopes, boolean timeBound, boolean bestEffort) {
        var text = "metadata: {namespace: ml, name: q}\nspec: {hard: {pods: 1}, " + scopes + "}";
        assertThat(read(text).scope()).isEqualTo(new Scope(timeBound, bestEffort));
    }

    private static Quota read(String text) {
        return Quotas.read(Serialization.unmarshal(text, ResourceQuota.class));
    }
}
