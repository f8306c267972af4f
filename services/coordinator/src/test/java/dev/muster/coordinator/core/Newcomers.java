package dev.muster.coordinator.core;

import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which ranks were placed since it was asked last. */
final class Newcomers {
    private Map<JobId, List<Rank>> before = new HashMap<>();

    /** A rank, and how it was before; null: it was not. */
    record Came(@Nullable Rank before, Rank now) {
        /** Its room is another one. */
        boolean isElsewhere() {
            return before == null || !before.making().node().equals(now.making().node());
        }

        /** How it was, if it still used room. */
        @Nullable Rank keptRoom() {
            return before == null || before.sight().released() ? null : before;
        }
    }

    List<Came> of(Play play) {
        var came = new ArrayList<Came>();
        var ranks = new HashMap<>(play.ranks());
        ranks.forEach((job, now) -> {
            var was = before.getOrDefault(job, List.of());
            if (was != now) {
                now.stream()
                        .map(rank -> new Came(of(was, rank.id()), rank))
                        .filter(Newcomers::isNew)
                        .forEach(came::add);
            }
        });
        before = ranks;
        return came;
    }

    private static @Nullable Rank of(List<Rank> ranks, RankId id) {
        return ranks.stream().filter(rank -> rank.id().equals(id)).findFirst().orElse(null);
    }

    private static boolean isNew(Came one) {
        var was = one.before() == null ? null : one.before().making();
        var is = one.now().making();
        return was == null
                || was.incarnation() != is.incarnation()
                || was.attempt() != is.attempt();
    }
}
