package dev.muster.cli.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.cli.SettingKind;
import dev.muster.schemas.trainjob.SettingsForm.QueueSetting;
import dev.muster.v1.QueueSpec;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

class AdmissionTest {
    private static final JsonNode NOTHING = JsonNodeFactory.instance.objectNode();

    private final FakeAdmission server = new FakeAdmission();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aJobThatIsTakenHasAUid() {
        server.says(
                201,
                """
                {"outcome":"Accepted","uid":"3-7",
                 "warnings":[{"path":"spec.x","given":"1","message":"is odd"}]}
                """);
        var answer = admission().submit("{}");
        assertThat(answer.uid()).isEqualTo("3-7");
        assertThat(answer.isDuplicate()).isFalse();
        assertThat(answer.warnings()).containsExactly("spec.x is odd (given: 1)");
        assertThat(server.asked()).containsExactly("POST /v1/jobs {}");
    }

    @Test
    void everyProblemOfARefusalIsALine() {
        server.says(
                422,
                """
                {"title":"Refused","detail":"2 things are wrong","problems":[
                  {"path":"spec.queue","given":"7","message":"must be a name"},
                  {"path":"spec.roles","given":"","message":"is required"}]}
                """);
        assertThatThrownBy(() -> admission().submit("a: b"))
                .hasMessage(
                        """
                        refused, 2 things are wrong:
                          spec.queue must be a name (given: 7)
                          spec.roles is required\
                        """);
    }

    @Test
    void oneProblemIsSaidOnce() {
        server.says(
                422,
                """
                {"title":"Refused","detail":"spec.queue must be a queue that exists","problems":[
                  {"path":"spec.queue","given":"nowhere","message":"must be a queue that exists"}]}
                """);
        assertThatThrownBy(() -> admission().submit("a: b"))
                .hasMessage("refused:\n  spec.queue must be a queue that exists (given: nowhere)");
    }

    @Test
    void aLateAnswerIsAskedForAgainByTheSameKey() {
        server.says(202, "{\"outcome\":\"Pending\"}");
        server.says(200, "{\"outcome\":\"Duplicate\",\"uid\":\"0-1\"}");
        assertThat(admission().submit("a: b").isDuplicate()).isTrue();
        assertThat(server.keys()).hasSize(2);
        assertThat(server.keys().getFirst()).isEqualTo(server.keys().getLast());
    }

    @Test
    void whatStaysLateIsSaidToBe() {
        for (var i = 0; i < 3; i++) {
            server.says(202, "{\"outcome\":\"Pending\"}");
        }
        assertThat(admission().change("ml", "a b", "cancel", NOTHING).isLate()).isTrue();
        assertThat(server.asked()).hasSize(3).contains("POST /v1/jobs/ml/a%20b/cancel {}");
    }

    @Test
    void anAnswerThatIsNoJsonIsToldByItsStatus() {
        server.says(502, "<html>");
        assertThatThrownBy(() -> admission("k1").change("ml", "a", "cancel", NOTHING))
                .hasMessage("admission answered 502\n" + unclear("k1"));
    }

    @Test
    void aQueueIsSentAsTheFormThatItWasReadFrom() {
        server.says(200, "{\"outcome\":\"Accepted\"}");
        var queue = QueueSpec.newBuilder().setWeight(3).setLimit(Map.of("cpu", 1500L)).build();
        assertThat(admission().put(new QueueSetting("research", queue), false).isLate()).isFalse();
        assertThat(server.asked())
                .containsExactly(
                        "PUT /v1/queues/research {\"apiVersion\":\"muster.dev/v1\","
                                + "\"kind\":\"Queue\",\"metadata\":{\"name\":\"research\"},"
                                + "\"spec\":{\"pool\":\"default\",\"weight\":3,"
                                + "\"paused\":false,\"backfill\":true,\"maxWaiting\":1000000,"
                                + "\"limit\":{\"cpu\":\"1500m\"},\"borrowing\":true,"
                                + "\"order\":\"Priority\",\"reserveAfter\":\"5m\","
                                + "\"defaultPriority\":0,\"draining\":false}}");
    }

    @Test
    void aQueueThatIsToBeKeptIsSentSo() {
        server.says(200, "{\"outcome\":\"Accepted\"}");
        admission().put(new QueueSetting("research", QueueSpec.newBuilder().build()), true);
        assertThat(server.asked())
                .singleElement()
                .asString()
                .startsWith("PUT /v1/queues/research?keep=true {");
    }

    @Test
    void nobodyThereIsOneLine() {
        server.close();
        assertThatThrownBy(() -> admission().submit("a: b"))
                .hasMessage(
                        "admission does not answer at " + server.root() + ": is the system up?");
    }

