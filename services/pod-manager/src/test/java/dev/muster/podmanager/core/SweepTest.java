package dev.muster.podmanager.core;

import static dev.muster.podmanager.core.Plans.MASTER;
import static dev.muster.podmanager.core.Plans.NEWER;
import static dev.muster.podmanager.core.Plans.OLDER;
import static dev.muster.podmanager.core.Plans.RESNET;
import static dev.muster.podmanager.core.Plans.WORKER_0;
import static dev.muster.podmanager.core.Plans.deleting;
import static dev.muster.podmanager.core.Plans.foreign;
import static dev.muster.podmanager.core.Plans.gang;
import static dev.muster.podmanager.core.Plans.plan;
import static dev.muster.podmanager.core.Plans.planOf;
import static dev.muster.podmanager.core.Plans.pod;
import static dev.muster.podmanager.core.Plans.podOf;
import static dev.muster.podmanager.core.Plans.service;
import static dev.muster.podmanager.core.Plans.stopping;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.podmanager.core.Action.Delete;
import dev.muster.podmanager.core.Plan.Gone;
import dev.muster.podmanager.core.Plan.Keep;
import dev.muster.podmanager.core.Sweep.Found;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SweepTest {
    private static final Plan GONE = plan(1, 9, new Gone());

    @Test
    void whatIsLeftOfAGoneSubmissionIsSwept() {
        assertThat(swept(List.of(GONE), pod(MASTER, 1, 1, 1), service(1)))
                .containsExactly("resnet-master-0", "resnet");
    }

    @Test
    void whatIsLeftOfAnOlderSubmissionIsSwept() {
        assertThat(swept(List.of(gang(1, 1)), podOf(OLDER, MASTER, 5, 9, 9)))
                .containsExactly("resnet-master-0");
    }

    /** All of it was confirmed gone; what an older submission has may still work. */
    @Test
    void podThatWasMadeSinceHasLittleTimeToEndAndAnOlderSubmissionsItsOwn() {
        var older = podOf(OLDER, WORKER_0, 5, 9, 9);
        assertThat(graces(List.of(GONE), pod(MASTER, 1, 1, 1), older, service(1)))
                .containsExactly(2L, null, null);
        assertThat(graces(List.of(gang(1, 1), planOf(OLDER, 9, new Gone())), older))
                .containsExactly((Long) null);
    }

    @Test
    void livingAndStoppingSubmissionsAreLeftAlone() {
        assertThat(swept(List.of(gang(2, 4)), pod(MASTER, 1, 1, 1))).isEmpty();
        assertThat(swept(List.of(stopping(Keep.NONE)), pod(MASTER, 1, 1, 1))).isEmpty();
    }

    @Test
    void absenceIsNoEvidence() {
        var lonely = new Found(RESNET, pod(MASTER, 1, 1, 1));
        assertThat(Sweep.decide(List.of(lonely), _ -> List.of()))
                .isEqualTo(new Sweep(List.of(), List.of(lonely)));
    }

    @Test
    void whatIsNewerThanAllPlansIsOnlyCounted() {
        var newer = new Found(RESNET, podOf(NEWER, MASTER, 1, 1, 1));
        assertThat(Sweep.decide(List.of(newer), _ -> List.of(GONE)))
                .isEqualTo(new Sweep(List.of(), List.of(newer)));
    }

    @Test
    void somebodyElsesThingsAndWhatIsGoingAlreadyAreLeftAlone() {
        assertThat(
                        swept(
                                List.of(GONE),
                                foreign(Kind.POD, "resnet-master-0"),
                                deleting(pod(WORKER_0, 1, 1, 2))))
                .isEmpty();
    }

    @Test
    void onePassDeletesOnlySoManyAndTheNextGoesOnBehindThem() {
        var found =
                Stream.of(service(1), pod(WORKER_0, 1, 1, 2), pod(MASTER, 1, 1, 1))
                        .map(o -> new Found(RESNET, o))
                        .toList();
        var sweep = Sweep.decide(found, _ -> List.of(GONE));
        var first = sweep.behind("", 2);
        assertThat(first)
                .extracting(SweepTest::name)
                .containsExactly("resnet-master-0", "resnet-worker-0");
        assertThat(sweep.behind(first.getLast().place(), 2))
                .extracting(SweepTest::name)
                .containsExactly("resnet", "resnet-master-0");
    }

    private static String name(Sweep.Swept swept) {
        return swept.deletion().name();
    }

    private static List<String> swept(List<Plan> plans, Seen... objects) {
        return deletions(plans, objects).stream().map(Delete::name).toList();
    }

    private static List<@Nullable Long> graces(List<Plan> plans, Seen... objects) {
        return deletions(plans, objects).stream()
                .<@Nullable Long>map(Delete::graceSeconds)
                .toList();
    }

    private static List<Delete> deletions(List<Plan> plans, Seen... objects) {
        var found = Stream.of(objects).map(o -> new Found(RESNET, o)).toList();
        return Sweep.decide(found, _ -> plans).deletions().stream()
                .map(Sweep.Swept::deletion)
                .toList();
    }
}
