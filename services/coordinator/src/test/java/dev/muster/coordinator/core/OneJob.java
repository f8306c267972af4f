package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.Fixtures.WATCHER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Row;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One job of workers at play, and what is seen of it. */
public final class OneJob {
    private final Play play;
    private final JobId id;
    private long version = 100;

    public OneJob(Play play, JobId id) {
        this.play = play;
        this.id = id;
    }

    long nextVersion() {
        return version++;
    }

    /** The newest making of a rank is seen so. */
    public void seeNewest(int index, PodPhase phase, @Nullable Integer exitCode) {
        var node = rank(index).making().node();
        play.on(
                new Event.PodSeen(
                        WATCHER,
                        id,
                        Fixtures.pod(newest(index), version++, phase, node, exitCode)));
    }

    /** The newest making of a rank runs, and is not ready. */
    void seeUnready(int index) {
        var node = rank(index).making().node();
        var pod = Fixtures.pod(newest(index), version++, PodPhase.RUNNING, node, null);
        play.on(new Event.PodSeen(WATCHER, id, Fixtures.unready(pod)));
    }

    /** The newest making of a rank runs, for another time in its pod. */
    void seeAgain(int index, int times, int exitCode) {
        var node = rank(index).making().node();
        var pod = Fixtures.pod(newest(index), version++, PodPhase.RUNNING, node, null);
        var end = new Event.ContainerEnd(exitCode, "Error", "");
        play.on(
                new Event.PodSeen(
                        WATCHER, id, Fixtures.again(pod, new Event.EarlierRuns(times, end))));
    }

    /** Submitted, placed, and all of it runs. */
    void runs(JobSpec spec) {
        play.on(new Event.Submitted(id, spec, null));
        applied(false);
        for (int i = 0; i < spec.pods(); i++) {
            see(i, PodPhase.RUNNING, null);
        }
        assertThat(play.job(id).state()).isInstanceOf(JobState.Running.class);
        play.takeEffects();
    }

    void fail(int index, int exitCode) {
        see(index, PodPhase.FAILED, exitCode);
    }

    void succeed(int index) {
        see(index, PodPhase.SUCCEEDED, 0);
    }

    void see(int index, PodPhase phase, @Nullable Integer exitCode) {
        var node = rank(index).making().node();
        play.on(
                new Event.PodSeen(
                        WATCHER, id, Fixtures.pod(mark(index), version++, phase, node, exitCode)));
    }

    /** The only rank of a role beside workers is seen so. */
    void see(String role, PodPhase phase, @Nullable Integer exitCode) {
        var key = Rank.id(id, new RankId(role, 0));
        var making = ((Rank) play.rows.get(Row.Table.RANK).get(key)).making();
        var mark = Fixtures.mark(role, 0, making.incarnation());
        play.on(
                new Event.PodSeen(
                        WATCHER,
                        id,
                        Fixtures.pod(mark, version++, phase, making.node(), exitCode)));
    }

    void gone(int index) {
        play.on(new Event.PodGone(WATCHER, id, mark(index)));
    }

    public void applied(boolean confirm) {
        play.on(new Event.PlanApplied(id, play.job(id).fences().plan(), confirm, List.of()));
    }

    static Event.PodMark mark(int index) {
        return Fixtures.mark("worker", index, index + 1);
    }

    Event.PodMark newest(int index) {
        var making = rank(index).making();
        var first = Fixtures.mark("worker", index, making.incarnation());
        return new Event.PodMark(
                first.rank(), making.attempt(), making.incarnation(), 1, first.podUid());
    }

    Rank rank(int index) {
        var key = Rank.id(id, new RankId("worker", index));
        return (Rank) play.rows.get(Row.Table.RANK).get(key);
    }

    /** The same pod, whose image is not there. */
    static Event.Pod hindered(Event.Pod pod) {
        return new Event.Pod(
                pod.mark(),
                pod.resourceVersion(),
                pod.phase(),
                pod.node(),
                false,
                false,
                false,
                null,
                new Event.Hindrance("ErrImagePull", "no such image"),
                "",
                "",
                null);
    }
}
