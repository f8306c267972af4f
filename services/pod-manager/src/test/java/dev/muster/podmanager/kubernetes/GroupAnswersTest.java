package dev.muster.podmanager.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.podmanager.core.Action.Apply;
import dev.muster.podmanager.core.Action.Edits;
import dev.muster.podmanager.core.ApiAnswer;
import dev.muster.podmanager.core.ApiAnswer.Later;
import dev.muster.podmanager.core.ApiAnswer.Refused;
import dev.muster.podmanager.core.JobName;
import dev.muster.podmanager.core.Kind;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import java.io.IOException;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What it means that a pod group cannot be written: its kind may come again, its job cannot. */
class GroupAnswersTest {
    private static final String NO_SUCH_KIND =
            """
            {"kind": "Status", "status": "Failure", "reason": "NotFound", "code": 404,
             "message": "the server could not find the requested resource", "details": {}}
            """;
    private static final String NO_SUCH_NAMESPACE =
            """
            {"kind": "Status", "status": "Failure", "reason": "NotFound", "code": 404,
             "message": "namespaces \\"ml\\" not found",
             "details": {"name": "ml", "kind": "namespaces"}}
            """;

    private final FakeApiServer server;
    private final Cluster cluster;

    GroupAnswersTest() throws IOException {
        server = new FakeApiServer();
        cluster = server.cluster(() -> Instant.EPOCH);
    }

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @EnumSource(Edits.class)
    void whileItsKindIsMissingItWaits(Edits edits) throws IOException {
        server.answers(exchange -> FakeApiServer.answer(exchange, 404, NO_SUCH_KIND));
        assertThat(applied(edits))
                .isInstanceOfSatisfying(
                        Later.class,
                        later -> assertThat(later.why()).contains("the cluster has no pod group"));
    }

    /** So says an API server that knows nothing of its whole group. */
    @Test
    void whileItsApiIsMissingItWaits() throws IOException {
        server.answers(exchange -> FakeApiServer.answer(exchange, 404, "404 page not found"));
        assertThat(applied(Edits.UNDONE)).isInstanceOf(Later.class);
    }

    @Test
    void withoutItsNamespaceItIsRefused() throws IOException {
        server.answers(exchange -> FakeApiServer.answer(exchange, 404, NO_SUCH_NAMESPACE));
        assertThat(applied(Edits.UNDONE)).isInstanceOf(Refused.class);
    }

    private ApiAnswer applied(Edits edits) throws IOException {
        var group =
                new GenericKubernetesResourceBuilder()
                        .withApiVersion("scheduling.volcano.sh/v1beta1")
                        .withKind("PodGroup")
                        .withNewMetadata()
                        .withName("resnet-a1")
                        .withNamespace("ml")
                        .endMetadata()
                        .build();
        var write = new Apply(Kind.VOLCANO_GROUP, group, edits);
        return cluster.write(new JobName("ml", "resnet"), write, Guard.Sending::send).answer();
    }
}
