package dev.muster.podmanager.core;

import dev.muster.podmanager.core.Action.Apply;
import dev.muster.podmanager.core.Action.Edits;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a pod was told after it was made, as annotations of it. They are applied together: what is
 * left out of an application is taken away.
 *
 * @param hosts version of the host list; 0: none
 * @param asked what it is to save; 0: nothing
 */
public record PodNotes(long hosts, long asked) {
    public static final PodNotes NONE = new PodNotes(0, 0);

    /** As they were read; what a user wrote there is no number, and counts as none. */
    public static PodNotes read(Map<String, String> annotations) {
        return new PodNotes(
                number(annotations, HostList.TOLD), number(annotations, CheckpointFile.ASKED));
    }

    private static long number(Map<String, String> annotations, String key) {
        var value = annotations.getOrDefault(key, "");
        return value.matches("[0-9]{1,18}") ? Long.parseLong(value) : 0;
    }

    PodNotes hosts(long version) {
        return new PodNotes(version, asked);
    }

    PodNotes asked(long id) {
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
        if (asked > 0) {
            annotations.put(CheckpointFile.ASKED, Long.toString(asked));
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
