package dev.muster.schemas.serde;

import dev.muster.schemas.JobKeys;
import dev.muster.v1.CancelSpec;
import dev.muster.v1.DependencyPhase;
import dev.muster.v1.Envelope;
import dev.muster.v1.ExitCodeRange;
import dev.muster.v1.FailureAction;
import dev.muster.v1.FailureRule;
import dev.muster.v1.FailureSpec;
import dev.muster.v1.Framework;
import dev.muster.v1.GangSpec;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobRequest;
import dev.muster.v1.JobRequestKind;
import dev.muster.v1.JobStatus;
import dev.muster.v1.JobTimes;
import dev.muster.v1.Phase;
import dev.muster.v1.RestartCounts;
import dev.muster.v1.RoleDependency;
import dev.muster.v1.RoleSpec;
import dev.muster.v1.RoleStatus;
import dev.muster.v1.TrainJobSpec;
import dev.muster.v1.WaitReason;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Records to send around. */
final class Records {
    static final Instant NOON = Instant.parse("2026-01-01T12:00:00.123456Z");

    private static final Envelope ENVELOPE =
            Envelope.newBuilder().setId("e-1").setAt(NOON).setActor("ann").build();

    /** With something of every kind in it: nested records, lists, maps, enums, nulls, defaults. */
    static JobRequest submit(String name) {
        var rule =
                FailureRule.newBuilder()
                        .setExitCodes(
                                List.of(new ExitCodeRange(42, 42), new ExitCodeRange(100, 110)))
                        .setAction(FailureAction.RESTART_GANG)
                        .build();
        var master = RoleSpec.newBuilder().setName("master").setTemplate("{}").build();
        var worker =
                RoleSpec.newBuilder()
                        .setName("worker")
                        .setReplicas(8)
                        .setTemplate("{\"spec\":{\"größe\":1}}")
                        .setDependsOn(
                                List.of(new RoleDependency("master", DependencyPhase.RUNNING)))
                        .build();
        var spec =
                TrainJobSpec.newBuilder()
                        .setFramework(Framework.PYTORCH)
                        .setLabels(Map.of("team", "ml"))
                        .setGang(GangSpec.newBuilder().setMin(5).build())
                        .setRoles(List.of(master, worker))
                        .setFailure(FailureSpec.newBuilder().setRules(List.of(rule)).build())
                        .build();
        return JobRequest.newBuilder()
                .setEnvelope(Envelope.newBuilder(ENVELOPE).setRequestId("r-1").build())
                .setKind(JobRequestKind.SUBMIT)
                .setNamespace("ml")
                .setName(name)
                .setSubmit(spec)
                .build();
    }

    static JobRequest cancel(String name) {
        return JobRequest.newBuilder()
                .setEnvelope(Envelope.newBuilder(ENVELOPE).build())
                .setKind(JobRequestKind.CANCEL)
                .setNamespace("ml")
                .setName(name)
                .setCancel(CancelSpec.newBuilder().setMessage("enough").build())
                .build();
    }

    static JobStatus queued(JobRef job) {
        var waiting =
                WaitReason.newBuilder()
                        .setCode("InsufficientCapacity")
                        .setScope("cpu")
                        .setNeed(8000L)
                        .setHave(2000L)
                        .setSince(NOON)
                        .build();
        return JobStatus.newBuilder()
                .setEnvelope(Envelope.newBuilder(ENVELOPE).setJobUid(job.getUid()).build())
                .setJob(job)
                .setPhase(Phase.QUEUED)
                .setAttempt(0)
                .setQueue("default")
                .setPool("default")
                .setRoles(List.of(RoleStatus.newBuilder().setName("worker").setDesired(2).build()))
                .setRestarts(RestartCounts.newBuilder().build())
                .setTimes(JobTimes.newBuilder().setSubmitted(NOON).build())
                .setSeq(1)
                .setWaiting(waiting)
                .build();
    }

    static String keyOf(JobRequest request) {
        return JobKeys.of(request.getNamespace(), request.getName());
    }

    private Records() {}
}
