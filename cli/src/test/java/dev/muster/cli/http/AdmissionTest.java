package dev.muster.cli.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.muster.cli.Context;
import dev.muster.schemas.trainjob.SettingsForm.QueueSetting;
import dev.muster.v1.QueueSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdmissionTest {
    private final Deque<Reply> replies = new ArrayDeque<>();
    private final List<String> asked = new ArrayList<>();
    private final List<String> keys = new ArrayList<>();
    private HttpServer server = serve();

    /** What the server says next. */
    private record Reply(int status, String body) {}

    @BeforeEach
    void start() {
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void aJobThatIsTakenHasAUid() {
        replies.add(
                new Reply(
                        201,
                        """
                        {"outcome":"Accepted","uid":"3-7",
                         "warnings":[{"path":"spec.x","given":"1","message":"is odd"}]}
                        """));
        var answer = admission().submit("{}");
        assertThat(answer.uid()).isEqualTo("3-7");
        assertThat(answer.isDuplicate()).isFalse();
        assertThat(answer.warnings()).containsExactly("spec.x is odd (given: 1)");
        assertThat(asked).containsExactly("POST /v1/jobs {}");
    }

    @Test
    void everyProblemOfARefusalIsALine() {
        replies.add(
                new Reply(
                        422,
                        """
                        {"title":"Refused","detail":"2 things are wrong","problems":[
                          {"path":"spec.queue","given":"7","message":"must be a name"},
                          {"path":"spec.roles","given":"","message":"is required"}]}
                        """));
        assertThatThrownBy(() -> admission().submit("a: b"))
                .hasMessage(
                        """
                        refused, 2 things are wrong:
                          spec.queue must be a name (given: 7)
                          spec.roles is required\
                        """);
    }

    @Test
    void aLateAnswerIsAskedForAgainByTheSameKey() {
        replies.add(new Reply(202, "{\"outcome\":\"Pending\"}"));
        replies.add(new Reply(200, "{\"outcome\":\"Duplicate\",\"uid\":\"0-1\"}"));
        assertThat(admission().submit("a: b").isDuplicate()).isTrue();
        assertThat(keys).hasSize(2);
        assertThat(keys.getFirst()).isEqualTo(keys.getLast());
    }

    @Test
    void whatStaysLateIsSaidToBe() {
        for (var i = 0; i < 3; i++) {
            replies.add(new Reply(202, "{\"outcome\":\"Pending\"}"));
        }
        assertThat(admission().cancel("ml", "a b").isLate()).isTrue();
        assertThat(asked).hasSize(3).contains("DELETE /v1/jobs/ml/a%20b ");
    }

    @Test
    void anAnswerThatIsNoJsonIsToldByItsStatus() {
        replies.add(new Reply(502, "<html>"));
        assertThatThrownBy(() -> admission().cancel("ml", "a"))
                .hasMessage("admission answered 502");
    }

    @Test
    void aQueueIsSentAsTheFormThatItWasReadFrom() {
        replies.add(new Reply(200, "{\"outcome\":\"Accepted\"}"));
        var queue = QueueSpec.newBuilder().setWeight(3).build();
        assertThat(admission().put(new QueueSetting("research", queue)).isLate()).isFalse();
        assertThat(asked)
                .containsExactly(
                        "PUT /v1/queues/research {\"apiVersion\":\"muster.dev/v1\",\"metadata\":"
                                + "{\"name\":\"research\"},\"spec\":{\"pool\":\"default\",\"weight\":3,"
                                + "\"paused\":false,\"backfill\":true,\"maxWaiting\":1000000},"
                                + "\"kind\":\"Queue\"}");
    }

    @Test
    void nobodyThereIsOneLine() {
        server.stop(0);
        assertThatThrownBy(() -> admission().submit("a: b"))
                .hasMessage("admission does not answer at " + root() + ": is the system up?");
    }

    private Admission admission() {
        return new Admission(new Context(root(), "", "", Path.of("")));
    }

    private String root() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body);
        keys.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
        var reply = replies.remove();
        var bytes = reply.body().getBytes(UTF_8);
        exchange.sendResponseHeaders(reply.status(), bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static HttpServer serve() {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
