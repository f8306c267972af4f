package dev.muster.podmanager.core;

import dev.muster.podmanager.core.Action.Apply;
import dev.muster.podmanager.core.Action.Edits;
import dev.muster.schemas.contract.CheckpointId;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a pod was told after it was made, as annotations of it. They are applied together: what is
 * left out of an application is taken away.
 *
 * @param hosts version of the host list; 0: none
 * @param asked what it was asked last; null: nothing
 */
public record PodNotes(long hosts, @Nullable CheckpointId asked) {
    public static final PodNotes NONE = new PodNotes(0, null);

    /** As they were read; what a user wrote there has another form, and counts as none. */
    public static PodNotes read(Map<String, String> annotations) {
        return new PodNotes(
                number(annotations.getOrDefault(HostList.TOLD, "")),
                id(annotations.getOrDefault(CheckpointFile.ASKED, "")));
    }

    private static long number(String value) {
        return value.matches("[0-9]{1,18}") ? Long.parseLong(value) : 0;
    }

    private static @Nullable CheckpointId id(String value) {
        try {
            return CheckpointId.parse(value);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Whether this, or what its submission was asked after it, stands there already. */
    boolean tell(CheckpointId id) {
        return asked != null && asked.uid().equals(id.uid()) && asked.number() >= id.number();
    }

    PodNotes hosts(long version) {
        return new PodNotes(version, asked);
    }

    PodNotes asked(CheckpointId id) {
        return new PodNotes(hosts, id);
    }

    /**
     * Only these of the pod: a kubelet looks at what it shows a pod at once when the pod itself was
     * changed, and else after a minute or more.
     */
    Apply applied(JobName job, Seen pod) {
        var annotations = new TreeMap<String, String>();
        if (hosts > 0) {
            annotations.put(HostList.TOLD, Long.toString(hosts));
        }
        if (asked != null) {
            annotations.put(CheckpointFile.ASKED, asked.toString());
        }
        var told =
                new PodBuilder()
                        .withNewMetadata()
                        .withName(pod.name())
                        .withNamespace(job.namespace())
                        .withAnnotations(annotations)
                        .endMetadata()
                        .build();
        return Apply.over(pod, Kind.POD, told, Edits.UNDONE);
    }
}
