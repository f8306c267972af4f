package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.limited;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.running;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.model.WaitReason.Shortage;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of quotas to who asks: all that are short, and by how much. */
class PoolExplainQuotaTest {
    private static final JobId FIRST = job("first", 1);
    private static final JobId SECOND = job("second", 2);

    private final Play play = Play.withNodes(64);

    private void submit(JobId job, JobSpec spec) {
        play.on(new Event.Submitted(job, spec, null));
    }

    private void put(QueueSpec queue) {
        play.on(new Event.QueuePut("default", queue, null));
    }

    private void namespaceMayUse(Map<String, Long> hard) {
        play.on(new Event.NamespaceQuotaSeen(WATCHER, "ml", Amounts.of(hard), Amounts.NONE));
    }

    private List<WaitReason> reasons(JobId job) {
        return play.explain(job).orElseThrow().reasons();
    }

    @Test
    void allThatAreShortAreToldAtOnce() {
        put(running(1, limited(4)));
        namespaceMayUse(Map.of("pods", 2L, "requests.cpu", 64_000L));
        submit(FIRST, workers(1, 3));
        submit(SECOND, workers(2, 2));

        assertThat(reasons(SECOND))
                .extracting(WaitReason::code, WaitReason::scope, WaitReason::shortage)
                .containsExactly(
                        tuple(Code.QUOTA_EXCEEDED, "maxRunning", new Shortage(1, 0)),
                        tuple(Code.QUOTA_EXCEEDED, "cpu", new Shortage(4000, 1000)),
                        tuple(Code.QUOTA_EXCEEDED, "namespace ml pods", new Shortage(2, 1)));
    }

    /** Its own limit, and what its group leaves. */
    @Test
    void twoQuotasOfOneResourceAreBothTold() {
        put(limited(6));
        play.on(new Event.QueuePut("b", QueueSpecs.guaranteed(60), null));
        submit(FIRST, workers(1, 4));
        submit(SECOND, Fixtures.spec("b", Fixtures.role("worker", 1, 60)));
        var third = job("third", 3);
        submit(third, workers(1, 3));

        assertThat(reasons(third))
                .filteredOn(reason -> reason.code() == Code.QUOTA_EXCEEDED)
                .extracting(WaitReason::scope, WaitReason::shortage, WaitReason::remedy)
                .containsExactly(
                        tuple(
                                "cpu",
                                new Shortage(3000, 2000),
                                "the end of jobs that use the quota, or a higher one"),
                        tuple(
                                "cpu",
                                new Shortage(3000, 0),
                                "the end of jobs of its group's queues, or a higher guarantee"));
    }

    /** Of 64 cores, 8 to 56 are guaranteed to others, who use 56. */
    @ParameterizedTest
    @CsvSource({
        "56, , of its group's queues",
        "55, , that borrow",
        "8, another, that borrow",
    })
    void jobsThatBorrowAreToEndOnlyWhereOtherQueuesDoBorrow(
            long guaranteed, @Nullable String group, String whose) {
        var plain = QueueSpecs.guaranteed(guaranteed);
        var none = new TreeMap<String, Long>();
        var quota = new Quota(plain.quota().guaranteed(), none, true, none, none, group);
        play.on(new Event.QueuePut("b", QueueSpecs.with(plain, quota), null));
        submit(FIRST, Fixtures.spec("b", Fixtures.role("worker", 1, 56)));
        submit(SECOND, workers(1, 10));

        assertThat(reasons(SECOND))
                .filteredOn(reason -> reason.code() == Code.QUOTA_EXCEEDED)
                .extracting(WaitReason::remedy)
                .containsExactly("the end of jobs " + whose + ", or a higher guarantee");
    }

    @Test
    void whatIsUsedBeyondALoweredLimitHasToComeFreeToo() {
        put(limited(10));
        submit(FIRST, workers(1, 10));
        put(limited(4));
        submit(SECOND, workers(1, 2));

        assertThat(reasons(SECOND))
                .singleElement()
                .returns("needs 2 of cpu, queue default is 6 beyond its limit", WaitReason::message)
                .extracting(WaitReason::shortage)
                .isEqualTo(new Shortage(2000, -6000))
                .returns(8000L, Shortage::shortBy);
    }

    @Test
    void whatIsUsedBeyondALoweredQuotaOfANamespaceToo() {
        namespaceMayUse(Map.of("requests.cpu", 10_000L));
        submit(FIRST, workers(1, 10));
        namespaceMayUse(Map.of("requests.cpu", 4_000L));
        submit(SECOND, workers(1, 2));

        assertThat(reasons(SECOND))
                .singleElement()
                .returns(
                        "needs 2 of requests.cpu, namespace ml is 6 beyond its quota",
                        WaitReason::message)
                .returns(new Shortage(2000, -6000), WaitReason::shortage);
    }

    @Test
    void queueThatRunsMoreThanItMayNowSaysBoth() {
        for (int i = 0; i < 5; i++) {
            submit(job("running" + i, 10 + i), workers(1, 1));
        }
        put(running(3, QueueSpecs.QUEUE));
        submit(SECOND, workers(1, 1));

        assertThat(reasons(SECOND))
                .singleElement()
                .returns("queue default runs 5 jobs, its most is 3", WaitReason::message)
                .extracting(WaitReason::shortage)
                .isEqualTo(new Shortage(1, -2))
                .returns(3L, Shortage::shortBy);
    }

    /** What others of its queue use comes free, what its queue may never use does not. */
    @Test
    void whatIsMoreThanTheGuaranteeOfAQueueThatBorrowsNothingCouldNeverBe() {
        put(QueueSpecs.quota(4, false, null, null));
        submit(FIRST, workers(1, 3));
        submit(SECOND, workers(1, 4));
        var third = job("third", 3);
        submit(third, workers(1, 5));

        assertThat(reasons(SECOND)).extracting(WaitReason::code).contains(Code.QUOTA_EXCEEDED);
        assertThat(reasons(SECOND))
                .extracting(WaitReason::code)
                .doesNotContain(Code.EXCEEDS_MAX_QUOTA);
        assertThat(reasons(third)).extracting(WaitReason::code).contains(Code.EXCEEDS_MAX_QUOTA);
    }

    /** It lends nothing: to itself it does. */
    @Test
    void whatAQueueKeepsFromOthersItMayUseItself() {
        play.on(new Event.QueuePut("b", QueueSpecs.quota(8, true, null, 0L), null));
        submit(FIRST, Fixtures.spec("b", Fixtures.role("worker", 1, 10)));
        submit(SECOND, Fixtures.spec("b", Fixtures.role("worker", 1, 60)));
        var third = job("third", 3);
        submit(third, workers(1, 60));

        assertThat(reasons(SECOND)).extracting(WaitReason::code).contains(Code.QUOTA_EXCEEDED);
        assertThat(reasons(third)).extracting(WaitReason::code).contains(Code.EXCEEDS_MAX_QUOTA);
    }
}
