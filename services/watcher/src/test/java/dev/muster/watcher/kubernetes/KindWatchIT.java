package dev.muster.watcher.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.sandbox.TestParts;
import dev.muster.watcher.CuttableApiServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.SubjectBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether a watch knows that it does not hear. */
class KindWatchIT {
    private static final String NAMESPACE = "default";
    private static final Duration LONG = Duration.ofMinutes(1);

    private final WatchTries tries = new WatchTries();
    private final Set<String> heard = ConcurrentHashMap.newKeySet();
    private final CountDownLatch listed = new CountDownLatch(1);

    @Test
    void whoseListIsRefusedDoesNotHear() {
        try (var administrator = client(TestParts.kubeconfig(), null);
                var user = client(TestParts.kubeconfig(), "may-watch-later")) {
            var watch = watch(List.of(user).iterator());
            try {
                watch.begin();
                await().until(watch::isRefused);

                allow(administrator, "may-watch-later", "list", "watch");
                await().atMost(LONG).until(() -> !watch.isRefused());
            } finally {
                watch.close();
            }
        }
    }

    /** An informer whose watch broke tries again for ever, and does not say so. */
    @Test
    void whoseWatchBrokeAndMayNotBeginAgainDoesNotHear(@TempDir Path folder) throws Exception {
        var name = "may-watch-at-first";
        try (var api = new CuttableApiServer();
                var administrator = client(TestParts.kubeconfig(), null);
                var user = client(api.kubeconfig(folder.resolve("kubeconfig")), name)) {
            allow(administrator, name, "list", "watch");
            var watch = watch(List.of(user).iterator());
            try {
                watch.begin();
                await().atMost(LONG).until(() -> listed.getCount() == 0);
                var some = make(administrator);
                await().atMost(LONG).until(() -> heard.contains(some));

                allow(administrator, name, "list");
                await().until(() -> !mayWatch(administrator, name));
                assertThat(watch.isRefused()).isFalse();
                api.cut();
                await().atMost(LONG).until(watch::isRefused);

                allow(administrator, name, "list", "watch");
                await().atMost(LONG).until(() -> !watch.isRefused());
                var other = make(administrator);
                await().atMost(LONG).until(() -> heard.contains(other));
            } finally {
                watch.close();
            }
        }
    }

    @Test
    void whoseWatchIsTooFarBehindDoesNotHearUntilAllIsListed() throws IOException {
        try (var api = new ForgetfulApiServer();
                var client = client(api.port())) {
            var watch = watch(List.of(client).iterator());
            try {
                watch.begin();
                await().atMost(LONG).until(() -> listed.getCount() == 0);
                await().atMost(LONG).until(() -> !watch.isRefused());

                api.forgets();
                await().atMost(LONG).until(watch::isRefused);
                api.lists();
                await().atMost(LONG).until(() -> !watch.isRefused());
            } finally {
                watch.close();
            }
        }
    }

    /** Its request may still be under way when it is stopped, and fail much later. */
    @Test
    void whatWasBegunBeforeSaysNothingOfHowThisOneHears() throws IOException {
        try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var askingInVain = client(silent.getLocalPort());
                var administrator = client(TestParts.kubeconfig(), null)) {
            var watch = watch(List.of(askingInVain, administrator).iterator());
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

    private KindWatch<ConfigMap> watch(Iterator<KubernetesClient> clients) {
        var watch =
                new KindWatch<>(
                        () ->
                                clients.next()
                                        .configMaps()
                                        .inNamespace(NAMESPACE)
                                        .runnableInformer(0),
                        ConfigMap::new,
                        new Listener(),
                        () -> {});
        tries.tell("configmaps", watch);
        return watch;
    }

    private KubernetesClient client(int port) {
        var config = Config.empty();
        config.setMasterUrl("http://127.0.0.1:" + port);
        config.setRequestRetryBackoffLimit(0);
        config.setRequestTimeout((int) LONG.multipliedBy(2).toMillis());
        return client(config);
    }

    /**
     * @param user whom it pretends to be; null: it is an administrator
     */
    private KubernetesClient client(Path kubeconfig, @Nullable String user) {
        var config = Config.fromKubeconfig(kubeconfig.toFile());
        config.setImpersonateUsername(user);
        return client(config);
    }

    private KubernetesClient client(Config config) {
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("tries", tries))
                .build();
    }

    /** Makes a config map and says its name. */
    private static String make(KubernetesClient administrator) {
        var map =
                new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withGenerateName("heard-")
                        .endMetadata()
                        .build();
        return administrator.resource(map).create().getMetadata().getName();
    }

    private static boolean mayWatch(KubernetesClient administrator, String user) {
        var asked =
                new SubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withUser(user)
                        .withNewResourceAttributes()
                        .withNamespace(NAMESPACE)
                        .withResource("configmaps")
                        .withVerb("watch")
                        .endResourceAttributes()
                        .endSpec()
                        .build();
        var answer = administrator.authorization().v1().subjectAccessReview().create(asked);
        return answer.getStatus().getAllowed();
    }

    /** From now on a user may do that with config maps, and nothing else. */
    private static void allow(KubernetesClient administrator, String user, String... verbs) {
        var role =
                new RoleBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName(user)
                        .endMetadata()
                        .withRules(
                                new PolicyRuleBuilder()
                                        .withApiGroups("")
                                        .withResources("configmaps")
                                        .withVerbs(verbs)
                                        .build())
                        .build();
        var binding =
                new RoleBindingBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName(user)
                        .endMetadata()
                        .withNewRoleRef()
                        .withApiGroup("rbac.authorization.k8s.io")
                        .withKind("Role")
                        .withName(user)
                        .endRoleRef()
                        .withSubjects(
                                new SubjectBuilder()
                                        .withApiGroup("rbac.authorization.k8s.io")
                                        .withKind("User")
                                        .withName(user)
                                        .build())
                        .build();
        administrator.resource(role).createOr(NonDeletingOperation::update);
        administrator.resource(binding).createOr(NonDeletingOperation::update);
    }

    private final class Listener implements ResourceEventHandler<ConfigMap> {
        @Override
        public void onAdd(ConfigMap object) {
            heard.add(object.getMetadata().getName());
        }

        @Override
        public void onUpdate(ConfigMap before, ConfigMap object) {}

        @Override
        public void onDelete(ConfigMap object, boolean finalStateUnknown) {}

        @Override
        public void onList(String version, boolean remainedEmpty) {
            listed.countDown();
        }
    }
}
