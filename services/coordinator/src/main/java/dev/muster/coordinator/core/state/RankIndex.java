package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.gang.Gang;
import dev.muster.coordinator.core.gang.GangRequirements;
import dev.muster.coordinator.core.gang.GrowableJobs;
import dev.muster.coordinator.core.gang.Ports;
import dev.muster.coordinator.core.gang.Residents;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Use;
import dev.muster.coordinator.core.placement.Capacity;
import dev.muster.coordinator.core.queue.Ledger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All ranks of a pool, as gangs, and what they use: of nodes, their ports, and quotas. */
final class RankIndex {
    private final JobIndex jobs;
    private final Capacity capacity;
    private final Ledger ledger;
    private final Namespaces namespaces;
    private final Map<JobId, Gang> gangs = new LinkedHashMap<>();
    final Ports ports = new Ports();
    final Residents residents = new Residents();

    RankIndex(JobIndex jobs, Capacity capacity, Ledger ledger, Namespaces namespaces) {
        this.jobs = jobs;
        this.capacity = capacity;
        this.ledger = ledger;
        this.namespaces = namespaces;
    }

    void put(Rank rank) {
        var job = job(rank);
        var makeup = jobs.makeup(job);
        var gang = gangs.computeIfAbsent(job.id(), _ -> new Gang(makeup));
        var used = ledger.inNamespace(job.id().namespace());
        var before = gang.put(rank);
        if (before != null) {
            use(job, before, -1);
        }
        if (GrowableJobs.mayChange(before, rank, makeup)) {
            jobs.growing.put(job, makeup, gang);
        }
        jobs.unawaited.put(job, gang);
        use(job, rank, 1);
        namespaces.usedBefore(job.id().namespace(), used);
    }

    void remove(Rank rank) {
        var job = job(rank);
        var used = ledger.inNamespace(job.id().namespace());
        use(job, rank, -1);
        namespaces.usedBefore(job.id().namespace(), used);
        var gang = gang(job);
        gang.remove(rank);
        if (gang.size() == 0) {
            gangs.remove(rank.job());
        }
        jobs.growing.put(job, jobs.makeup(job), gangs.get(rank.job()));
        jobs.unawaited.put(job, gang);
    }

    private Job job(Rank rank) {
        var job = jobs.get(rank.job());
        if (job == null) {
            throw new IllegalStateException("rank without its job: " + rank.key());
        }
        return job;
    }

    /** Its job is another one now. */
    void follow(JobIndex.Known known) {
        var job = known.job();
        var gang = gangs.get(job.id());
        if (gang != null) {
            gang.follow(known.makeup());
        }
        jobs.growing.put(job, known.makeup(), gang);
        jobs.unawaited.put(job, gang);
    }

    /** All its pods keep apart from others as its makeup says, from now on or no more. */
    void settle(JobIndex.Known known, int sign) {
        var gang = gangs.get(known.job().id());
        if (gang != null && !known.makeup().repulsions().isEmpty()) {
            gang.all().stream()
                    .filter(rank -> !rank.sight().released())
                    .forEach(rank -> settle(known.makeup(), rank, sign));
        }
    }

    private void settle(GangRequirements makeup, Rank rank, int sign) {
        var repulsion = makeup.repulsion(rank.id().role());
        if (!repulsion.isNone()) {
            capacity.settle(rank.making().node(), rank.job(), repulsion, sign);
        }
    }

    void forget(JobId job) {
        gangs.remove(job);
    }

    Gang gang(Job job) {
        var gang = gangs.get(job.id());
        return gang == null ? new Gang(jobs.makeup(job)) : gang;
    }

    /** Every job that has ranks, in order. */
    List<JobId> jobs() {
        return gangs.keySet().stream().sorted().toList();
    }

    private void use(Job job, Rank rank, int sign) {
        ports.count(rank, sign);
        residents.count(rank, sign);
        var sight = rank.sight();
        if (sight.released() && sight.gone()) {
            return;
        }
        var pod = job.spec().podOf(rank);
        if (sight.released() && sign > 0) {
            ledger.charge(job.id().namespace(), Use.ENDED);
        } else if (sight.released()) {
            ledger.release(job.id().namespace(), Use.ENDED);
        } else if (sign > 0) {
            capacity.occupy(rank.making().node(), pod.demand());
            settle(jobs.makeup(job), rank, 1);
            ledger.charge(Ledger.Payer.of(job), Use.of(pod));
        } else {
            settle(jobs.makeup(job), rank, -1);
            capacity.release(rank.making().node(), pod.demand());
            ledger.release(Ledger.Payer.of(job), Use.of(pod));
        }
    }
}
