package dev.muster.podmanager.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.podmanager.core.Action.Delete;
import dev.muster.podmanager.core.ApiAnswer;
import dev.muster.podmanager.core.JobName;
import dev.muster.podmanager.core.Kind;
import dev.muster.podmanager.core.TokenBucket;
import dev.muster.podmanager.kubernetes.Cluster.Written;
import dev.muster.sandbox.TestParts;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the API server's answer to a deletion says of what is left. */
class DeletionsIT {
    private static final JobName JOB = new JobName("deletions", "job");
    private static final KubernetesClient KUBERNETES =
            new KubernetesClientBuilder()
                    .withConfig(Config.fromKubeconfig(new File(TestParts.kubeconfig().toString())))
                    .build();

    private final Cluster cluster =
            new Cluster(
                    new ApiServer(
                            KUBERNETES,
                            new RateLimit(
                                    new TokenBucket(100, 100, Instant.now()),
                                    100,
                                    InstantSource.system()),
                            Duration.ofSeconds(30),
                            Duration.ofSeconds(30)),
                    "deletions-it");

    @BeforeAll
    static void namespace() {
        KUBERNETES
                .resource(
                        new NamespaceBuilder()
                                .withNewMetadata()
                                .withName(JOB.namespace())
                                .endMetadata()
                                .build())
                .serverSideApply();
    }

    @AfterAll
    static void close() {
        KUBERNETES.close();
    }

    @Test
    void aPodThatHasEndedIsGone() throws IOException {
        var pod = pod("ended", List.of());
        ends(pod);
        assertThat(delete(Kind.POD, "ended", pod.getMetadata().getUid()).gone()).isTrue();
        assertThat(left("ended")).isNull();
    }

    @Test
    void aPodOnANodeHasTimeToEnd() throws IOException {
        var pod = pod("bound", List.of());
        assertThat(delete(Kind.POD, "bound", pod.getMetadata().getUid()).gone()).isFalse();
        assertThat(left("bound")).isNotNull();
    }

    @Test
    void aPodThatHasEndedAndHasAFinalizerIsStillThere() throws IOException {
        var pod = pod("kept", List.of("example.com/copies-its-logs"));
        ends(pod);
        assertThat(delete(Kind.POD, "kept", pod.getMetadata().getUid()).gone()).isFalse();
        assertThat(left("kept")).isNotNull();
    }

    @Test
    void whatIsNotThereIsGone() throws IOException {
        var written = delete(Kind.POD, "nobody", "some-uid");
        assertThat(written.answer()).isEqualTo(new ApiAnswer.Done());
        assertThat(written.gone()).isTrue();
    }

    /** It bears the name of the one that was meant: whether that one is gone is to be looked up. */
    @Test
    void anotherOfThatNameIsLeftAlone() throws IOException {
        pod("another", List.of());
        var written = delete(Kind.POD, "another", "some-uid");
        assertThat(written.answer()).isEqualTo(new ApiAnswer.Changed());
        assertThat(written.gone()).isFalse();
    }

    @Test
    void aServiceIsGone() throws IOException {
        var service =
                KUBERNETES
                        .resource(
                                new ServiceBuilder()
                                        .withNewMetadata()
                                        .withName("anchor")
                                        .withNamespace(JOB.namespace())
                                        .endMetadata()
                                        .withNewSpec()
                                        .withClusterIP("None")
                                        .endSpec()
                                        .build())
                        .create();
        var uid = service.getMetadata().getUid();
        assertThat(delete(Kind.SERVICE, "anchor", uid).gone()).isTrue();
    }

    private Written delete(Kind kind, String name, String uid) throws IOException {
        return cluster.write(
                JOB, new Delete(kind, JOB.namespace(), name, uid, null), Guard.Sending::send);
    }

    /** On a node that has no kubelet. */
    private static Pod pod(String name, List<String> finalizers) {
        return KUBERNETES
                .resource(
                        new PodBuilder()
                                .withNewMetadata()
                                .withName(name)
                                .withNamespace(JOB.namespace())
                                .withFinalizers(finalizers)
                                .endMetadata()
                                .withNewSpec()
                                .withNodeName("no-kubelet")
                                .addNewContainer()
                                .withName("main")
                                .withImage("busybox")
                                .endContainer()
                                .endSpec()
                                .build())
                .create();
    }

    private static void ends(Pod pod) {
        KUBERNETES
                .resource(pod)
                .editStatus(p ->
                        new PodBuilder(p)
                                .editOrNewStatus()
                                .withPhase("Succeeded")
                                .endStatus()
                                .build());
    }

    private static Pod left(String name) {
        return KUBERNETES.pods().inNamespace(JOB.namespace()).withName(name).get();
    }
}
