package dev.muster.podmanager.core;

import static dev.muster.schemas.contract.LabelNames.ATTEMPT;
import static dev.muster.schemas.contract.LabelNames.GANG;
import static dev.muster.schemas.contract.LabelNames.HOOK;
import static dev.muster.schemas.contract.LabelNames.INCARNATION;
import static dev.muster.schemas.contract.LabelNames.INDEX;
import static dev.muster.schemas.contract.LabelNames.INSTALLATION;
import static dev.muster.schemas.contract.LabelNames.JOB;
import static dev.muster.schemas.contract.LabelNames.PART;
import static dev.muster.schemas.contract.LabelNames.PLAN;
import static dev.muster.schemas.contract.LabelNames.POOL;
import static dev.muster.schemas.contract.LabelNames.QUEUE;
import static dev.muster.schemas.contract.LabelNames.ROLE;
import static dev.muster.schemas.contract.LabelNames.UID;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The labels by which objects of Muster are known: writing and reading. */
public final class Labels {
    private Labels() {}

    /** Of an object that belongs to the whole job. */
    static Map<String, String> of(String installation, Plan plan) {
        var labels = new LinkedHashMap<String, String>();
        labels.put(INSTALLATION, installation);
        labels.put(JOB, plan.job().job().name());
        labels.put(UID, plan.job().uid());
        labels.put(ATTEMPT, Integer.toString(plan.attempt()));
        labels.put(PLAN, Long.toString(plan.version()));
        labels.put(POOL, plan.pool());
        labels.put(QUEUE, plan.queue());
        return labels;
    }

    /** Of a pod. */
    static Map<String, String> of(String installation, Plan plan, Plan.PlannedPod pod) {
        var labels = of(installation, plan);
        labels.put(ROLE, pod.rank().role());
        labels.put(INDEX, Integer.toString(pod.rank().index()));
        labels.put(INCARNATION, Integer.toString(pod.incarnation()));
        labels.put(PART, pod.rank().equals(Rank.HOOK) ? HOOK : GANG);
        return labels;
    }

    /** By which objects of the job find the pods of its gang. */
    static SortedMap<String, String> ofGang(Submission job) {
        return new TreeMap<>(Map.of(JOB, job.job().name(), UID, job.uid(), PART, GANG));
    }

    /**
     * Reads back what {@link #of} wrote.
     *
     * @return null when the object is not of this installation and this job, when a label is
     *     missing or makes no sense, or when the name is not the one we would have given: such an
     *     object is somebody else's, and none of our business
     */
    public static @Nullable Mark read(
            String installation, JobName job, Kind kind, String name, Map<String, String> labels) {
        if (!installation.equals(labels.get(INSTALLATION)) || !job.name().equals(labels.get(JOB))) {
            return null;
        }
        try {
            var mark =
                    new Mark(
                            text(labels, UID),
                            number(labels, ATTEMPT),
                            Long.parseLong(text(labels, PLAN)),
                            kind == Kind.POD ? making(labels) : null);
            Submission.offsetOf(mark.jobUid());
            var making = mark.making();
            boolean isGiven =
                    switch (kind) {
                        case POD -> making != null && making.rank().podName(job).equals(name);
                        case SERVICE, DISRUPTION_BUDGET -> job.name().equals(name);
                        case HOST_LIST -> HostList.name(job).equals(name);
                        case LAUNCHING_SECRET ->
                                LaunchingSecret.isOne(
                                        new Submission(job, mark.jobUid()), mark.attempt(), name);
                        case RESTART_REQUEST -> isRequest(job, name, labels);
                        case VOLCANO_GROUP -> GroupNames.isOne(job, mark.attempt(), name);
                    };
            return isGiven ? mark : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static boolean isRequest(JobName job, String name, Map<String, String> labels) {
        var asked = making(labels);
        return name.equals(RestartRequest.name(asked.rank().podName(job), asked.incarnation()));
    }

    private static Mark.Making making(Map<String, String> labels) {
        return new Mark.Making(
                new Rank(text(labels, ROLE), number(labels, INDEX)), number(labels, INCARNATION));
    }

    private static int number(Map<String, String> labels, String key) {
        return Integer.parseInt(text(labels, key));
    }

    private static String text(Map<String, String> labels, String key) {
        var value = labels.get(key);
        if (value == null) {
            throw new IllegalArgumentException("no label " + key);
        }
        return value;
    }
}
