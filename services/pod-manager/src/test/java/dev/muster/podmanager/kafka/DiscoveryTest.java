package dev.muster.podmanager.kafka;

import static dev.muster.podmanager.core.Plan.Backend.NONE;
import static dev.muster.podmanager.core.Plan.Backend.VOLCANO;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.muster.podmanager.core.Plan.Backend;
import dev.muster.podmanager.core.Restarting;
import dev.muster.podmanager.kafka.Discovery.Found;
import dev.muster.podmanager.kubernetes.FakeApiServer;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DiscoveryTest {
    private static final Restarting BOTH = new Restarting(true, true);
    private static final Set<Backend> ALL = Set.of(VOLCANO);

    private final FakeApiServer server = new FakeApiServer();
    private Set<Backend> chosen = Set.of();
    private final Discovery discovery =
            new Discovery(() -> chosen, server.cluster(InstantSource.system()));

    DiscoveryTest() throws IOException {
        server.answers(DiscoveryTest::all);
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** A cluster that has everything. */
    private static void all(HttpExchange exchange) throws IOException {
        var json =
                switch (exchange.getRequestURI().getPath()) {
                    case "/version" -> "{\"minor\": \"36\"}";
                    case "/apis/apps.kruise.io/v1alpha1" ->
                            "{\"resources\": [{\"name\": \"containerrecreaterequests\"}]}";
                    case "/apis/scheduling.volcano.sh/v1beta1" ->
                            "{\"resources\": [{\"name\": \"podgroups\"}]}";
                    default -> "{}";
                };
        FakeApiServer.answer(exchange, 200, json);
    }

    @Test
    void whatWasFoundLastIsToldWithoutWaitingForTheCluster() throws InterruptedException {
        discovery.look();
        var asked = new CountDownLatch(1);
        var letGo = new CountDownLatch(1);
        server.answers(exchange -> {
            asked.countDown();
            wait(letGo);
            FakeApiServer.answer(exchange, 503, "{}");
        });
        var looking = Thread.ofVirtual().start(discovery::look);
        try {
            asked.await();
            int requests = server.asked().size();

            assertThat(discovery.last(VOLCANO)).contains(new Found(ALL, BOTH));
            assertThat(server.asked()).hasSize(requests);
        } finally {
            letGo.countDown();
            looking.join();
        }
        assertThat(discovery.last(VOLCANO)).contains(new Found(ALL, BOTH));
    }

    @Test
    void whatAPoolChoosesLaterIsKnownWithoutAskingTheCluster() {
        assertThat(discovery.look()).isTrue();
        chosen = Set.of(VOLCANO);
        int requests = server.asked().size();

        assertThat(discovery.last(VOLCANO)).contains(new Found(ALL, BOTH));
        assertThat(server.asked()).hasSize(requests);
    }

    @Test
    void aBackendThatIsNotThereIsFoundWithTheNextLookAlone() {
        server.answers(exchange -> FakeApiServer.answer(exchange, 200, "{}"));
        chosen = ALL;
        discovery.look();
        server.answers(DiscoveryTest::all);

        assertThat(discovery.last(VOLCANO)).map(Found::served).contains(Set.of());
        assertThat(discovery.look()).isTrue();
        assertThat(discovery.last(VOLCANO)).contains(new Found(ALL, BOTH));
        assertThat(discovery.look()).isFalse();
    }

    /** Else jobs would be told that their backend is missing. */
    @Test
    void nothingIsKnownOfABackendAsLongAsTheClusterNeverAnswered() {
        chosen = ALL;
        server.answers(exchange -> FakeApiServer.answer(exchange, 503, "{}"));
        discovery.look();
        int requests = server.asked().size();
        assertThat(discovery.last(VOLCANO)).isEmpty();
        assertThat(server.asked()).hasSize(requests);

        server.answers(DiscoveryTest::all);
        assertThat(discovery.look()).isTrue();
        assertThat(discovery.last(VOLCANO)).contains(new Found(ALL, BOTH));
    }

    /** Else pools would take it for the newest word of a cluster that restarts as ever. */
    @Test
    void noPoolIsToldAnythingAsLongAsTheClusterNeverSaidHowItRestarts() {
        server.answers(exchange -> FakeApiServer.answer(exchange, 503, "{}"));
        assertThat(discovery.look()).isFalse();
        assertThat(discovery.last(NONE)).isEmpty();

        server.answers(DiscoveryTest::all);
        assertThat(discovery.look()).isTrue();
        assertThat(discovery.last(NONE)).contains(new Found(ALL, BOTH));
    }

    /**
     * As where nobody may ask what kinds there are, whatever other pools have chosen. An API server
     * that has just started says so once.
     */
    @Test
    void poolWithoutABackendIsHeldUpByNone() {
        chosen = ALL;
        server.answers(exchange -> FakeApiServer.answer(exchange, 403, FakeApiServer.DENIAL));
        assertThat(discovery.last(NONE)).isEmpty();
        assertThat(discovery.look()).isFalse();
        assertThat(discovery.last(NONE)).isEmpty();
        assertThat(discovery.look()).isTrue();
        assertThat(discovery.last(NONE)).contains(new Found(Set.of(), Restarting.NONE));
        assertThat(discovery.look()).isFalse();
    }

    @Test
    void whatTheClusterSaidLastHoldsWhileItDoesNotAnswer() {
        discovery.look();
        server.answers(exchange -> FakeApiServer.answer(exchange, 503, "{}"));
        assertThat(discovery.look()).isFalse();
        assertThat(discovery.last(VOLCANO)).contains(new Found(ALL, BOTH));
    }

    private static void wait(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
