package dev.muster.watcher.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All objects of one kind, listed and watched; at any time that can begin from scratch, and nothing
 * is heard from then on of what came of it before. Of what an object was before a change, or before
 * it was deleted, only the names are heard.
 *
 * <p>For several threads.
 */
final class KindWatch<T extends HasMetadata> {
    private final Supplier<SharedIndexInformer<T>> informers;
    private final Supplier<T> empty;
    private final ResourceEventHandler<T> handler;
    private final Runnable onBegin;

    /** Held while something is passed on: it never waits for anything. */
    private final Object passing = new Object();

    private @Nullable SharedIndexInformer<T> informer;
    private @Nullable Current current;
    private boolean closed;

    /** No try to watch has succeeded since one failed, or since a list was needed again. */
    private volatile boolean refused;

    /**
     * @param informers makes one that was not started yet
     * @param empty makes an object of the kind
     * @param onBegin called before anything is heard of a list from scratch
     */
    KindWatch(
            Supplier<SharedIndexInformer<T>> informers,
            Supplier<T> empty,
            ResourceEventHandler<T> handler,
            Runnable onBegin) {
        this.informers = informers;
        this.empty = empty;
        this.handler = handler;
        this.onBegin = onBegin;
    }

    /** Whether or not the API server answers. */
    synchronized void begin() {
        if (closed) {
            return;
        }
        stop();
        var next = new Current();
        synchronized (passing) {
            current = next;
            onBegin.run();
        }
        informer = informers.get();
        informer.removeNamespaceIndex()
                .itemStore(new NamesOnly<>(empty))
                .addEventHandler(next)
                .exceptionHandler((_, _) -> {
                    pass(next, () -> refused = true);
                    return true;
                })
                .start();
    }

    /**
     * Nothing is heard: the last try to list or to watch failed, or a watch could not go on where
     * it was and its kind is listed again for the next one.
     */
    boolean isRefused() {
        return refused && !isWatching();
    }

    /** Else a try would count that ended late and belonged to a watch that was stopped. */
    private synchronized boolean isWatching() {
        return current != null && informer != null && informer.isWatching();
    }

    /**
     * A try to watch the kind ended. One that fails while all is listed is of a watch before; one
     * that succeeds then begins before the list was passed on.
     */
    void tried(boolean hasSucceeded) {
        synchronized (passing) {
            if (hasSucceeded) {
                refused = false;
            } else if (current != null && current.hasListed) {
                refused = true;
            }
        }
    }

    /**
     * A try to list the kind failed: the client tries again for long before an informer says so.
     */
    void failedToList() {
        refused = true;
    }

    /** The same, where it was begun before. */
    synchronized void beginAnew() {
        if (informer != null) {
            begin();
        }
    }

    synchronized void close() {
        closed = true;
        stop();
    }

    private void stop() {
        synchronized (passing) {
            current = null;
        }
        if (informer != null) {
            informer.stop();
        }
    }

    private void pass(Current from, Runnable news) {
        synchronized (passing) {
            if (current == from) {
                news.run();
            }
        }
    }

    private final class Current implements ResourceEventHandler<T> {
        private boolean hasListed;

        @Override
        public void onBeforeList(String lastVersion) {
            pass(this, () -> refused |= hasListed);
        }

        @Override
        public void onAdd(T object) {
            pass(this, () -> handler.onAdd(object));
        }

        @Override
        public void onUpdate(T before, T object) {
            pass(this, () -> handler.onUpdate(before, object));
        }

        @Override
        public void onDelete(T object, boolean finalStateUnknown) {
            pass(this, () -> handler.onDelete(object, finalStateUnknown));
        }

        @Override
        public void onList(String resourceVersion, boolean remainedEmpty) {
            pass(
                    this,
                    () -> {
                        hasListed = true;
                        handler.onList(resourceVersion, remainedEmpty);
                    });
        }
    }
}
