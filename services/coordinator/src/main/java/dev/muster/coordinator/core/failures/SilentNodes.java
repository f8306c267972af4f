package dev.muster.coordinator.core.failures;

import dev.muster.coordinator.core.jobs.LostNodes;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.state.Tables;
import java.time.Duration;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** Nodes of a gang that are not heard of while it is judged why its ranks ended. */
record SilentNodes(Tables tables, LostNodes lost) {
    /** The verdict waits so long when there is one. */
    static final Duration SETTLE = Duration.ofSeconds(60);

    /**
     * The first node that is not heard of, or left, with ranks that were to run there until now;
     * null: all are there.
     */
    @Nullable String of(Job job) {
        return tables.gang(job).members().stream()
                .filter(rank -> rank.state().isUnjudged())
                .filter(lost::isUnheardOf)
                .map(rank -> rank.making().node())
                .min(Comparator.naturalOrder())
                .orElse(null);
    }
}
