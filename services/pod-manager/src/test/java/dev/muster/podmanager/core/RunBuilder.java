package dev.muster.podmanager.core;

import dev.muster.podmanager.core.Plan.Checkpoint;
import dev.muster.podmanager.core.Plan.Framework;
import dev.muster.podmanager.core.Plan.Hook;
import dev.muster.podmanager.core.Plan.PlannedPod;
import dev.muster.podmanager.core.Plan.Range;
import dev.muster.podmanager.core.Plan.Role;
import dev.muster.podmanager.core.Plan.Run;
import dev.muster.podmanager.core.Plan.Spot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The running job of a plan, of which tests say only what they are about. */
final class RunBuilder {
    private final Framework framework;
    private List<Role> roles;
    private final List<PlannedPod> pods;
    private String nprocPerNode = "1";
    private Map<String, String> labels = Map.of();
    private Map<String, String> annotations = Map.of();
    private @Nullable String priorityClass;
    private @Nullable Range elastic;
    private Spot spot = Spot.NONE;
    private @Nullable Integer leastAvailable;
    private Grouping grouping = Grouping.NONE;
    private @Nullable Hosts hosts;
    private Checkpoint checkpoint = Checkpoint.NONE;
    private @Nullable Hook hook;
    private Forced forced = new Forced(Map.of());
    private @Nullable Duration grace;
    private boolean repeats;

    private RunBuilder(Framework framework, List<Role> roles, List<PlannedPod> pods) {
        this.framework = framework;
        this.roles = roles;
        this.pods = pods;
    }

    static RunBuilder of(Framework framework, List<Role> roles, PlannedPod... pods) {
        return new RunBuilder(framework, roles, List.of(pods));
    }

    /** As another, until it is changed. */
    static RunBuilder like(Run run) {
        var like = new RunBuilder(run.framework(), run.roles(), run.pods());
        like.nprocPerNode = run.nprocPerNode();
        like.labels = run.labels();
        like.annotations = run.annotations();
        like.priorityClass = run.priorityClass();
        like.elastic = run.elastic();
        like.spot = run.spot();
        like.leastAvailable = run.leastAvailable();
        like.grouping = run.grouping();
        like.hosts = run.hosts();
        like.checkpoint = run.checkpoint();
        like.hook = run.hook();
        like.forced = run.forced();
        like.grace = run.grace();
        like.repeats = run.repeats();
        return like;
    }

    RunBuilder roles(List<Role> roles) {
        this.roles = roles;
        return this;
    }

    RunBuilder nprocPerNode(String nprocPerNode) {
        this.nprocPerNode = nprocPerNode;
        return this;
    }

    RunBuilder labels(Map<String, String> labels) {
        this.labels = labels;
        return this;
    }

    RunBuilder annotations(Map<String, String> annotations) {
        this.annotations = annotations;
        return this;
    }

    RunBuilder elastic(@Nullable Range elastic) {
        this.elastic = elastic;
        return this;
    }

    RunBuilder leastAvailable(int leastAvailable) {
        this.leastAvailable = leastAvailable;
        return this;
    }

    RunBuilder grouping(Grouping grouping) {
        this.grouping = grouping;
        return this;
    }

    RunBuilder hosts(Hosts hosts) {
        this.hosts = hosts;
        return this;
    }

    RunBuilder checkpoint(Checkpoint checkpoint) {
        this.checkpoint = checkpoint;
        return this;
    }

    RunBuilder spot(Spot spot) {
        this.spot = spot;
        return this;
    }

    RunBuilder hook(@Nullable Hook hook) {
        this.hook = hook;
        return this;
    }

    RunBuilder forced(Rank... forced) {
        return forced(Plans.all(forced));
    }

    RunBuilder forced(Forced forced) {
        this.forced = forced;
        return this;
    }

    RunBuilder grace(Duration grace) {
        this.grace = grace;
        return this;
    }

    RunBuilder repeats() {
        this.repeats = true;
        return this;
    }

    Run build() {
        return new Run(
                framework,
                nprocPerNode,
                23456,
                labels,
                annotations,
                priorityClass,
                elastic,
                roles,
                pods,
                spot,
                leastAvailable,
                grouping,
                hosts,
                checkpoint,
                hook,
                forced,
                grace,
                repeats);
    }
}
