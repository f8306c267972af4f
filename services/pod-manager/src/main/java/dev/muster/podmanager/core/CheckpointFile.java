package dev.muster.podmanager.core;

import dev.muster.podmanager.core.Plan.PlannedPod;
import dev.muster.podmanager.core.Plan.Run;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The file by which the processes of a job are asked to save how far they have come: an annotation
 * of their pod, which its kubelet shows them.
 */
public final class CheckpointFile {
    /** On every pod of the job: what it was asked last. */
    public static final String ASKED = "muster.dev/checkpoint";

    static final String VARIABLE = "MUSTER_CHECKPOINT_FILE";

    private static final String VOLUME = "muster-checkpoint";
    private static final String FOLDER = "/etc/muster/checkpoint";
    private static final String FILE = "asked";

    static final String PATH = FOLDER + "/" + FILE;

    private CheckpointFile() {}

    /** Shows the annotation to the main container: as a file, empty while nothing was asked. */
    static void join(PodSpecBuilder spec, int main) {
        spec.addNewVolume()
                .withName(VOLUME)
                .withNewDownwardAPI()
                .addNewItem()
                .withPath(FILE)
                .withNewFieldRef()
                .withFieldPath("metadata.annotations['%s']".formatted(ASKED))
                .endFieldRef()
                .endItem()
                .endDownwardAPI()
                .endVolume();
        // The folder as a whole: a file that is mounted alone never changes.
        spec.editContainer(main)
                .addToVolumeMounts(
                        new VolumeMountBuilder()
                                .withName(VOLUME)
                                .withMountPath(FOLDER)
                                .withReadOnly(true)
                                .build())
                .endContainer();
    }

    /** Those of its pods that were not told yet what the job is asked. */
    static List<Action> tell(Plan plan, Run run, Map<Rank, PlannedPod> wanted, Listing listing) {
        var asked = run.checkpoint().asked();
        if (asked == null) {
            return List.of();
        }
        return listing.ours(Kind.POD).stream()
                .filter(pod -> !pod.deleting() && !pod.notes().tell(asked))
                .filter(pod -> {
                    var making =
                            Objects.requireNonNull(Objects.requireNonNull(pod.mark()).making());
                    var planned = wanted.get(making.rank());
                    return planned != null && planned.incarnation() == making.incarnation();
                })
                .<Action>map(pod -> pod.notes().asked(asked).applied(plan.job().job(), pod))
                .toList();
    }
}
