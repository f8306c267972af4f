package dev.muster.watcher.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an informer keeps of each object to know what is gone and what is another: whoever listens
 * keeps the rest, as far as it is needed, in less than a tenth of the room.
 */
final class NamesOnly<T extends HasMetadata> extends BasicItemStore<T> {
    private final Supplier<T> empty;

    /**
     * @param empty makes an object of the kind
     */
    NamesOnly(Supplier<T> empty) {
        super(Cache::metaNamespaceKeyFunc);
        this.empty = empty;
    }

    @Override
    public @Nullable T put(String key, T object) {
        return super.put(key, named(object.getMetadata()));
    }

    private T named(ObjectMeta meta) {
        var kept = new ObjectMeta();
        kept.setNamespace(meta.getNamespace());
        kept.setName(meta.getName());
        kept.setUid(meta.getUid());
        kept.setResourceVersion(meta.getResourceVersion());
        var object = empty.get();
        object.setMetadata(kept);
        return object;
    }

    /** Objects are passed on as they come, also those of the first list. */
    @Override
    public boolean isFullState() {
        return false;
    }
}
