package dev.muster.podmanager.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgendaTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final JobName A = new JobName("ml", "a");
    private static final JobName B = new JobName("ml", "b");

    private final Agenda agenda =
            new Agenda(new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(4)));

    @Test
    void jobsComeInTheOrderInWhichTheyWereOffered() {
        agenda.offer(B, NOON);
        agenda.offer(A, NOON);
        agenda.offer(B, NOON);
        assertThat(agenda.take(NOON)).contains(B);
        assertThat(agenda.take(NOON)).contains(A);
        assertThat(agenda.take(NOON)).isEmpty();
    }

    @Test
    void newsGoBeforeWhatIsLateAndNotForEver() {
        agenda.offerLate(A, NOON);
        agenda.offerLate(B, NOON);
        var news = new ArrayList<JobName>();
        for (int i = 0; i < 5; i++) {
            news.add(new JobName("ml", "new-" + i));
            agenda.offer(news.get(i), NOON.plusSeconds(1));
        }
        assertThat(taken(NOON.plusSeconds(1)))
                .containsExactly(
                        news.get(0), news.get(1), news.get(2), A, news.get(3), news.get(4), B);
    }

    @Test
    void newsOfALateJobBringItForward() {
        agenda.offerLate(A, NOON);
        agenda.offerLate(B, NOON);
        agenda.offer(B, NOON);
        agenda.offerLate(B, NOON);
        assertThat(taken(NOON)).containsExactly(B, A);
        assertThat(agenda.nextDue()).isEmpty();
    }

    @Test
    void newsThatWentAloneDoNotCount() {
        agenda.offer(A, NOON);
        agenda.offer(B, NOON);
        var more = List.of(new JobName("ml", "c"), new JobName("ml", "d"));
        more.forEach(job -> agenda.offer(job, NOON));
        assertThat(taken(NOON)).hasSize(4);
        var late = new JobName("ml", "late");
        var news = new JobName("ml", "news");
        agenda.offerLate(late, NOON);
        agenda.offer(news, NOON);
        assertThat(taken(NOON)).containsExactly(news, late);
    }

    /** As one that is taken over again while the pass of the time before goes on. */
    @Test
    void lateJobInHandIsLookedAtAfterwards() {
        agenda.offer(A, NOON);
        agenda.take(NOON);
        agenda.drop(_ -> true);
        agenda.offerLate(A, NOON);
        assertThat(agenda.take(NOON)).isEmpty();
        agenda.done(A, NOON);
        assertThat(agenda.take(NOON)).contains(A);
    }

    @Test
    void lateJobDoesNotWaitUntilAFailureIsTriedAgain() {
        agenda.offer(A, NOON);
        agenda.take(NOON);
        agenda.retry(A, NOON, false, Duration.ZERO);
        agenda.offerLate(A, NOON);
        assertThat(taken(NOON)).containsExactly(A);
        assertThat(agenda.take(NOON.plusSeconds(60))).isEmpty();
    }

    @Test
    void lateJobIsForgottenLikeOthers() {
        agenda.offerLate(A, NOON);
        assertThat(agenda.nextDue()).contains(NOON);
        agenda.drop(A::equals);
        assertThat(agenda.nextDue()).isEmpty();
        assertThat(agenda.take(NOON)).isEmpty();
    }

    private List<JobName> taken(Instant now) {
        return Stream.generate(() -> agenda.take(now))
                .takeWhile(Optional::isPresent)
                .flatMap(Optional::stream)
                .toList();
    }

    @Test
    void ofOneJobOnlyOnePassRuns() {
        agenda.offer(A, NOON);
        agenda.take(NOON);
        agenda.offer(A, NOON);
        assertThat(agenda.take(NOON)).isEmpty();
        agenda.done(A, NOON);
        assertThat(agenda.take(NOON)).contains(A);
    }

    @Test
    void whatIsDoneDoesNotComeAgain() {
        agenda.offer(A, NOON);
        agenda.take(NOON);
        agenda.done(A, NOON);
        assertThat(agenda.nextDue()).isEmpty();
    }

    @Test
    void failuresWaitLongerAndLonger() {
        agenda.offer(A, NOON);
        var now = NOON;
        for (int seconds : new int[] {1, 2, 4, 4}) {
            agenda.take(now);
            agenda.retry(A, now, false, Duration.ZERO);
            assertThat(agenda.nextDue()).contains(now.plusSeconds(seconds));
            now = now.plusSeconds(seconds);
        }
    }

    @Test
    void aSuccessForgetsTheFailures() {
        agenda.offer(A, NOON);
        agenda.take(NOON);
        agenda.retry(A, NOON, false, Duration.ZERO);
        agenda.take(NOON.plusSeconds(1));
        agenda.done(A, NOON);
        agenda.offer(A, NOON);
        agenda.take(NOON);
        agenda.retry(A, NOON, false, Duration.ZERO);
        assertThat(agenda.nextDue()).contains(NOON.plusSeconds(1));
    }

    @Test
    void whoGotOnBeforeItFailedWaitsAsAfterAFirstFailure() {
        agenda.offer(A, NOON);
        var now = NOON;
        for (boolean onward : new boolean[] {false, false, true, false}) {
            agenda.take(now);
            agenda.retry(A, now, onward, Duration.ZERO);
            now = agenda.nextDue().orElseThrow();
        }
        assertThat(now).isEqualTo(NOON.plusSeconds(1 + 2 + 1 + 2));
    }

    @Test
    void theOtherSideMayAskForMore() {
        agenda.offer(A, NOON);
        agenda.take(NOON);
        agenda.retry(A, NOON, false, Duration.ofSeconds(30));
        assertThat(agenda.nextDue()).contains(NOON.plusSeconds(30));
    }

    @Test
    void somethingNewEndsTheWait() {
        agenda.offer(A, NOON);
        agenda.take(NOON);
        agenda.retry(A, NOON, false, Duration.ZERO);
        agenda.offer(A, NOON);
        assertThat(agenda.take(NOON)).contains(A);
    }

    @Test
    void somethingNewDuringAFailingPassIsTriedAtOnce() {
        agenda.offer(A, NOON);
        agenda.take(NOON);
        agenda.offer(A, NOON);
        agenda.retry(A, NOON, false, Duration.ZERO);
        assertThat(agenda.take(NOON)).contains(A);
    }

    @Test
    void whatOnlyWaitsIsLookedAtAtAnEvenPace() {
        agenda.offer(A, NOON);
        agenda.take(NOON);
        agenda.lookAgain(A, NOON, Duration.ofSeconds(1));
        assertThat(agenda.take(NOON)).isEmpty();
        assertThat(agenda.take(NOON.plusSeconds(1))).contains(A);
        agenda.offer(A, NOON.plusSeconds(1));
        agenda.lookAgain(A, NOON.plusSeconds(1), Duration.ofSeconds(1));
        assertThat(agenda.take(NOON.plusSeconds(1))).contains(A);
    }

    @Test
    void droppedJobsDoNotComeAndAPassAtHandStillBlocksItsName() {
        agenda.offer(A, NOON);
        agenda.offer(B, NOON);
        agenda.take(NOON);
        agenda.drop(_ -> true);
        assertThat(agenda.nextDue()).isEmpty();
        agenda.offer(A, NOON);
        assertThat(agenda.take(NOON)).isEmpty();
        agenda.done(A, NOON);
        assertThat(agenda.take(NOON)).contains(A);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whateverComesNoOfferIsLostAndNoNameIsInHandTwice(long seed) {
        var random = new Random(seed);
        var inHand = new HashSet<JobName>();
        Map<JobName, Integer> unseen = new HashMap<>();
        var now = NOON;
        for (int step = 0; step < 2_000; step++) {
            var job = new JobName("ml", "j" + random.nextInt(5));
            switch (random.nextInt(4)) {
                case 0 -> {
                    if (random.nextBoolean()) {
                        agenda.offer(job, now);
                    } else {
                        agenda.offerLate(job, now);
                    }
                    unseen.merge(job, 1, Integer::sum);
                }
                case 1 -> {
                    var taken = agenda.take(now);
                    taken.ifPresent(t -> {
                        assertThat(inHand.add(t)).isTrue();
                        unseen.remove(t);
                    });
                }
                case 2 -> finish(random, inHand, now);
                default -> now = now.plusMillis(random.nextInt(2_000));
            }
        }
        for (var job : Set.copyOf(inHand)) {
            agenda.done(job, now);
        }
        now = now.plusSeconds(60);
        for (var next = agenda.take(now); next.isPresent(); next = agenda.take(now)) {
            unseen.remove(next.get());
            agenda.done(next.get(), now);
        }
        assertThat(unseen).isEmpty();
    }

    private void finish(Random random, Set<JobName> inHand, Instant now) {
        var first = inHand.stream().findFirst();
        if (first.isPresent()) {
            inHand.remove(first.get());
            if (random.nextBoolean()) {
                agenda.done(first.get(), now);
            } else {
                agenda.retry(first.get(), now, false, Duration.ZERO);
            }
        }
    }
}
