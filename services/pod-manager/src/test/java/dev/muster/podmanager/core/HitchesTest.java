package dev.muster.podmanager.core;

import static dev.muster.podmanager.core.Plans.NEWER;
import static dev.muster.podmanager.core.Plans.UID;
import static dev.muster.podmanager.core.Plans.gang;
import static dev.muster.podmanager.core.Plans.planOf;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class HitchesTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Instant LATER = NOON.plus(Hitch.PATIENCE);
    private static final Hitch A = new Hitch("A", "why");
    private static final Hitch B = new Hitch("B", "why", Duration.ofSeconds(90));
    private static final Plan JOB = gang(1, 1);

    private final Hitches hitches = new Hitches();

    @Test
    void whatPassesSoonIsNotTold() {
        assertThat(hitches.isToBeTold(JOB, A, false, NOON)).isFalse();
        assertThat(hitches.isToBeTold(JOB, A, false, LATER.minusMillis(1))).isFalse();
        hitches.over(JOB.job());
        assertThat(hitches.isToBeTold(JOB, A, false, LATER)).isFalse();
    }

    @Test
    void whatLastsIsToldUntilThatHasWorkedAndNotAgain() {
        hitches.isToBeTold(JOB, A, false, NOON);
        assertThat(hitches.isToBeTold(JOB, A, false, LATER)).isTrue();
        assertThat(hitches.isToBeTold(JOB, A, false, LATER)).isTrue();
        hitches.told(JOB);
        assertThat(hitches.isToBeTold(JOB, A, false, LATER.plusSeconds(60))).isFalse();
    }

    @Test
    void somethingElseHasAPatienceOfItsOwn() {
        hitches.isToBeTold(JOB, A, false, NOON);
        hitches.told(JOB);
        assertThat(hitches.isToBeTold(JOB, B, false, LATER)).isFalse();
        assertThat(hitches.isToBeTold(JOB, B, false, LATER.plusSeconds(89))).isFalse();
        assertThat(hitches.isToBeTold(JOB, B, false, LATER.plusSeconds(90))).isTrue();
        hitches.told(JOB);
        var then = LATER.plusSeconds(91);
        assertThat(hitches.isToBeTold(JOB, A, false, then)).isFalse();
        assertThat(hitches.isToBeTold(JOB, A, false, then.plusSeconds(10))).isTrue();
    }

    @Test
    void otherWordsAreToldOnceOthersThanThoseToldHaveLasted() {
        hitches.isToBeTold(JOB, A, false, NOON);
        assertThat(hitches.isToBeTold(JOB, words("other"), false, LATER)).isTrue();
        hitches.told(JOB);
        var then = LATER.plusSeconds(60);
        assertThat(hitches.isToBeTold(JOB, A, false, then)).isFalse();
        assertThat(hitches.isToBeTold(JOB, words("third"), false, then.plusSeconds(119))).isFalse();
        assertThat(hitches.isToBeTold(JOB, A, false, then.plusSeconds(120))).isTrue();
        hitches.told(JOB);
        assertThat(hitches.isToBeTold(JOB, A, false, then.plusSeconds(300))).isFalse();
    }

    @Test
    void otherWordsThatPassAreNotTold() {
        hitches.isToBeTold(JOB, A, false, NOON);
        hitches.isToBeTold(JOB, A, false, LATER);
        hitches.told(JOB);
        for (int i = 1; i < 10; i++) {
            var then = LATER.plusSeconds(119 * i);
            assertThat(hitches.isToBeTold(JOB, i % 2 == 0 ? A : words("other"), false, then))
                    .isFalse();
        }
    }

    private static Hitch words(String message) {
        return new Hitch(A.reason(), message);
    }

    @Test
    void whoGetsOnHasNotWaitedForLong() {
        hitches.isToBeTold(JOB, A, false, NOON);
        assertThat(hitches.isToBeTold(JOB, A, true, LATER)).isFalse();
        assertThat(hitches.isToBeTold(JOB, A, false, LATER.plus(Hitch.PATIENCE))).isTrue();
    }

    /** A pool passes over what is said of a plan that was carried out, or of an attempt before. */
    @Test
    void whatAPoolWasToldOfOnePlanItDoesNotKnowOfTheNext() {
        var next = gang(1, 2);
        hitches.isToBeTold(JOB, A, false, NOON);
        hitches.told(JOB);
        var then = LATER.plusSeconds(60);
        assertThat(hitches.isToBeTold(JOB, A, false, then)).isFalse();
        assertThat(hitches.isToBeTold(next, A, false, then.plusSeconds(9))).isFalse();
        assertThat(hitches.isToBeTold(next, A, false, then.plusSeconds(10))).isTrue();
        hitches.told(JOB); // Said before, and only now there.
        assertThat(hitches.isToBeTold(next, A, false, then.plusSeconds(11))).isTrue();
        hitches.told(next);
        assertThat(hitches.isToBeTold(next, A, false, then.plusSeconds(300))).isFalse();
    }

    @Test
    void whatDidNotArriveIsToldAfterAnotherPatience() {
        hitches.isToBeTold(JOB, A, false, NOON);
        hitches.told(JOB);
        assertThat(hitches.isToBeTold(JOB, A, false, LATER)).isFalse();
        hitches.notTold(gang(1, 2));
        assertThat(hitches.isToBeTold(JOB, A, false, LATER.plusSeconds(1))).isFalse();
        hitches.notTold(JOB);
        assertThat(hitches.isToBeTold(JOB, A, false, LATER.plusSeconds(10))).isFalse();
        assertThat(hitches.isToBeTold(JOB, A, false, LATER.plusSeconds(11))).isTrue();
    }

    @Test
    void jobThatIsSomebodyElsesNowIsForgotten() {
        var another = planOf(NEWER, 1, gang(1, 1).wanted());
        hitches.isToBeTold(JOB, A, false, NOON);
        hitches.isToBeTold(another, A, false, NOON);
        hitches.drop(job -> job.uid().equals(UID));
        assertThat(hitches.isToBeTold(JOB, A, false, LATER)).isFalse();
        assertThat(hitches.isToBeTold(another, A, false, LATER)).isTrue();
    }
}
