package dev.muster.podmanager.core;

import static dev.muster.podmanager.core.Plans.NEWER;
import static dev.muster.podmanager.core.Plans.OLDER;
import static dev.muster.podmanager.core.Plans.RESNET;
import static dev.muster.podmanager.core.Plans.UID;
import static dev.muster.podmanager.core.Plans.WORKER_0;
import static dev.muster.podmanager.core.Plans.gang;
import static dev.muster.podmanager.core.Plans.plan;
import static dev.muster.podmanager.core.Plans.planOf;
import static dev.muster.podmanager.core.Plans.planned;
import static dev.muster.podmanager.core.Plans.stopping;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.podmanager.core.Plan.Gone;
import dev.muster.podmanager.core.Plan.Keep;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PlanBookTest {
    private static final int HERE = 3;
    private static final Submission JOB = new Submission(RESNET, UID);

    private final PlanBook book = new PlanBook();

    @Test
    void onlyTheNewestPlanOfASubmissionIsKept() {
        assertThat(book.accept(HERE, gang(1, 2))).isTrue();
        assertThat(book.accept(HERE, gang(1, 1))).isFalse();
        assertThat(book.accept(HERE, gang(1, 2))).isFalse();
        assertThat(book.accept(HERE, gang(2, 3))).isTrue();
        assertThat(plans()).containsExactly(gang(2, 3));
    }

    @Test
    void nothingIsLeftOfANameWithoutPlans() {
        book.accept(HERE, gang(1, 2));
        book.remove(HERE, JOB);
        assertThat(book.names()).isZero();
    }

    @Test
    void theNewestSubmissionComesFirst() {
        book.accept(HERE, stopping(Keep.NONE));
        book.accept(
                HERE,
                planOf(
                        NEWER,
                        1,
                        new Plan.Stop(
                                java.time.Duration.ZERO,
                                Keep.ALL,
                                Plans.all(),
                                Plan.Backend.NONE,
                                false,
                                null)));
        assertThat(plans()).extracting(p -> p.job().uid()).containsExactly(NEWER, UID);
    }

    @Test
    void aGoneSubmissionNeedsNoWorkAndIsForgottenOnceThereIsANewerOne() {
        book.accept(HERE, plan(1, 9, new Gone()));
        assertThat(book.open(HERE)).isEmpty();
        assertThat(plans()).hasSize(1);
        book.accept(HERE, planOf(NEWER, 1, new Gone()));
        assertThat(plans()).extracting(p -> p.job().uid()).containsExactly(NEWER);
    }

    @Test
    void whichPodsHaveEndedMattersOnlyToAStopThatIsOpenAndKeepsThem() {
        book.accept(HERE, gang(1, 1));
        book.accept(HERE, planOf(OLDER, 1, stopping(Keep.NONE).wanted()));
        assertThat(book.asksForPhases(HERE)).isFalse();
        var older = planOf(OLDER, 2, stopping(Keep.FINISHED).wanted());
        book.accept(HERE, older);
        assertThat(book.asksForPhases(HERE)).isTrue();
        assertThat(book.asksForPhases(HERE + 1)).isFalse();
        book.close(HERE, older);
        assertThat(book.asksForPhases(HERE)).isFalse();
    }

    @Test
    void theNewsOfAGoneOldSubmissionIsNotKept() {
        book.accept(HERE, gang(1, 1));
        book.accept(HERE, planOf(OLDER, 7, new Gone()));
        assertThat(plans()).containsExactly(gang(1, 1));
    }

    @Test
    void whatWasCarriedOutIsNotOpenUntilSomethingNewerComes() {
        book.accept(HERE, gang(1, 1));
        assertThat(book.open(HERE)).containsExactly(RESNET);
        book.close(HERE, gang(1, 1));
        assertThat(book.open(HERE)).isEmpty();
        book.accept(HERE, gang(1, 2));
        book.close(HERE, gang(1, 1));
        assertThat(book.open(HERE)).containsExactly(RESNET);
    }

    @Test
    void hostListsOfPlansThatWereCarriedOutAreLookedAtInTurn() {
        var plans = Stream.of("a", "b", "c").map(PlanBookTest::withAHostList).toList();
        plans.forEach(plan -> book.accept(HERE, plan));
        book.accept(HERE, gang(1, 1));
        book.close(HERE, gang(1, 1));
        assertThat(book.listed(9)).isEmpty();
        plans.forEach(plan -> book.close(HERE, plan));
        assertThat(book.listed(2)).extracting(JobName::name).containsExactly("a", "b");
        assertThat(book.listed(2)).extracting(JobName::name).containsExactly("c", "a");
        book.remove(HERE, plans.get(1).job());
        assertThat(book.listed(9)).extracting(JobName::name).containsExactly("c", "a");
        book.dropPartition(HERE);
        assertThat(book.listed(9)).isEmpty();
    }

    private static Plan withAHostList(String name) {
        return new Plan(
                new Submission(new JobName("ml", name), UID),
                "default",
                "team-a",
                1,
                1,
                false,
                "0-7/1",
                ReconcileHostsTest.run(1, planned(WORKER_0, 1)));
    }

    @Test
    void whatComesBehindAnUnreadableRecordWaits() {
        book.accept(HERE, gang(1, 1));
        book.hold(HERE, JOB);
        assertThat(book.accept(HERE, gang(1, 2))).isFalse();
        assertThat(plans()).isEmpty();
        assertThat(book.held()).isEqualTo(1);
    }

    @Test
    void anUnreadableRecordHoldsOnlyItsOwnSubmission() {
        book.hold(HERE, JOB);
        assertThat(book.accept(HERE, planOf(NEWER, 1, new Gone()))).isTrue();
    }

    @Test
    void aNullReleasesWhatWasHeld() {
        book.hold(HERE, JOB);
        book.remove(HERE, JOB);
        assertThat(book.accept(HERE, gang(1, 3))).isTrue();
        assertThat(book.held()).isZero();
    }

    @Test
    void aPartitionIsForgottenAsAWhole() {
        book.accept(HERE, gang(1, 1));
        book.hold(HERE, new Submission(RESNET, NEWER));
        book.dropPartition(HERE);
        assertThat(plans()).isEmpty();
        assertThat(book.held()).isZero();
    }

    private List<Plan> plans() {
        return book.of(HERE, RESNET).stream().map(PlanBook.Entry::plan).toList();
    }
}
