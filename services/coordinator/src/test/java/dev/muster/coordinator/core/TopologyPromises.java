package dev.muster.coordinator.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Topology.Policy;
import java.util.Objects;
import java.util.TreeMap;

/** Some jobs of a simulation have to lie together, and do, whenever their pods came. */
final class TopologyPromises {
    private static final Topology TOGETHER = new Topology(Policy.REQUIRE, "kubernetes.io/hostname");

    private TopologyPromises() {}

    /** In every tenth simulation each third job. */
    static JobSpec spec(long seed, int name, JobSpec spec) {
        return seed % 10 == 5 && name % 3 == 1 ? Fixtures.lying(TOGETHER, spec) : spec;
    }

    static void areKept(Play play) {
        var nodes = play.rows.get(Row.Table.NODE);
        for (var row : play.rows.getOrDefault(Row.Table.JOB, new TreeMap<>()).values()) {
            var job = (Job) row;
            var topology = job.spec().gang().topology();
            if (topology.policy() == Policy.REQUIRE) {
                var domains =
                        Promises.ranks(play, job).stream()
                                .filter(rank -> !rank.sight().over())
                                .map(rank -> (Node) nodes.get(rank.making().node()))
                                .filter(Objects::nonNull)
                                .map(topology::domainOf)
                                .distinct();
                assertThat(domains).as(job.id().toString()).hasSizeLessThan(2);
            }
        }
    }
}
