package dev.muster.watcher.kubernetes;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.WebSocketUpgradeResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lets watches know how each try of a client to watch their kind ended, and which to list it
 * failed. An informer tries again for ever once its watch broke, and does not say that it does so
 * in vain; that a list or a first watch fails it says after twenty seconds. The client tells of
 * connections that fail only where it would try again.
 */
final class WatchTries implements Interceptor {
    private static final int SWITCHING_PROTOCOLS = 101;

    private final Map<String, KindWatch<?>> watches = new ConcurrentHashMap<>();

    /**
     * @param plural the kind, as paths have it
     * @param watch the only one of it that the client has
     */
    void tell(String plural, KindWatch<?> watch) {
        watches.put(plural, watch);
    }

    @Override
    public void after(
            HttpRequest request,
            HttpResponse<?> response,
            AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        // Whoever answers a web socket's handshake with 200 knows no web sockets.
        tried(
                request,
                response instanceof WebSocketUpgradeResponse
                        ? response.code() == SWITCHING_PROTOCOLS
                        : response.isSuccessful());
    }

    @Override
    public void afterConnectionFailure(HttpRequest request, Throwable failure) {
        tried(request, false);
    }

    private void tried(HttpRequest request, boolean hasSucceeded) {
        var uri = request.uri();
        var path = uri.getPath();
        var watch = watches.get(path.substring(path.lastIndexOf('/') + 1));
        if (watch == null) {
            return;
        }
        if (Objects.requireNonNullElse(uri.getQuery(), "").contains("watch=true")) {
            watch.tried(hasSucceeded);
        } else if (!hasSucceeded) {
            watch.failedToList();
        }
    }
}
