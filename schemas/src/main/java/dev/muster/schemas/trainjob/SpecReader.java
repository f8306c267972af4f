package dev.muster.schemas.trainjob;

import dev.muster.schemas.trainjob.TrainJobForm.Read;
import dev.muster.v1.CheckpointSignal;
import dev.muster.v1.CheckpointSpec;
import dev.muster.v1.Cleanup;
import dev.muster.v1.DeadlinesSpec;
import dev.muster.v1.DependencyPhase;
import dev.muster.v1.ElasticSpec;
import dev.muster.v1.Framework;
import dev.muster.v1.GangSpec;
import dev.muster.v1.JobDependency;
import dev.muster.v1.RemoteShell;
import dev.muster.v1.RoleDependency;
import dev.muster.v1.RoleSpec;
import dev.muster.v1.ScalingPolicy;
import dev.muster.v1.SuccessSpec;
import dev.muster.v1.SuccessWhen;
import dev.muster.v1.TopologyPolicy;
import dev.muster.v1.TrainJobSpec;
import tools.jackson.databind.JsonNode;

/** Maps a checked tree to the contract's record, field by field; what is absent stays absent. */
final class SpecReader {
    private static final long NEVER = -1;

    private SpecReader() {}

    /** True where nothing is missing without which there is no record. */
    static boolean canRead(JsonNode job) {
        var roles = job.path("spec").path("roles");
        if (!job.path("metadata").path("name").isString() || roles.isEmpty()) {
            return false;
        }
        for (var role : roles) {
            if (!role.path("name").isString() || !role.path("template").isObject()) {
                return false;
            }
        }
        return true;
    }

    static Read read(Fields job) {
        var spec = TrainJobSpec.newBuilder();
        job.object(
                "metadata",
                metadata -> {
                    metadata.texts("labels", spec::setLabels);
                    metadata.texts("annotations", spec::setAnnotations);
                });
        job.object("spec", from -> spec(from, spec));
        var metadata = job.object().path("metadata");
        return new Read(
                metadata.path("namespace").asString("default"),
                metadata.path("name").asString(),
                spec.build());
    }

    private static void spec(Fields from, TrainJobSpec.Builder to) {
        from.text("queue", to::setQueue);
        from.number("priority", to::setPriority);
        from.text("priorityClass", to::setPriorityClass);
        from.constant("framework", Framework.class, to::setFramework);
        if (from.text("framework").equals("horovod")) {
            to.setNprocPerNode("gpu"); // Its slots: as many as a pod has devices, at least one.
        }
        from.text("nprocPerNode", to::setNprocPerNode);
        from.object(
                "horovod", horovod -> horovod.constant("shell", RemoteShell.class, to::setShell));
        from.number("masterPort", to::setMasterPort);
        from.flag("suspend", to::setSuspend);
        from.list("after", SpecReader::after, to::setAfter);
        from.object("gang", gang -> to.setGang(gang(gang)));
        from.object("elastic", elastic -> elastic(elastic, to));
        from.list("roles", SpecReader::role, to::setRoles);
        from.object("success", success -> success(success, to));
        from.object("failure", failure -> to.setFailure(FailureReader.read(failure)));
        from.object("deadlines", deadlines -> to.setDeadlines(deadlines(deadlines)));
        from.constant("cleanup", Cleanup.class, to::setCleanup);
        if (from.text("ttlAfterFinished").equals("never")) {
            to.setTtlAfterFinishedMillis(NEVER);
        } else {
            from.duration("ttlAfterFinished", to::setTtlAfterFinishedMillis);
        }
        from.duration("gracePeriod", to::setGracePeriodMillis);
        from.object("checkpoint", checkpoint -> to.setCheckpoint(checkpoint(checkpoint)));
        from.texts("resourceLimits", to::setResourceLimits);
        from.object(
                "policy", policy -> policy.flag("podDisruptionBudget", to::setPodDisruptionBudget));
    }

    private static JobDependency after(Fields from) {
        var to = JobDependency.newBuilder().setJob(from.text("job"));
        to.setPhase(DependencyPhase.SUCCEEDED);
        from.constant("phase", DependencyPhase.class, to::setPhase);
        return to.build();
    }

    private static GangSpec gang(Fields from) {
        var to = GangSpec.newBuilder();
        from.number("min", to::setMin);
        from.duration("timeout", to::setTimeoutMillis);
        from.object(
                "topology",
                topology -> {
                    topology.constant("policy", TopologyPolicy.class, to::setTopology);
                    topology.text("key", to::setTopologyKey);
                });
        return to.build();
    }

    private static void elastic(Fields from, TrainJobSpec.Builder job) {
        if (!from.has("min") || !from.has("max")) {
            return;
        }
        var to = ElasticSpec.newBuilder();
        from.number("min", to::setMin);
        from.number("max", to::setMax);
        from.object(
                "scaling",
                scaling -> {
                    scaling.constant("policy", ScalingPolicy.class, to::setScaling);
                    scaling.duration("cooldown", to::setCooldownMillis);
                });
        job.setElastic(to.build());
    }

    private static RoleSpec role(Fields from) {
        var to = RoleSpec.newBuilder().setName(from.text("name"));
        from.number("replicas", to::setReplicas);
        from.number("min", to::setMin);
        from.flag("elastic", to::setElastic);
        from.list("dependsOn", SpecReader::dependsOn, to::setDependsOn);
        from.object("spot", spot -> spot.number("count", to::setSpotCount));
        from.flag("hostNetwork", to::setHostNetwork);
        from.object("failure", failure -> to.setFailure(FailureReader.read(failure)));
        from.list("critical", index -> index.object().asInt(), to::setCritical);
        to.setTemplate(from.object().path("template").toString());
        return to.build();
    }

    private static RoleDependency dependsOn(Fields from) {
        var to = RoleDependency.newBuilder().setRole(from.text("role"));
        to.setPhase(DependencyPhase.RUNNING);
        from.constant("phase", DependencyPhase.class, to::setPhase);
        return to.build();
    }

    private static void success(Fields from, TrainJobSpec.Builder job) {
        if (!from.has("when")) {
            return;
        }
        var to = SuccessSpec.newBuilder();
        from.constant("when", SuccessWhen.class, to::setWhen);
        from.text("role", to::setRole);
        job.setSuccess(to.build());
    }

    private static DeadlinesSpec deadlines(Fields from) {
        var to = DeadlinesSpec.newBuilder();
        from.duration("queue", to::setQueueMillis);
        from.duration("start", to::setStartMillis);
        from.duration("run", to::setRunMillis);
        return to.build();
    }

    private static CheckpointSpec checkpoint(Fields from) {
        var to = CheckpointSpec.newBuilder();
        from.constant("signal", CheckpointSignal.class, to::setSignal);
        from.duration("timeout", to::setTimeoutMillis);
        return to.build();
    }
}
