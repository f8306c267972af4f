package dev.muster.podmanager.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.muster.sandbox.TestParts;
import dev.muster.sandbox.kubernetes.Volcano;
import dev.muster.sandbox.process.Progress;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.File;
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
        for (var name : new String[] {"train-high", "of-the-template"}) {
            KUBERNETES
                    .resource(
                            new PriorityClassBuilder()
                                    .withNewMetadata()
                                    .withName(name)
                                    .endMetadata()
                                    .withValue(1000)
                                    .withPreemptionPolicy("Never")
                                    .build())
                    .serverSideApply();
        }
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
