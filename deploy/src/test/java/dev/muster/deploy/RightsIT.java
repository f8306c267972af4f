package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.v1.Phase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The running services have the rights of a deployment: enough of them, and no more. */
class RightsIT {
    private static final String ACCOUNT = "system:serviceaccount:muster-system:";
    private static final int FORBIDDEN = 403;

    private static String namespace = "";
    private static List<JsonNode> audit = List.of();

    @BeforeAll
    static void jobRunsToItsEnd() {
        namespace = TheSystem.namespace("rights");
        var pod = "containers: [{name: main, image: none, command: [echo, hello]}]";
        try (var requests = Requests.open(TheSystem.context(), "rights test");
                var statuses = JobStatuses.open(TheSystem.context())) {
            var _ = requests.submit(Jobs.ofOnePod(namespace, "job", pod));
            assertThat(Jobs.end(statuses, namespace, "job").getPhase()).isEqualTo(Phase.SUCCEEDED);
        }
        audit = Audit.events(TheSystem.audit(), "");
    }

    @Test
    void podsAreMadeByPodManagerAlone() {
        assertThat(audit)
                .filteredOn(event -> event.at("/objectRef/resource").asText().equals("pods"))
                .filteredOn(event -> event.at("/objectRef/subresource").isMissingNode())
                .filteredOn(event -> event.at("/objectRef/namespace").asText().equals(namespace))
                .filteredOn(event -> event.at("/verb").asText().equals("create"))
                .isNotEmpty()
                .extracting(RightsIT::user)
                .containsOnly(ACCOUNT + "pod-manager");
    }

    @Test
    void noServiceIsForbiddenWhatItAsksFor() {
        assertThat(audit)
                .filteredOn(event -> user(event).startsWith(ACCOUNT))
                .isNotEmpty()
                .filteredOn(event -> event.at("/responseStatus/code").asInt() == FORBIDDEN)
                .isEmpty();
    }

    @Test
    void onlyPodManagerAndWatcherAskAnything() {
        assertThat(users()).containsExactlyInAnyOrder(ACCOUNT + "pod-manager", ACCOUNT + "watcher");
    }

    @Test
    void admissionAndCoordinatorAreToldOfNoCluster() throws Exception {
        assertThat(kubeconfigOf("admission")).isEmpty();
        assertThat(kubeconfigOf("coordinator")).isEmpty();
        assertThat(kubeconfigOf("watcher")).endsWith("/watcher/kubeconfig");
    }

    private static String user(JsonNode event) {
        return event.at("/user/username").asText();
    }

    private static Set<String> users() {
        return audit.stream()
                .map(RightsIT::user)
                .filter(user -> user.startsWith(ACCOUNT))
                .collect(Collectors.toSet());
    }

    /** As its process was told, in its environment. */
    private static String kubeconfigOf(String service) throws Exception {
        var process = TheSystem.get().sandbox().place().keeper().running(service).orElseThrow();
        var environment = Files.readString(Path.of("/proc", process.pid() + "", "environ"));
        return Stream.of(environment.split("\0"))
                .filter(variable -> variable.startsWith("KUBECONFIG="))
                .map(variable -> variable.substring("KUBECONFIG=".length()))
                .findFirst()
                .orElse("");
    }
}
