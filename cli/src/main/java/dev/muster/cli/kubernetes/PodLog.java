package dev.muster.cli.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What one pod prints, line by line as the API server hands it on. */
final class PodLog {
    private static final String MAIN = "main";

    private final KubernetesClient client;
    private final @Nullable Integer tail;
    private final boolean previous;
    private final boolean follow;

    /**
     * @param tail how many last lines; null: all
     * @param previous of the run before the present one
     * @param follow whether it goes on until the pod has ended
     */
    PodLog(KubernetesClient client, @Nullable Integer tail, boolean previous, boolean follow) {
        this.client = client;
        this.tail = tail;
        this.previous = previous;
        this.follow = follow;
    }

    /**
     * Reads to the end, or until no more is wanted.
     *
     * @param lines says whether it wants more
     * @return whether the pod had a log, to its end; else the last line says why not
     * @throws KubernetesClientException when the API server does not answer, or gives no log out
     */
    boolean read(Pod pod, Predicate<String> lines) {
        try (var reader = new BufferedReader(new InputStreamReader(open(pod), UTF_8))) {
            var line = reader.readLine();
            while (line != null && lines.test(line)) {
                line = reader.readLine();
            }
            return true;
        } catch (IOException e) {
            var _ = lines.test("(the log ended: " + e.getMessage() + ")");
            return false;
        } catch (KubernetesClientException e) {
            if (!isOfThePod(e)) {
                throw e;
            }
            var _ = lines.test("(no log: " + e.getStatus().getMessage() + ")");
            return false;
        }
    }

    /** Of a pod that never came to run, that is gone, or whose kubelet does not say. */
    private static boolean isOfThePod(KubernetesClientException e) {
        return switch (e.getCode()) {
            case 400, 404, 500, 504 -> e.getStatus() != null;
            default -> false;
        };
    }

    // The client's own watchLog hands a refusal on as if it were the log.
    private InputStream open(Pod pod) {
        var http = client.getHttpClient();
        var request = http.newHttpRequestBuilder().uri(address(pod));
        if (!follow) {
            // What is followed says nothing, not even this, before the pod does.
            request.timeout(client.getConfiguration().getRequestTimeout(), TimeUnit.MILLISECONDS);
        }
        try {
            return taken(http.sendAsync(request.build(), InputStream.class).join());
        } catch (CompletionException e) {
            throw new KubernetesClientException(String.valueOf(e.getCause()), e);
        } catch (IOException e) {
            throw new KubernetesClientException(String.valueOf(e.getMessage()), e);
        }
    }

    private InputStream taken(HttpResponse<InputStream> response) throws IOException {
        if (response.isSuccessful()) {
            return response.body();
        }
        try (var body = response.body()) {
            var status = status(response.code(), new String(body.readAllBytes(), UTF_8));
            throw new KubernetesClientException(status.getMessage(), response.code(), status);
        }
    }

    /** What comes from a proxy or a kubelet need not be a status. */
    private Status status(int code, String body) {
        try {
            var status = client.getKubernetesSerialization().unmarshal(body, Status.class);
            if (status != null && status.getMessage() != null) {
                return status;
            }
        } catch (RuntimeException _) {
            // Said below.
        }
        var status = new Status();
        status.setCode(code);
        status.setMessage("HTTP status " + code);
        return status;
    }

    /** None of its parts has a sign that an address would not take. */
    private String address(Pod pod) {
        var of = pod.getMetadata();
        return client.getMasterUrl()
                + "api/v1/namespaces/%s/pods/%s/log?container=%s"
                        .formatted(of.getNamespace(), of.getName(), mainContainer(pod))
                + (tail == null ? "" : "&tailLines=" + tail)
                + (previous ? "&previous=true" : "")
                + (follow ? "&follow=true" : "");
    }

    /** Whether its main container was started again in it. */
    static boolean hasPrevious(Pod pod) {
        var main = mainContainer(pod);
        return pod.getStatus().getContainerStatuses().stream()
                .filter(status -> main.equals(status.getName()))
                .anyMatch(
                        status -> status.getRestartCount() != null && status.getRestartCount() > 0);
    }

    private static String mainContainer(Pod pod) {
        var names = pod.getSpec().getContainers().stream().map(Container::getName).toList();
        return names.contains(MAIN) ? MAIN : names.getFirst();
    }
}
