package dev.muster.watcher.kubernetes;

import dev.muster.schemas.contract.LabelNames;
import dev.muster.watcher.core.PodReport;
import dev.muster.watcher.core.Pods;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * Lists of pods that nobody has, read as those of an API server are. Whoever takes a shard over
 * lists all pods before it tells anything, and a JVM that has read few reads them ten times slower
 * than one that has read thousands.
 */
public final class RehearsedPods {
    private static final String POD = "/rehearsed-pod.json";

    /** As in one page of an answer, or nearly. */
    private static final int PAGE = 100;

    private final KubernetesSerialization serialization;
    private final Pods reader;
    private final String page;

    RehearsedPods(KubernetesSerialization serialization, Pods reader) {
        this.serialization = serialization;
        this.reader = reader;
        this.page = page(serialization, reader.installation());
    }

    private static String page(KubernetesSerialization serialization, String installation) {
        try (InputStream file = RehearsedPods.class.getResourceAsStream(POD)) {
            var pod = serialization.unmarshal(Objects.requireNonNull(file), Pod.class);
            pod.getMetadata().getLabels().put(LabelNames.INSTALLATION, installation);
            return serialization.asJson(
                    new PodListBuilder().withItems(Collections.nCopies(PAGE, pod)).build());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One page, read anew. */
    public List<PodReport> read() {
        var list = serialization.unmarshal(page, PodList.class);
        return list.getItems().stream()
                .map(reader::read)
                .map(pod -> Objects.requireNonNull(pod.report(), "a rehearsed pod is not ours"))
                .toList();
    }
}
