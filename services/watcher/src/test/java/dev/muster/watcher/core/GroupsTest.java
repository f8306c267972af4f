package dev.muster.watcher.core;

import static dev.muster.watcher.core.ShardAtNoon.DEFAULT;
import static dev.muster.watcher.core.ShardAtNoon.ONE;
import static dev.muster.watcher.core.ShardAtNoon.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.contract.LabelNames;
import dev.muster.watcher.core.Report.GroupSeen;
import dev.muster.watcher.core.Report.SnapshotBegin;
import dev.muster.watcher.core.Report.SnapshotEnd;
import dev.muster.watcher.core.ShardEvent.GroupChanged;
import dev.muster.watcher.core.ShardEvent.GroupDeleted;
import dev.muster.watcher.core.ShardEvent.Kind;
import dev.muster.watcher.core.ShardEvent.Listed;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class GroupsTest {
    private static final String REFUSED =
            """
            - {type: Unschedulable, status: "True", lastTransitionTime: "2026-01-01T12:00:05Z",
               reason: NotEnoughResources, message: "2/2 tasks in gang unschedulable"}
            """;
    private static final String SCHEDULED =
            """
            - {type: Scheduled, status: "True", lastTransitionTime: "2026-01-01T12:00:%sZ",
               reason: tasks in gang are ready to be scheduled}
            """;

    private final Groups groups = new Groups("muster");
    private final ShardAtNoon noon = new ShardAtNoon(0);

    @Test
    void aGroupThatWasRefusedSaysWhy() {
        assertThat(groups.read(group("muster", "Pending", REFUSED)))
                .contains(report("Pending", true, "2/2 tasks in gang unschedulable"));
    }

    @Test
    void aGroupThatHasNoPodsYetIsNotRefused() {
        var empty = REFUSED.replace("2/2 tasks in gang", "3/0 tasks in gang");
        assertThat(groups.read(group("muster", "Pending", empty)))
                .contains(report("Pending", false, ""));
    }

    @Test
    void whatWasScheduledLaterIsRefusedNoMore() {
        assertThat(groups.read(group("muster", "Running", REFUSED + SCHEDULED.formatted("09"))))
                .contains(report("Running", false, ""));
        assertThat(groups.read(group("muster", "Inqueue", SCHEDULED.formatted("01") + REFUSED)))
                .contains(report("Inqueue", true, "2/2 tasks in gang unschedulable"));
    }

    @Test
    void aGroupOfSomebodyElseIsNone() {
        assertThat(groups.read(group("another", "Pending", REFUSED))).isEmpty();
        var bare = group("muster", "Pending", REFUSED);
        bare.getMetadata().getLabels().remove(LabelNames.ATTEMPT);
        assertThat(groups.read(bare)).isEmpty();
    }

    @Test
    void anotherWordingAloneIsNotTold() {
        noon.ready(ONE);
        var first = report("Pending", true, "0/2 nodes");
        assertThat(noon.on(new GroupChanged(first)))
                .containsExactly(to(DEFAULT, new GroupSeen(first)));
        assertThat(noon.on(new GroupChanged(report("Pending", true, "1/2 nodes")))).isEmpty();
        var runs = report("Running", false, "");
        assertThat(noon.on(new GroupChanged(runs)))
                .containsExactly(to(DEFAULT, new GroupSeen(runs)));
    }

    @Test
    void aSnapshotHasTheGroupsThatAreThere() {
        noon.ready(ONE);
        var there = report("Pending", true, "0/2 nodes");
        noon.on(new GroupChanged(there));
        assertThat(noon.on(new Listed(Kind.PODS)))
                .containsExactly(
                        to(DEFAULT, new SnapshotBegin("0-7-2")),
                        to(DEFAULT, new GroupSeen(there)),
                        to(DEFAULT, new SnapshotEnd("0-7-2")));
        noon.on(new GroupDeleted("ml", "resnet-a2"));
        assertThat(noon.on(new Listed(Kind.PODS)))
                .containsExactly(
                        to(DEFAULT, new SnapshotBegin("0-7-3")),
                        to(DEFAULT, new SnapshotEnd("0-7-3")));
    }

    private static GroupReport report(String phase, boolean unschedulable, String message) {
        return new GroupReport(
                "default",
                new Job("ml", "resnet", "3-7"),
                2,
                "resnet-a2",
                41,
                phase,
                unschedulable,
                unschedulable ? "NotEnoughResources" : "",
                message);
    }

    private static GenericKubernetesResource group(
            String installation, String phase, String conditions) {
        var text =
                """
                apiVersion: scheduling.volcano.sh/v1beta1
                kind: PodGroup
                metadata:
                  name: resnet-a2
                  namespace: ml
                  resourceVersion: "41"
                  labels:
                    muster.dev/installation: %s
                    muster.dev/job: resnet
                    muster.dev/uid: 3-7
                    muster.dev/pool: default
                    muster.dev/attempt: "2"
                spec: {minMember: 2}
                status:
                  phase: %s
                  conditions:
                """
                        .formatted(installation, phase);
        return Objects.requireNonNull(
                Serialization.unmarshal(
                        text + conditions.indent(2), GenericKubernetesResource.class));
    }
}
