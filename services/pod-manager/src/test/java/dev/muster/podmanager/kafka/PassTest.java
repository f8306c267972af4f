package dev.muster.podmanager.kafka;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.sun.net.httpserver.HttpExchange;
import dev.muster.podmanager.core.Hitch;
import dev.muster.podmanager.core.JobName;
import dev.muster.podmanager.core.Plan;
import dev.muster.podmanager.core.Plan.Backend;
import dev.muster.podmanager.core.Plan.Keep;
import dev.muster.podmanager.core.Reconcile;
import dev.muster.podmanager.kafka.Pass.Outcome.Again;
import dev.muster.podmanager.kafka.Pass.Outcome.Finished;
import dev.muster.podmanager.kafka.Tenure.PartitionLostException;
import dev.muster.podmanager.kubernetes.FakeApiServer;
import dev.muster.schemas.contract.PlanHitch;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How one pass ends, on an API server that answers as it is told. */
class PassTest {
    private static final InstantSource CLOCK = InstantSource.system();
    private static final int PARTITION = 3;

    private final FakeApiServer server = new FakeApiServer();
    private final Tenure tenure = new Tenure(Duration.ofHours(1), CLOCK);
    private final PoolInbox inbox = new PoolInbox();
    private final Pass pass;

    PassTest() throws IOException {
        tenure.open(List.of(PARTITION));
        tenure.prove(CLOCK.instant());
        var cluster = server.cluster(CLOCK);
        pass =
                new Pass(
                        new Reconcile("muster", () -> null, () -> null),
                        cluster,
                        new Writer(cluster, tenure, 1),
                        new Inbox(inbox, PoolInbox.pools(), null, new Instance()),
                        tenure);
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void whoDidSomethingInAClusterThatKeptChangingHasGotOn() throws IOException {
        server.answers(exchange -> {
            boolean isFirst = exchange.getRequestURI().getPath().endsWith("worker-0");
            if (exchange.getRequestMethod().equals("DELETE")) {
                FakeApiServer.answer(exchange, isFirst ? 200 : 409, "{}");
            } else {
                podsAre(exchange);
            }
        });
        assertThat(pass.carryOut(PARTITION, Stopping.PLAN, false, null))
                .isEqualTo(new Again("the cluster kept changing", true, Duration.ZERO, null));
    }

    @Test
    void whoDidNothingInAClusterThatKeptChangingHasNot() throws IOException {
        server.answers(exchange -> {
            if (exchange.getRequestMethod().equals("DELETE")) {
                FakeApiServer.answer(exchange, 409, "{}");
            } else {
                podsAre(exchange);
            }
        });
        assertThat(pass.carryOut(PARTITION, Stopping.PLAN, false, null))
                .isEqualTo(new Again("the cluster kept changing"));
    }

    /** In whatever order they are said: the right is what lasts, and quiet is given who asks. */
    @RepeatedTest(4)
    void missingRightIsToldAndTheTimeThatAnotherWriteAsksForIsGiven() throws IOException {
        var denied =
                """
                {"reason": "Forbidden", "message": "pods \\"resnet-worker-0\\" is forbidden: User\
                 \\"pods\\" cannot delete resource \\"pods\\" in API group \\"\\""}
                """;
        server.answers(exchange -> {
            boolean isFirst = exchange.getRequestURI().getPath().endsWith("worker-0");
            if (!exchange.getRequestMethod().equals("DELETE")) {
                podsAre(exchange);
            } else if (isFirst) {
                FakeApiServer.answer(exchange, 403, denied);
            } else {
                exchange.getResponseHeaders().add("Retry-After", "30");
                var message = "{\"message\": \"webhook \\\"quota\\\" denied the request: busy\"}";
                FakeApiServer.answer(exchange, 500, message);
            }
        });
        assertThat(pass.carryOut(PARTITION, Stopping.PLAN, false, null))
                .isInstanceOfSatisfying(
                        Again.class,
                        again -> {
                            assertThat(again.atLeast()).isEqualTo(Duration.ofSeconds(30));
                            assertThat(again.hitch())
                                    .extracting(Hitch::reason)
                                    .isEqualTo(PlanHitch.RIGHT_MISSING);
                        });
    }

    /** A group without pods would keep its share of the backend's queue. */
    @ParameterizedTest
    @ValueSource(ints = {403, 500})
    void podsThatNobodyLetsGoHoldNoGroupUp(int code) throws IOException {
        var group = "/apis/scheduling.volcano.sh/v1beta1/namespaces/ml/podgroups";
        server.answers(exchange -> {
            var path = exchange.getRequestURI().getPath();
            boolean isDelete = exchange.getRequestMethod().equals("DELETE");
            if (isDelete && path.contains("/pods/")) {
                FakeApiServer.answer(exchange, code, "{\"message\": \"webhook denied: no\"}");
            } else if (!isDelete && path.endsWith(group)) {
                var item = pod(0).replace("resnet-worker-0", "resnet-a1");
                FakeApiServer.answer(exchange, 200, "{\"items\": [%s]}".formatted(item));
            } else if (isDelete) {
                FakeApiServer.answer(exchange, 200, "{}");
            } else {
                podsAre(exchange, 30);
            }
        });
        var plan = Stopping.of(new JobName("ml", "resnet"), Keep.NONE, Backend.VOLCANO);
        int passes = 10; // Each begins elsewhere.
        for (int i = 0; i < passes; i++) {
            assertThat(pass.carryOut(PARTITION, plan, false, null)).isInstanceOf(Again.class);
        }
        assertThat(server.asked())
                .filteredOn(asked -> asked.equals("DELETE " + group + "/resnet-a1"))
                .hasSize(passes);
    }

    /** Whoever has the partition now may carry out a later plan. */
    @ParameterizedTest
    @MethodSource
    void nothingIsToldOfAPartitionThatIsGivenAwayMeanwhile(Plan plan) throws IOException {
        assertThat(pass.carryOut(PARTITION, plan, false, null)).isInstanceOf(Finished.class);
        assertThat(inbox.history()).hasSize(1);
        server.answers(exchange -> {
            giveAway();
            FakeApiServer.answer(exchange, 200, "{}");
        });
        assertThatThrownBy(() -> pass.carryOut(PARTITION, plan, false, null))
                .isInstanceOf(PartitionLostException.class);
        assertThat(inbox.history()).hasSize(1);
    }

    static Stream<Arguments> nothingIsToldOfAPartitionThatIsGivenAwayMeanwhile() {
        var last = Stopping.PLAN;
        var impossible =
                new Plan(
                        last.job(),
                        last.pool(),
                        last.queue(),
                        last.attempt(),
                        last.version(),
                        false,
                        last.cause(),
                        new Plan.Impossible("Unreadable", "no template"));
        return Stream.of(
                argumentSet("reported", Stopping.PLAN), argumentSet("refused", impossible));
    }

    @Test
    void noHitchIsToldOfAPartitionThatIsGivenAway() throws IOException {
        var hitch = new Hitch(PlanHitch.NOT_TAKEN, "busy");
        pass.tell(PARTITION, Stopping.PLAN, hitch);
        giveAway();
        assertThatThrownBy(() -> pass.tell(PARTITION, Stopping.PLAN, hitch))
                .isInstanceOf(PartitionLostException.class);
        assertThat(inbox.history()).hasSize(1);
    }

    private void giveAway() {
        try {
            tenure.close(List.of(PARTITION), Duration.ZERO);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void podsAre(HttpExchange exchange) throws IOException {
        podsAre(exchange, 2);
    }

    private static void podsAre(HttpExchange exchange, int number) throws IOException {
        boolean isPods = exchange.getRequestURI().getPath().endsWith("/pods");
        var pods = IntStream.range(0, number).mapToObj(PassTest::pod).collect(joining(", "));
        FakeApiServer.answer(exchange, 200, isPods ? "{\"items\": [" + pods + "]}" : "{}");
    }

    private static String pod(int index) {
        return """
        {"metadata": {"name": "resnet-worker-%1$d", "uid": "u-%1$d", "labels": {
        "muster.dev/installation": "muster", "muster.dev/job": "resnet",
        "muster.dev/uid": "3-100", "muster.dev/role": "worker",
        "muster.dev/index": "%1$d", "muster.dev/attempt": "1",
        "muster.dev/incarnation": "1", "muster.dev/plan": "1"}}}
        """
                .formatted(index);
    }
}
