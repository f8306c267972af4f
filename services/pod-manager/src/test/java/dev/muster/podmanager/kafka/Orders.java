package dev.muster.podmanager.kafka;

import dev.muster.v1.Backend;
import dev.muster.v1.Framework;
import dev.muster.v1.JobPlan;
import dev.muster.v1.JobRef;
import dev.muster.v1.KeepPods;
import dev.muster.v1.PlanKind;
import dev.muster.v1.PlannedGroup;
import dev.muster.v1.PlannedPod;
import dev.muster.v1.PlannedRole;
import dev.muster.v1.PodRestart;
import dev.muster.v1.RunPlan;
import dev.muster.v1.StopPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Plans as a coordinator publishes them, for one submission. */
record Orders(String namespace, String name, String uid) {
    static final String TEMPLATE =
            """
            {"spec": {"containers": [{"name": "main", "image": "none", "command": ["true"]}]}}
            """;

    private static final String TWO_CPUS =
            """
            {"spec": {"containers": [{"name": "main", "image": "none",
              "resources": {"requests": {"cpu": "2"}}}]}}
            """;

    /** A gang of workers; the incarnations are the indices and one. */
    JobPlan run(int attempt, long version, int workers) {
        return run(attempt, version, workers, TEMPLATE);
    }

    JobPlan run(int attempt, long version, int workers, String template) {
        var pods = new ArrayList<PlannedPod>();
        for (int i = 0; i < workers; i++) {
            pods.add(
                    PlannedPod.newBuilder()
                            .setRole("worker")
                            .setIndex(i)
                            .setIncarnation(i + 1)
                            .setNode("node-a")
                            .build());
        }
        var role =
                PlannedRole.newBuilder()
                        .setName("worker")
                        .setReplicas(workers)
                        .setTemplate(template)
                        .setRestart(PodRestart.NEVER)
                        .setMainContainer("main")
                        .build();
        return plan(PlanKind.RUN, attempt, version)
                .setRun(
                        RunPlan.newBuilder()
                                .setFramework(workers > 1 ? Framework.PYTORCH : Framework.NONE)
                                .setNprocPerNode("1")
                                .setMasterPort(23456)
                                .setRoles(List.of(role))
                                .setPods(pods)
                                .build())
                .build();
    }

    /** A gang of workers of 2 CPUs each that Volcano is to bind. */
    JobPlan bound(int attempt, long version, int workers) {
        var plan = run(attempt, version, workers, TWO_CPUS);
        var run = plan.getRun();
        run.setFramework(Framework.NONE);
        run.getPods().forEach(pod -> pod.setNode(null));
        run.setBackend(Backend.VOLCANO);
        run.setBackendQueue("default");
        run.setGroups(
                List.of(
                        new PlannedGroup(
                                null,
                                Map.of("worker", workers),
                                Map.of("cpu", workers * 2000L, "pods", (long) workers))));
        return plan;
    }

    JobPlan unbound(int attempt, long version, boolean confirm) {
        var plan = stop(version, KeepPods.NONE, confirm);
        plan.setAttempt(attempt);
        plan.getStop().setBackend(Backend.VOLCANO);
        return plan;
    }

    JobPlan stop(long version, KeepPods keep, boolean confirm) {
        return plan(PlanKind.STOP, 1, version)
                .setConfirm(confirm)
                .setStop(StopPlan.newBuilder().setGracePeriodMillis(20_000).setKeep(keep).build())
                .build();
    }

    JobPlan gone(long version) {
        return plan(PlanKind.GONE, 1, version).build();
    }

    Orders newer(String uid) {
        return new Orders(namespace, name, uid);
    }

    private JobPlan.Builder plan(PlanKind kind, int attempt, long version) {
        return JobPlan.newBuilder()
                .setEnvelope(Surroundings.envelope("3-" + version + "/1").build())
                .setKind(kind)
                .setJob(
                        JobRef.newBuilder()
                                .setNamespace(namespace)
                                .setName(name)
                                .setUid(uid)
                                .build())
                .setPool(Surroundings.POOL)
                .setQueue("team-a")
                .setAttempt(attempt)
                .setVersion(version);
    }
}
