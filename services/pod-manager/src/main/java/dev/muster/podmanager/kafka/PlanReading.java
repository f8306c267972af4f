package dev.muster.podmanager.kafka;

import dev.muster.podmanager.core.Forced;
import dev.muster.podmanager.core.Grouping;
import dev.muster.podmanager.core.Grouping.Group;
import dev.muster.podmanager.core.Hosts;
import dev.muster.podmanager.core.Hosts.Shell;
import dev.muster.podmanager.core.JobName;
import dev.muster.podmanager.core.Plan;
import dev.muster.podmanager.core.Plan.Backend;
import dev.muster.podmanager.core.Plan.Checkpoint;
import dev.muster.podmanager.core.Plan.Framework;
import dev.muster.podmanager.core.Plan.Gone;
import dev.muster.podmanager.core.Plan.Hook;
import dev.muster.podmanager.core.Plan.Impossible;
import dev.muster.podmanager.core.Plan.Keep;
import dev.muster.podmanager.core.Plan.PlannedPod;
import dev.muster.podmanager.core.Plan.Range;
import dev.muster.podmanager.core.Plan.Role;
import dev.muster.podmanager.core.Plan.Run;
import dev.muster.podmanager.core.Plan.Scale;
import dev.muster.podmanager.core.Plan.Spot;
import dev.muster.podmanager.core.Plan.Stop;
import dev.muster.podmanager.core.Plan.Wanted;
import dev.muster.podmanager.core.Rank;
import dev.muster.podmanager.core.Submission;
import dev.muster.podmanager.kafka.PlanRecord.Known;
import dev.muster.podmanager.kafka.PlanRecord.Removed;
import dev.muster.podmanager.kafka.PlanRecord.Unreadable;
import dev.muster.podmanager.kubernetes.Templates;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topics;
import dev.muster.schemas.contract.CheckpointId;
import dev.muster.schemas.serde.UnreadableRecordException;
import dev.muster.v1.ForcedRank;
import dev.muster.v1.JobPlan;
import dev.muster.v1.KeepPods;
import dev.muster.v1.PlannedHook;
import dev.muster.v1.PlannedRole;
import dev.muster.v1.PodRestart;
import dev.muster.v1.RunPlan;
import dev.muster.v1.StopPlan;
import dev.muster.v1.TaintEffect;
import dev.muster.v1.TolerationOperator;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/** Turns records of job-plans into plans. */
final class PlanReading {
    private final Function<byte[], JobPlan> decode;

    /**
     * Reads with a decoder.
     *
     * @param decode throws UnreadableRecordException for what is no record, and a
     *     RetriableException when it should be tried again
     */
    PlanReading(Function<byte[], JobPlan> decode) {
        this.decode = decode;
    }

    PlanRecord read(ConsumerRecord<byte @Nullable [], byte @Nullable []> in) {
        var bytes = in.key();
        var key = bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
        var job = submission(key);
        if (job == null) {
            return new Unreadable(null, "the key is not namespace/name@uid: " + key);
        }
        if (Partitions.ofKey(Topics.JOB_PLANS, key) != in.partition()) {
            return new Unreadable(job, "its key belongs to another partition");
        }
        var value = in.value();
        if (value == null) {
            return new Removed(job);
        }
        try {
            var plan = plan(decode.apply(value));
            return plan.job().equals(job)
                    ? new Known(plan)
                    : new Unreadable(job, "its key does not name its job, " + plan.job());
        } catch (UnreadableRecordException | Unknown e) {
            return new Unreadable(job, String.valueOf(e.getMessage()));
        } catch (RetriableException e) {
            throw e;
        } catch (RuntimeException e) {
            // Nobody foresaw such a record; it must not keep the others from being read.
            return new Unreadable(job, e.toString());
        }
    }

