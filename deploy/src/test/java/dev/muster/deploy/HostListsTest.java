package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.deploy.HostLists.Deleted;
import dev.muster.deploy.HostLists.Ended;
import dev.muster.deploy.HostLists.Event;
import dev.muster.deploy.HostLists.Listed;
import dev.muster.deploy.HostLists.Made;
import dev.muster.deploy.HostLists.Over;
import dev.muster.deploy.HostLists.Told;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The judge of host lists sees what it is there for. */
class HostListsTest {
    private static final String JOB = "job";

    /** One of two workers leaves, and the launcher ends. */
    private static final List<Event> GOOD =
            List.of(
                    new Made(second(1), JOB, "job-worker-0", "a"),
                    new Made(second(1), JOB, "job-worker-1", "b"),
                    list(2, 1, "job-worker-0", "job-worker-1"),
                    new Told(second(3), JOB, 1),
                    list(10, 2, "job-worker-0"),
                    new Told(second(11), JOB, 2),
                    new Deleted(second(12), JOB, "b"),
                    new Over(second(20), JOB),
                    new Deleted(second(21), JOB, "a"));

    @Test
    void whatIsInOrderIsNotTalkedOf() {
        assertThat(HostLists.wrong(GOOD)).isEmpty();
    }

    @Test
    void orderIsThatOfTimeAndNotThatOfTheLog() {
        assertThat(HostLists.wrong(GOOD.reversed())).isEmpty();
    }

    @Test
    void hostThatIsDeletedBeforeTheListIsWithoutItIsSeen() {
        assertThat(HostLists.wrong(with(6, new Deleted(second(9), JOB, "b"))))
                .containsExactly("job: job-worker-1 is deleted while the host list has it");
    }

    @Test
    void hostThatIsDeletedBeforeTheLauncherIsToldIsSeen() {
        assertThat(HostLists.wrong(with(5, new Told(second(13), JOB, 2))))
                .containsExactly(
                        "job: job-worker-1 is deleted before the launcher is told of list 2");
    }

    @Test
    void listThatMissesWhoIsThereIsSeen() {
        assertThat(HostLists.wrong(with(4, list(10, 2))))
                .containsExactly("job: the last host list has [], and [job-worker-0] are there");
    }

    @Test
    void listThatIsNeverWrittenIsSeen() {
        assertThat(
                        HostLists.wrong(
                                List.of(
                                        new Made(second(1), JOB, "job-worker-0", "a"),
                                        new Over(second(20), JOB))))
                .containsExactly("job: the last host list has [], and [job-worker-0] are there");
    }

    @Test
    void listThatStillHasWhoEndedIsSeen() {
        assertThat(HostLists.wrong(with(8, new Ended(second(15), JOB, "a"))))
                .containsExactly("job: the last host list has [job-worker-0], and [] are there");
    }

    @Test
    void anotherPodOfTheNameIsThatHost() {
        var again = new ArrayList<>(GOOD);
        again.add(new Ended(second(14), JOB, "a"));
        again.add(new Made(second(15), JOB, "job-worker-0", "c"));
        assertThat(HostLists.wrong(again)).isEmpty();
    }

    @Test
    void whoNeverWasInAListMayGoWhenever() {
        var undone = new ArrayList<>(GOOD);
        undone.add(new Made(second(9), JOB, "job-worker-2", "c"));
        // The launcher is not told of the list yet that was just written.
        undone.add(new Deleted(second(10), JOB, "c"));
        assertThat(HostLists.wrong(undone)).isEmpty();
    }

    @Test
    void jobsAreJudgedEachForItself() {
        var other = new ArrayList<>(GOOD);
        other.add(new Made(second(1), "other", "other-worker-0", "o"));
        other.add(new Over(second(5), "other"));
        assertThat(HostLists.wrong(other))
                .containsExactly(
                        "other: the last host list has [], and [other-worker-0] are there");
    }

    private static List<Event> with(int at, Event other) {
        var events = new ArrayList<>(GOOD);
        events.set(at, other);
        return events;
    }

    private static Listed list(long at, long version, String... hosts) {
        return new Listed(second(at), JOB, version, Set.of(hosts));
    }

    private static Instant second(long second) {
        return Instant.ofEpochSecond(second);
    }
}
