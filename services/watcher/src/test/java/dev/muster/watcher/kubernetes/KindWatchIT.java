package dev.muster.watcher.kubernetes;

import static org.awaitility.Awaitility.await;

import dev.muster.sandbox.TestParts;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.SubjectBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Whether a watch knows that it does not hear. */
class KindWatchIT {
    private static final String NAMESPACE = "default";
    private static final String NAME = "may-watch-later";

    @Test
    void whoseListIsRefusedDoesNotHear() {
        try (var administrator = client((String) null);
                var user = client(NAME)) {
            var watch =
                    new KindWatch<>(
                            () -> user.configMaps().inNamespace(NAMESPACE).runnableInformer(0),
                            ConfigMap::new,
                            new Deaf(),
                            () -> {});
            try {
                watch.begin();
                await().until(watch::isRefused);

                allow(administrator);
                await().atMost(Duration.ofMinutes(1)).until(() -> !watch.isRefused());
            } finally {
                watch.close();
            }
        }
    }

    /** Its request may still be under way when it is stopped, and fail much later. */
    @Test
    void whatWasBegunBeforeSaysNothingOfHowThisOneHears() throws IOException {
        var listed = new CountDownLatch(1);
        try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var askingInVain = client(silent);
                var administrator = client((String) null)) {
            var clients = List.of(askingInVain, administrator).iterator();
            var watch =
                    new KindWatch<>(
                            () ->
                                    clients.next()
                                            .configMaps()
                                            .inNamespace(NAMESPACE)
                                            .runnableInformer(0),
                            ConfigMap::new,
                            new Deaf() {
                                @Override
                                public void onList(String version, boolean remainedEmpty) {
                                    listed.countDown();
                                }
                            },
                            () -> {});
            try {
                watch.begin();
                var asked = silent.accept();
                watch.begin();
                await().until(() -> listed.getCount() == 0);
                silent.close();
                asked.close();
                await().during(Duration.ofSeconds(2)).until(() -> !watch.isRefused());
            } finally {
                watch.close();
            }
        }
    }

    private static KubernetesClient client(ServerSocket server) {
        var config = Config.empty();
        config.setMasterUrl("http://127.0.0.1:" + server.getLocalPort());
        config.setRequestRetryBackoffLimit(0);
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** A client, as an administrator or as whom it pretends to be. */
    private static KubernetesClient client(String user) {
        var config = Config.fromKubeconfig(TestParts.kubeconfig().toFile());
        config.setImpersonateUsername(user);
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private static void allow(KubernetesClient administrator) {
        var role =
                new RoleBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName(NAME)
                        .endMetadata()
                        .withRules(
                                new PolicyRuleBuilder()
                                        .withApiGroups("")
                                        .withResources("configmaps")
                                        .withVerbs("list", "watch")
                                        .build())
                        .build();
        var binding =
                new RoleBindingBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName(NAME)
                        .endMetadata()
                        .withNewRoleRef()
                        .withApiGroup("rbac.authorization.k8s.io")
                        .withKind("Role")
                        .withName(NAME)
                        .endRoleRef()
                        .withSubjects(
                                new SubjectBuilder()
                                        .withApiGroup("rbac.authorization.k8s.io")
                                        .withKind("User")
                                        .withName(NAME)
                                        .build())
                        .build();
        for (HasMetadata each : new HasMetadata[] {role, binding}) {
            administrator.resource(each).create();
        }
    }

    /** Nobody minds what is heard. */
    private static class Deaf implements ResourceEventHandler<ConfigMap> {
        @Override
        public void onAdd(ConfigMap object) {}

        @Override
        public void onUpdate(ConfigMap before, ConfigMap object) {}

        @Override
        public void onDelete(ConfigMap object, boolean finalStateUnknown) {}
    }
}
