package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.v1.ExitCodeRange;
import dev.muster.v1.FailureAction;
import dev.muster.v1.FailureRule;
import dev.muster.v1.FailureSpec;
import dev.muster.v1.JobPlan;
import dev.muster.v1.JobSubmitted;
import dev.muster.v1.PlannedRole;
import dev.muster.v1.PodRestart;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a plan says of the kubelet's restarts. */
class OutboundRestartsTest {
    private static final Origin ORIGIN = new Origin("gpu", 5, 42, "cause-1");

    @Test
    void kubeletThatRestartsNothingIsToldTheCodesOfTheRules() {
        var role = planned(PodRestart.NEVER);
        assertThat(role.getRestart()).isEqualTo(PodRestart.NEVER);
        assertThat(role.getRestartCodes()).containsExactly(7);
    }

    @Test
    void kubeletThatRestartsWhateverFailsNeedsNoCodes() {
        var role = planned(PodRestart.ON_FAILURE);
        assertThat(role.getRestart()).isEqualTo(PodRestart.ON_FAILURE);
        assertThat(role.getRestartCodes()).isEmpty();
    }

    private static PlannedRole planned(PodRestart restart) {
        var submitted = onSeven(restart);
        var outbound = new Outbound(ORIGIN, Instant.EPOCH, _ -> submitted, _ -> null);
        var plan = OutboundTest.planOfNoPods(new TreeMap<>(Map.of("worker", 1)));
        var record = (JobPlan) outbound.records(plan).getFirst().value();
        return record.getRun().getRoles().getFirst();
    }

    /** A rule restarts what ends with 7 in its pod. */
    private static JobSubmitted onSeven(PodRestart restart) {
        var submitted = workers(1);
        submitted.getNeeds().getFirst().setRestart(restart);
        var rule =
                FailureRule.newBuilder()
                        .setAction(FailureAction.RESTART_IN_PLACE)
                        .setExitCodes(List.of(new ExitCodeRange(7, 7)))
                        .build();
        submitted.getSpec().setFailure(FailureSpec.newBuilder().setRules(List.of(rule)).build());
        return submitted;
    }
}
