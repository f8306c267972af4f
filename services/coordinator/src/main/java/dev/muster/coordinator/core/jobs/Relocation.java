package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject.OfRank;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.state.Blindness;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Quotas;
import dev.muster.coordinator.core.state.Tables;
import java.util.ArrayList;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Ranks whose nodes would not have their pods go to others. */
public final class Relocation {
    private final Tables tables;
    private final Jobs jobs;
    private final NextMaking making;
    private final Siblings siblings;
    private final Quotas quotas;

    public Relocation(Tables tables, Journal journal, Jobs jobs) {
        this.tables = tables;
        this.jobs = jobs;
        this.making = new NextMaking(tables, journal);
        this.siblings = new Siblings(tables);
        this.quotas = tables.quotas;
    }

    /** The scheduler finds no node for it, or does again. */
    public static void watch(Tables tables, Rank rank) {
        var subject = OfRank.of(rank);
        boolean isOurs = !tables.settings().spec().backing().choosesNodes();
        if (isOurs && rank.sight().unschedulable() && rank.state() == RankState.PENDING) {
            tables.wakings.once(
                    Alarm.Kind.PLACE_AGAIN, subject, tables.now().plus(Alarm.RETRY_INTERVAL));
        } else {
            tables.wakings.none(Alarm.Kind.PLACE_AGAIN, subject);
        }
    }

    /**
     * Its node would not have it: another one, as a new making, while the gang's clock runs on. It
     * stays where no other has room, or where it is to be larger now than its quotas allow.
     */
    public void elsewhere(OfRank stuck) {
        var job = tables.job(stuck.job());
        var rank = tables.rank(stuck.job(), stuck.rank());
        if (job == null || rank == null || rank.isLeaving() || !job.state().isUp()) {
            return;
        }
        if (rank.state() != RankState.PENDING) {
            return; // What was seen of it since, or decided, says when it is made again.
        }
        if (Blindness.putsOff(tables, Alarm.Kind.PLACE_AGAIN, stuck)) {
            return; // It may run by now.
        }
        if (!moved(job, rank)) {
            tables.wakings.at(
                    Alarm.Kind.PLACE_AGAIN, stuck, tables.now().plus(Alarm.RETRY_INTERVAL));
        }
    }

    /**
     * To a node where it was not yet.
     *
     * @return false: there is none
     */
    boolean moved(Job job, Rank rank) {
        var avoided =
                Stream.concat(rank.making().avoided().stream(), Stream.of(rank.making().node()))
                        .distinct()
                        .toList();
        var closed = new ArrayList<>(avoided);
        closed.addAll(tables.ports.takenFrom(rank));
        var node =
                quotas.ofAgain(job, rank) == null
                        ? siblings.node(job, rank, closed, new TreeMap<>(), tables.capacity::placed)
                        : null;
        if (node == null) {
            return false;
        }
        // What its making before was forced off is gone: it leaves a node that lives.
        making.make(job, rank, node, avoided, 0);
        jobs.gather(job, Job.Due.PLAN_AND_STATUS);
        return true;
    }
}
