package dev.muster.admission.stream;

import static dev.muster.admission.stream.Requests.nameIn;
import static dev.muster.admission.stream.Requests.putPool;
import static dev.muster.admission.stream.Requests.spec;
import static dev.muster.admission.stream.Requests.submit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.Topics;
import dev.muster.schemas.contract.Limits;
import dev.muster.v1.DependencyPhase;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.Outcome;
import dev.muster.v1.Problem;
import dev.muster.v1.RoleDependency;
import dev.muster.v1.RoleSpec;
import dev.muster.v1.TrainJobSpec;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that are taken in, and from which much more follows than was asked. */
class LargeAnswersTest {
    private static final String JOB = nameIn(0, 0);
    private static final String OTHER = nameIn(0, 1);
    private static final String TEMPLATE = spec().getRoles().getFirst().getTemplate();

    private final Desk desk = Desk.withAQueue();

    @AfterEach
    void close() {
        desk.close();
    }

    @Test
    void jobWithVeryManyProblemsIsToldTheFirstOfThemAndHowManyMoreThereAre() {
        var misspelt =
                Collections.nCopies(30, new RoleDependency("wrker", DependencyPhase.RUNNING));
        desk.ask(submit("r1", JOB, roles(100, role -> role.setDependsOn(misspelt))));
        desk.ask(submit("r2", OTHER));

        var answer = desk.results().getFirst();
        assertThat(answer.getOutcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.getMessage()).isEqualTo("more than 100 problems");
        assertThat(answer.getProblems()).hasSize(101);
        assertThat(answer.getProblems().getFirst().getPath())
                .isEqualTo("spec.roles[0].dependsOn[0].role");
        assertThat(answer.getProblems().getLast()).isEqualTo(new Problem("", "", "and 2,900 more"));
        assertThat(desk.bytes(Topics.REQUEST_RESULTS, answer).length).isLessThan(300 << 10);
        assertNextIsForwarded();
    }

    @Test
    void jobWhosePodsKeepApartFromVeryManyRunsOfOthersIsAcceptedWithoutThat() {
        var odd =
                IntStream.range(0, 5_000)
                        .mapToObj(i -> "\"" + 2 * i + "\"")
                        .collect(Collectors.joining(","));
        var spec = roles(80, role -> role);
        spec.getRoles().getFirst().setTemplate(apartFrom(odd));
        desk.ask(submit("r1", JOB, spec));
        desk.ask(submit("r2", OTHER));

        var events = desk.inbox();
        assertThat(events)
                .extracting(event -> event.getJob().getName())
                .containsExactly(JOB, OTHER);
        assertThat(events.getFirst().getJobSubmitted().getNeeds().getFirst().getApartFrom())
                .isEmpty();
        assertThat(desk.bytes(Topics.INBOX, events.getFirst()).length).isLessThan(512 << 10);
    }

    @Test
    void jobThatIsTooLargeWithWhatItsPodsNeedIsRefused() {
        var few =
                IntStream.range(0, 9)
                        .mapToObj(i -> "\"" + 2 * i + "\"")
                        .collect(Collectors.joining(","));
        desk.ask(submit("r1", JOB, roles(100, role -> role.setTemplate(apartFrom(few)))));
        desk.ask(submit("r2", OTHER));

        var answer = desk.results().getFirst();
        assertThat(answer.getOutcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.getProblems()).extracting(Problem::getPath).containsExactly("spec.roles");
        assertNextIsForwarded();
    }

    @Test
    void recordThatCannotBeReadIsParkedWithAsMuchOfItAsGoesIntoARecord() {
        var headers = new RecordHeaders();
        for (int i = 0; i < 4; i++) {
            headers.add("h" + i, new byte[100_000]);
        }
        desk.raw(Topics.JOB_REQUESTS, "k".repeat(500_000), new byte[Limits.VALUE_BYTES], headers);
        desk.ask(submit("r2", OTHER));

        var parked = desk.parked().getFirst();
        assertThat(desk.bytes(Topics.PARKED, parked).length).isLessThan(Limits.VALUE_BYTES);
        assertThat(parked.getHeaders()).hasSize(2);
        assertThat(parked.getError()).endsWith("; a part of it is kept here");
        assertNextIsForwarded();
    }

    @Test
    void recordThatIsTooLargeToWaitIsParked() {
        var soon = TrainJobSpec.newBuilder(spec()).setQueue("soon").build();
        desk.ask(submit("r1", JOB, soon));
        var key = "ml/" + JOB;
        desk.raw(Topics.JOB_REQUESTS, key, new byte[Limits.RECORD_BYTES - 2_000]);
        desk.ask(submit("r2", OTHER));

        assertThat(desk.parked().getFirst().getError()).startsWith("is too large to wait");
        assertNextIsForwarded();
        desk.show(Topics.QUEUES, "soon", Requests.queue("soon", "gpus"));
        desk.pass(Duration.ofMillis(100));
        assertThat(desk.inbox()).hasSize(1);
    }

    @Test
    void recordWhoseAnswerIsTooLargeForItsTopicIsParkedAndTheNextIsTaken() {
        var request = putPool("r1", "p".repeat(Limits.RECORD_BYTES), null);
        desk.ask(request);
        desk.ask(putPool("r2", "tpus", null));
        assertThat(desk.parked()).hasSize(1);
        assertThat(desk.inbox()).hasSize(1);
    }

    private void assertNextIsForwarded() {
        assertThat(desk.inbox())
                .extracting(InboxEvent::getJob)
                .extracting(job -> job.getName())
                .containsExactly(OTHER);
    }

    private static TrainJobSpec roles(
            int number, Function<RoleSpec.Builder, RoleSpec.Builder> each) {
        // As long as names may be beside the job's.
        var longest = "r".repeat(40);
        List<RoleSpec> roles =
                IntStream.range(0, number)
                        .mapToObj(i ->
                                each.apply(
                                                RoleSpec.newBuilder()
                                                        .setName(longest + i)
                                                        .setReplicas(2)
                                                        .setTemplate(TEMPLATE))
                                        .build())
                        .toList();
        return TrainJobSpec.newBuilder().setRoles(roles).build();
    }

    private static String apartFrom(String indices) {
        var term =
                """
                {"topologyKey": "kubernetes.io/hostname", "labelSelector": {
                  "matchLabels": {"muster.dev/job": "%s"}, "matchExpressions": [
                  {"key": "muster.dev/index", "operator": "In", "values": [%s]}]}}\
                """
                        .formatted(JOB, indices);
        var affinity =
                """
                "affinity": {"podAntiAffinity": {
                  "requiredDuringSchedulingIgnoredDuringExecution": [%s]}},\
                """
                        .formatted(term);
        return TEMPLATE.replace("\"containers\"", affinity + "\"containers\"");
    }
}