    private static @Nullable Submission submission(String key) {
        try {
            var parts = JobKeys.parse(key);
            var uid = parts.uid();
            return uid == null
                    ? null
                    : new Submission(new JobName(parts.namespace(), parts.name()), uid.toString());
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static Plan plan(JobPlan in) {
        var ref = in.getJob();
        var job = new JobName(ref.getNamespace(), ref.getName());
        return new Plan(
                new Submission(job, ref.getUid()),
                in.getPool(),
                in.getQueue(),
                in.getAttempt(),
                in.getVersion(),
                in.getConfirm(),
                in.getEnvelope().getId(),
                wanted(in));
    }

    private static Wanted wanted(JobPlan in) {
        return switch (in.getKind()) {
            case RUN -> run(in.getJob().getUid(), present(in.getRun(), "run"));
            case STOP -> stop(present(in.getStop(), "stop"));
            case GONE -> new Gone();
            case UNKNOWN -> throw new Unknown("a kind of plan");
        };
    }

    private static Wanted run(String uid, RunPlan in) {
        var framework = framework(in);
        try {
            return new Run(
                    framework,
                    in.getNprocPerNode(),
                    in.getMasterPort(),
                    in.getLabels(),
                    in.getAnnotations(),
                    in.getPriorityClass(),
                    range(in),
                    in.getRoles().stream().map(PlanReading::role).toList(),
                    in.getPods().stream()
                            .map(pod ->
                                    new PlannedPod(
                                            new Rank(pod.getRole(), pod.getIndex()),
                                            pod.getIncarnation(),
                                            pod.getNode(),
                                            pod.getPort(),
                                            pod.getMemory(),
                                            pod.getForce(),
                                            pod.getInPlace(),
                                            pod.getHost(),
                                            millis(pod.getLeavingMillis()),
                                            pod.getSpot()))
                            .toList(),
                    new Spot(
                            in.getSpotSelector(),
                            in.getSpotTolerations().stream().map(PlanReading::toleration).toList()),
                    in.getLeastAvailable(),
                    grouping(in),
                    hosts(in),
                    checkpoint(uid, in),
                    in.getHook() == null ? null : hook(in.getHook()),
                    forced(in.getForced()),
                    millis(in.getGracePeriodMillis()),
                    in.getRepeats());
        } catch (IllegalArgumentException e) {
            return new Impossible("InvalidPlan", String.valueOf(e.getMessage()));
        }
    }

    private static @Nullable Hosts hosts(RunPlan in) {
        var version = in.getHostsVersion();
        return version == null ? null : new Hosts(version, shell(in));
    }

    private static Shell shell(RunPlan in) {
        return switch (in.getShell()) {
            case AGENT -> Shell.AGENT;
            case SSH -> Shell.SSH;
            case UNKNOWN -> throw new Unknown("a shell");
        };
    }

    private static Checkpoint checkpoint(String uid, RunPlan in) {
        var asked = in.getCheckpoint();
        return new Checkpoint(
                in.getCheckpointFile(),
                asked == null ? null : new CheckpointId(uid, Long.parseUnsignedLong(asked)));
    }

    private static Hook hook(PlannedHook in) {
        return new Hook(
                new Rank(in.getRole(), 0),
                in.getIncarnation(),
                in.getNode(),
                in.getHook().getCommand(),
                in.getHook().getEnv(),
                Duration.ofMillis(in.getHook().getTimeoutMillis()),
                in.getNumber(),
                new Scale(
                        in.getRequestId(),
                        in.getScaledRole(),
                        in.getFrom(),
                        in.getTo(),
                        in.getAdded(),
                        in.getRemoved()));
    }

    private static Toleration toleration(dev.muster.v1.Toleration in) {
        var effect = in.getEffect();
        return new TolerationBuilder()
                .withKey(in.getKey().isEmpty() ? null : in.getKey())
                .withOperator(in.getOperator() == TolerationOperator.EXISTS ? "Exists" : "Equal")
                .withValue(in.getValue().isEmpty() ? null : in.getValue())
                .withEffect(effect == null ? null : effect(effect))
                .build();
    }

    private static String effect(TaintEffect effect) {
        return switch (effect) {
            case NO_SCHEDULE -> "NoSchedule";
            case PREFER_NO_SCHEDULE -> "PreferNoSchedule";
            case NO_EXECUTE -> "NoExecute";
            case UNKNOWN -> throw new IllegalArgumentException("an effect of a taint is not known");
        };
    }

    private static Role role(PlannedRole in) {
        try {
            return new Role(
                    in.getName(),
                    in.getReplicas(),
                    in.getElastic(),
                    Templates.parse(in.getTemplate()),
                    restartsOnFailure(in.getRestart()),
                    in.getMainContainer(),
                    in.getSpotCount(),
                    in.getHostNetwork(),
                    in.getRestartCodes(),
                    in.getWorld(),
                    in.getFirstPort());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("role " + in.getName() + ": " + e.getMessage(), e);
        }
    }

    private static Stop stop(StopPlan in) {
        var kept = in.getKept();
        return new Stop(
                Duration.ofMillis(in.getGracePeriodMillis()),
                keep(in.getKeep()),
                forced(in.getForced()),
                backend(in.getBackend()),
                in.getSooner(),
                kept == null ? null : Set.copyOf(kept));
    }

    private static Forced forced(List<ForcedRank> ranks) {
        var before = new HashMap<Rank, Integer>();
        for (var rank : ranks) {
            var bound = rank.getBefore();
            before.merge(
                    new Rank(rank.getRole(), rank.getIndex()),
                    bound == null ? Forced.ALL : bound,
                    Math::max);
        }
        return new Forced(before);
    }

    private static @Nullable Duration millis(@Nullable Long said) {
        return said == null ? null : Duration.ofMillis(said);
    }

    private static @Nullable Range range(RunPlan in) {
        var min = in.getElasticMin();
        var max = in.getElasticMax();
        return min == null || max == null ? null : new Range(min, max);
    }

    private static Framework framework(RunPlan in) {
        return switch (in.getFramework()) {
            case NONE -> Framework.NONE;
            case PYTORCH -> Framework.PYTORCH;
            case HOROVOD -> Framework.HOROVOD;
            case DLROVER -> Framework.DLROVER;
            case UNKNOWN -> throw new Unknown("a framework");
        };
    }

    private static Grouping grouping(RunPlan in) {
        var queue = in.getBackendQueue();
        return new Grouping(
                backend(in.getBackend()),
                queue == null ? "" : queue,
                in.getGroups().stream()
                        .map(group ->
                                new Group(
                                        group.getRole(),
                                        new TreeMap<>(group.getMinimum()),
                                        new TreeMap<>(group.getResources())))
                        .toList(),
                in.getNodeSelector(),
                in.getAvoidedNodes());
    }

    static Backend backend(dev.muster.v1.Backend in) {
        return switch (in) {
            case NONE -> Backend.NONE;
            case VOLCANO -> Backend.VOLCANO;
            case UNKNOWN -> throw new Unknown("a backend");
        };
    }

    private static Keep keep(KeepPods in) {
        return switch (in) {
            case NONE -> Keep.NONE;
            case FINISHED -> Keep.FINISHED;
            case ALL -> Keep.ALL;
            case UNKNOWN -> throw new Unknown("what pods to keep");
        };
    }

    private static boolean restartsOnFailure(PodRestart in) {
        return switch (in) {
            case NEVER -> false;
            case ON_FAILURE -> true;
            case UNKNOWN -> throw new Unknown("a restart policy");
        };
    }

    private static <T> T present(@Nullable T part, String name) {
        if (part == null) {
            throw new Unknown("a plan of this kind without its " + name);
        }
        return part;
    }

    /** The record says something that this version has no word for. */
    private static final class Unknown extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unknown(String what) {
            super("says something that is not known here: " + what);
        }
    }
}
