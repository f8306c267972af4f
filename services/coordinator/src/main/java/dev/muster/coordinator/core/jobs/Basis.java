package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.gang.Gang;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Scaling;

/** A job and its gang as the next command of scale finds them. */
record Basis(Job job, Gang gang) {

    /**
     * The next command takes the place of the one under way: whom that was to take once the job had
     * saved stays, since it has not, and the size is what it was before.
     */
    static Basis of(Job job, Gang gang) {
        var before = Scaling.underWay(job);
        if (before == null) {
            return new Basis(job, gang);
        }
        var staying =
                gang.leaving(before.role()).stream()
                        .filter(rank -> Departures.isUnsaved(job, rank, before.number()))
                        .toList();
        if (staying.isEmpty()) {
            return new Basis(job, gang);
        }
        // One that brings some has taken of those alone.
        int wished = job.spec().role(before.role()).replicas();
        int size = before.brings() ? wished + staying.size() : before.from();
        var work = job.spec().work().sized(before.role(), size);
        return new Basis(job.with(job.spec().with(work)), gang.staying(staying));
    }
}
