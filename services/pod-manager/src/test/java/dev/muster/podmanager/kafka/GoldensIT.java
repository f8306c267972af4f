package dev.muster.podmanager.kafka;

import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.podmanager.core.ApiAnswer;
import dev.muster.sandbox.TestParts;
import dev.muster.sandbox.kubernetes.Volcano;
import dev.muster.sandbox.process.Progress;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.File;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A real API server takes every golden. */
class GoldensIT {
    private static final KubernetesClient KUBERNETES =
            new KubernetesClientBuilder()
                    .withConfig(Config.fromKubeconfig(new File(TestParts.kubeconfig().toString())))
                    .build();

    @BeforeAll
    static void whatTheJobsName() {
        Volcano.addKinds(KUBERNETES, Progress.silent());
        KUBERNETES
                .resource(
                        new NamespaceBuilder()
                                .withNewMetadata()
                                .withName("ml")
                                .endMetadata()
                                .build())
                .serverSideApply();
        for (var account : new String[] {"default", "trainer"}) {
            KUBERNETES
                    .resource(
                            new ServiceAccountBuilder()
                                    .withNewMetadata()
                                    .withName(account)
                                    .withNamespace("ml")
                                    .endMetadata()
                                    .build())
                    .serverSideApply();
        }
        priorityClass("train-high", "Never");
        priorityClass("of-the-template", "Never");
        priorityClass("preempting", "PreemptLowerPriority");
    }

    private static void priorityClass(String name, String preemptionPolicy) {
        KUBERNETES
                .resource(
                        new PriorityClassBuilder()
                                .withNewMetadata()
                                .withName(name)
                                .endMetadata()
                                .withValue(1000)
                                .withPreemptionPolicy(preemptionPolicy)
                                .build())
                .serverSideApply();
    }

    @AfterAll
    static void close() {
        KUBERNETES.close();
    }

    @ParameterizedTest
    @MethodSource
    void theServerTakesAllOfIt(Goldens golden) {
        var objects = golden.objects();
        assertThat(objects).isNotEmpty();
        for (var object : objects) {
            assertThatCode(() -> KUBERNETES.resource(object).dryRun().create())
                    .as("%s %s", object.getKind(), object.getMetadata().getName())
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void theServerRefusesAPodWhoseClassPreempts() {
        var pod =
                Goldens.all()
                        .flatMap(golden -> golden.objects().stream())
                        .filter(object -> object instanceof Pod)
                        .map(Pod.class::cast)
                        .filter(one -> "train-high".equals(one.getSpec().getPriorityClassName()))
                        .findFirst()
                        .orElseThrow();
        pod.getSpec().setPriorityClassName("preempting");
        assertThatThrownBy(() -> KUBERNETES.resource(pod).dryRun().create())
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        refusal -> {
                            var message = refusal.getStatus().getMessage();
                            var answer = ApiAnswer.of(403, "Forbidden", message, List.of(), ZERO);
                            assertThat(refusal.getCode()).isEqualTo(403);
                            assertThat(message).contains("PreemptionPolicy (Never)");
                            assertThat(answer).isInstanceOf(ApiAnswer.Refused.class);
                        });
    }

    /** A service is pickier about its name than a pod. */
    @Test
    void theServerTakesAServiceWhoseNameBeginsWithADigit() {
        var service =
                new ServiceBuilder()
                        .withNewMetadata()
                        .withName("7b")
                        .withNamespace("ml")
                        .endMetadata()
                        .withNewSpec()
                        .withClusterIP("None")
                        .endSpec()
                        .build();
        assertThatCode(() -> KUBERNETES.resource(service).dryRun().create())
                .doesNotThrowAnyException();
    }

    static Stream<Goldens> theServerTakesAllOfIt() {
        return Goldens.all();
    }
}
