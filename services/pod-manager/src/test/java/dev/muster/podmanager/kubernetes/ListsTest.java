package dev.muster.podmanager.kubernetes;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.muster.podmanager.core.JobName;
import dev.muster.podmanager.core.Kind;
import dev.muster.podmanager.core.Look;
import dev.muster.podmanager.core.Restarting;
import dev.muster.podmanager.core.Seen;
import dev.muster.podmanager.core.Sweep.Found;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How the pods of large gangs are read. */
class ListsTest {
    private static final JobName JOB = new JobName("ml", "resnet");
    private static final Look PODS = new Look(List.of(), List.of(), false, false);
    private static final Look PHASES = new Look(List.of(), List.of(), true, false);
    private static final Look RESTARTS = new Look(List.of(), List.of(), false, true);
    private static final List<Integer> LARGE = IntStream.range(0, 1_200).boxed().toList();

    private final FakeApiServer server = new FakeApiServer();
    private final Cluster cluster = server.cluster(() -> Instant.EPOCH);
    private final List<URI> asked = new CopyOnWriteArrayList<>();
    private final List<String> accepted = new CopyOnWriteArrayList<>();
    private List<Integer> all = LARGE;
    private List<Integer> living = LARGE;

    ListsTest() throws IOException {
        server.answers(this::page);
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void aLargeGangIsReadInPagesOfMetadata() throws IOException {
        assertThat(cluster.list(JOB, PODS).objects()).hasSize(1_200);
        assertThat(asked).hasSize(3);
        assertThat(accepted).containsOnly(ApiServer.METADATA_LIST);
    }

    @Test
    void allOfAnInstallationIsReadInPagesOfMetadata() throws IOException {
        assertThat(cluster.listAll(List.of(Kind.POD), false).found()).hasSize(1_200);
        assertThat(asked).hasSize(3);
        assertThat(accepted).containsOnly(ApiServer.METADATA_LIST);
    }

    @Test
    void whichPodsHaveEndedIsReadInPagesOfMetadataToo() throws IOException {
        living = LARGE.subList(700, 1_200);
        var pods = cluster.list(JOB, PHASES).objects();

        assertThat(pods).hasSize(1_200);
        assertThat(ended(pods)).isEqualTo(names(LARGE.subList(0, 700)));
        assertThat(asked).hasSize(4);
        assertThat(accepted).containsOnly(ApiServer.METADATA_LIST);
    }

    @Test
    void aPodThatIsMadeBetweenTheListsIsAlive() throws IOException {
        all = List.of(0, 1);
        living = List.of(1, 2);
        var pods = cluster.list(JOB, PHASES).objects();

        assertThat(pods).extracting(Seen::name).isEqualTo(names(List.of(0, 1, 2)));
        assertThat(ended(pods)).isEqualTo(names(List.of(0)));
    }

    @Test
    void soIsOneOfAnInstallation() throws IOException {
        all = List.of(0, 1);
        living = List.of(1, 2);
        var found = cluster.listAll(List.of(Kind.POD), true).found();
        var pods = found.stream().map(Found::object).toList();

        assertThat(found).extracting(Found::job).containsOnly(JOB);
        assertThat(pods).extracting(Seen::name).isEqualTo(names(List.of(0, 1, 2)));
        assertThat(ended(pods)).isEqualTo(names(List.of(0)));
    }

    @Test
    void onlyPodsAreAskedForTheirEnds() throws IOException {
        cluster.listAll(List.of(Kind.SERVICE), true);
        assertThat(asked).hasSize(3);
    }

    @Test
    void howContainersStartAgainIsAskedForBeforeTheFirstPodThatItMattersTo() throws IOException {
        server.answers(ListsTest::anything);
        assertThat(cluster.list(JOB, PODS).restarting()).isEqualTo(Restarting.NONE);
        assertThat(server.asked()).hasSize(1);

        assertThat(cluster.list(JOB, RESTARTS).restarting()).isEqualTo(new Restarting(false, true));
        assertThat(cluster.list(JOB, RESTARTS).restarting().rules()).isTrue();
        assertThat(server.asked()).filteredOn("GET /version"::equals).hasSize(1);
    }

    @Test
    void whereThatMayNotBeReadForLongPodsAreMadeAsAnywhere() throws IOException {
        server.answers(exchange -> {
            if (exchange.getRequestURI().getPath().endsWith("/pods")) {
                anything(exchange);
            } else {
                var denial =
                        "forbidden: User \\\"pods\\\" cannot get path \\\"%s\\\""
                                .formatted(exchange.getRequestURI().getPath());
                FakeApiServer.answer(exchange, 403, "{\"message\": \"%s\"}".formatted(denial));
            }
        });
        assertThatThrownBy(cluster::restarting).hasMessageContaining("cannot get path");
        assertThatThrownBy(() -> cluster.list(JOB, RESTARTS)).hasMessageContaining("cannot get");
        assertThat(cluster.restarting()).isEqualTo(Restarting.NONE);
        assertThat(cluster.list(JOB, RESTARTS).restarting()).isEqualTo(Restarting.NONE);
    }

    /** A server of a version whose kubelets honour rules, without OpenKruise. */
    private static void anything(HttpExchange exchange) throws IOException {
        switch (exchange.getRequestURI().getPath()) {
            case "/version" -> FakeApiServer.answer(exchange, 200, "{\"minor\": \"36+\"}");
            case "/api/v1/namespaces/ml/pods" ->
                    FakeApiServer.answer(exchange, 200, "{\"metadata\": {}, \"items\": []}");
            default -> FakeApiServer.answer(exchange, 404, "{}");
        }
    }

    /** As the API server lists, which has all that there is unless it is asked for the living. */
    private void page(HttpExchange exchange) throws IOException {
        asked.add(exchange.getRequestURI());
        accepted.add(exchange.getRequestHeaders().getFirst("Accept"));
        var query = exchange.getRequestURI().getQuery();
        var listed =
                query.contains("fieldSelector=status.phase!=Succeeded,status.phase!=Failed")
                        ? living
                        : all;
        int from = number(query);
        int to = query.contains("limit=500") ? Math.min(from + 500, listed.size()) : listed.size();
        var items = listed.subList(from, to).stream().map(ListsTest::pod).collect(joining(","));
        FakeApiServer.answer(
                exchange,
                200,
                "{\"metadata\": {\"continue\": \"%s\"}, \"items\": [%s]}"
                        .formatted(to < listed.size() ? to : "", items));
    }

    private static int number(String query) {
        var at = query.indexOf("continue=");
        return at < 0 ? 0 : Integer.parseInt(query.substring(at + 9).replaceAll("&.*", ""));
    }

    private static String pod(int index) {
        return """
        {"metadata": {"name": "resnet-worker-%1$d", "namespace": "ml", "uid": "u-%1$d",
        "labels": {"muster.dev/installation": "muster", "muster.dev/job": "resnet"}}}
        """
                .formatted(index);
    }

    private static List<String> names(List<Integer> indices) {
        return indices.stream().map("resnet-worker-%d"::formatted).toList();
    }

    private static List<String> ended(List<Seen> pods) {
        return pods.stream().filter(Seen::ended).map(Seen::name).toList();
    }
}