    @Test
    void whatCouldNotBeTakenIsSentAgainByTheSameKey() {
        server.says(503, "{\"detail\":\"Kafka does not take the request\"}");
        server.hangsUp();
        server.says(200, "{\"message\":\"worker goes from 3 to 5\"}");
        assertThat(admission().change("ml", "a", "scale", NOTHING).message())
                .isEqualTo("worker goes from 3 to 5");
        assertThat(server.asked()).hasSize(3).containsOnly("POST /v1/jobs/ml/a/scale {}");
        assertThat(server.keys()).hasSize(3);
        assertThat(Set.copyOf(server.keys())).hasSize(1);
    }

    @Test
    void whatAProxyAnswersInItsPlaceIsSentAgainToo() {
        server.says(502, "<html>").says(504, "<html>").says(502, "{}");
        server.says(200, "{\"message\":\"worker goes from 3 to 5\"}");
        assertThat(admission().change("ml", "a", "scale", NOTHING).message())
                .isEqualTo("worker goes from 3 to 5");
        assertThat(Set.copyOf(server.keys())).hasSize(1);
    }

    @Test
    void anOutcomeThatNobodyKnowsIsAnAnswer() {
        server.says(502, "{\"outcome\":\"Unknown\",\"detail\":\"it said nothing\"}");
        assertThatThrownBy(() -> admission().change("ml", "a", "scale", NOTHING))
                .hasMessageStartingWith("it said nothing\n");
        assertThat(server.asked()).hasSize(1);
    }

    @Test
    void whatNobodyAnswersCanBeAskedAgainByItsKey() {
        server.hangsUp();
        assertThatThrownBy(() -> admission(null).change("ml", "a", "scale", NOTHING))
                .hasMessage(
                        "admission does not answer at "
                                + server.root()
                                + ": is the system up?\n"
                                + unclear(server.keys().getFirst()));
        var key = server.keys().getFirst();
        server.says(503, "{\"detail\":\"Kafka does not take the request\"}");
        assertThatThrownBy(() -> admission(key).change("ml", "a", "scale", NOTHING))
                .hasMessage("Kafka does not take the request\n" + unclear(key));
        assertThat(server.keys()).containsExactly(key, key);
    }

    @Test
    void hintSaysWhatElseTheSameCommandNeeds() {
        server.says(500, "{\"detail\":\"broken\"}");
        var admission = new Admission(server.context(), "k1", "without --wait, with");
        assertThatThrownBy(() -> admission.change("ml", "a", "scale", NOTHING))
                .hasMessageContaining("the same command without --wait, with --request-id k1 ");
    }

    @Test
    void settingOfAQueueSaysItsIdWhereNobodyAnswers() {
        server.hangsUp();
        assertThatThrownBy(() -> admission("k1").deleteQueue("a", false))
                .hasMessage(
                        "admission does not answer at "
                                + server.root()
                                + ": is the system up?\n"
                                + unclear("k1"));
        assertThat(server.keys()).containsExactly("k1");
    }

    @Test
    void aQueueThatIsNotThereIsNone() {
        server.says(404, "{}").says(200, "{\"kind\":\"Queue\"}");
        assertThat(admission().find(SettingKind.QUEUE, "a")).isEmpty();
        assertThat(admission().find(SettingKind.QUEUE, "a"))
                .hasValueSatisfying(
                        queue -> assertThat(queue.path("kind").asString()).isEqualTo("Queue"));
        assertThat(server.asked()).containsOnly("GET /v1/queues/a ");
    }

    @Test
    void allPoolsAreAList() {
        server.says(200, "{\"items\":[{\"kind\":\"Pool\"}]}");
        assertThat(admission().all(SettingKind.POOL)).hasSize(1);
        assertThat(server.asked()).containsExactly("GET /v1/pools ");
    }

    @Test
    void aQueueIsDeletedAtOnceOrDrainedBefore() {
        server.says(200, "{}").says(200, "{}");
        admission().deleteQueue("a", false);
        admission().deleteQueue("a", true);
        assertThat(server.asked())
                .containsExactly("DELETE /v1/queues/a ", "DELETE /v1/queues/a?drain=true ");
    }

    private Admission admission() {
        var sender = new Sender(Duration.ofSeconds(20), Duration.ofMillis(1));
        return new Admission(server.context(), null, "with", sender);
    }

    /** One without patience. */
    private Admission admission(@Nullable String requestId) {
        var sender = new Sender(Duration.ZERO, Duration.ZERO);
        return new Admission(server.context(), requestId, "with", sender);
    }

    private static String unclear(String key) {
        return "  whether it was done is not known; the same command with --request-id "
                + key
                + " does it at most once";
    }
}
