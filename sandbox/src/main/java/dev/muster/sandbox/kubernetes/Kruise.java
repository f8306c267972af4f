package dev.muster.sandbox.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** The kind by which OpenKruise is asked to start containers again; who answers, is for others. */
public final class Kruise {
    /** Told by all that it is: what was added just now an API server may not tell of itself yet. */
    public static final ResourceDefinitionContext REQUESTS =
            new ResourceDefinitionContext.Builder()
                    .withGroup("apps.kruise.io")
                    .withVersion("v1alpha1")
                    .withKind("ContainerRecreateRequest")
                    .withPlural("containerrecreaterequests")
                    .withNamespaced(true)
                    .build();

    private Kruise() {}

    /** Gives a cluster the kind. */
    public static void addKind(KubernetesClient client) {
        try (var kind = kind()) {
            client.load(kind).serverSideApply();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes it away again, with all that was asked. */
    public static void removeKind(KubernetesClient client) {
        try (var kind = kind()) {
            client.load(kind).delete();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream kind() {
        return Objects.requireNonNull(
                Kruise.class.getResourceAsStream("containerrecreaterequests.yaml"));
    }
}
