package dev.muster.coordinator.core.state;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Alarm.Kind;
import dev.muster.coordinator.core.model.Alarm.Subject.OfJob;
import dev.muster.coordinator.core.model.JobId;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class WakingsTest {
    private static final JobId ID = job("a", 1);
    private static final JobId OTHER = job("b", 2);
    private static final Instant LATER = NOON.plusSeconds(1);

    private final Tables tables = new Tables(new Journal());
    private final Wakings wakings = tables.wakings;

    @Test
    void lastTimeThatIsSetCounts() {
        wakings.at(Kind.TTL, ID, NOON);
        wakings.at(Kind.TTL, ID, LATER);
        assertThat(wakings.of(Kind.TTL, ID)).isEqualTo(LATER);
        wakings.at(Kind.TTL, ID, NOON);
        assertThat(wakings.of(Kind.TTL, ID)).isEqualTo(NOON);
        assertThat(wakings.of(Kind.TTL, OTHER)).isNull();
        assertThat(wakings.of(Kind.HOOK, ID)).isNull();
    }

    @Test
    void firstTimeCountsOfWhatIsSetOnce() {
        wakings.once(Kind.TTL, ID, LATER);
        wakings.once(Kind.TTL, ID, NOON);
        assertThat(wakings.of(Kind.TTL, ID)).isEqualTo(LATER);
    }

    @Test
    void soonestTimeCountsOfWhatIsNotToBeLater() {
        wakings.notLater(Kind.TTL, ID, LATER);
        wakings.notLater(Kind.TTL, ID, LATER.plusSeconds(1));
        assertThat(wakings.of(Kind.TTL, ID)).isEqualTo(LATER);
        wakings.notLater(Kind.TTL, ID, NOON);
        assertThat(wakings.of(Kind.TTL, ID)).isEqualTo(NOON);
    }

    @Test
    void whatIsSetNoMoreLeavesTheOthers() {
        wakings.at(Kind.TTL, ID, NOON);
        wakings.at(Kind.HOOK, ID, NOON);
        wakings.at(Kind.TTL, OTHER, NOON);
        wakings.none(Kind.TTL, ID);
        wakings.none(Kind.ROOM, ID);
        assertThat(wakings.isSet(Kind.TTL, ID)).isFalse();
        assertThat(wakings.isSet(Kind.HOOK, ID)).isTrue();
        assertThat(wakings.isSet(Kind.TTL, OTHER)).isTrue();
    }

    @Test
    void severalAreSetNoMoreAtOnce() {
        wakings.at(Kind.TTL, ID, NOON);
        wakings.at(Kind.HOOK, ID, NOON);
        wakings.at(Kind.ROOM, ID, NOON);
        wakings.none(List.of(Kind.TTL, Kind.ROOM, Kind.DRAIN), ID);
        assertThat(wakings.isSet(Kind.TTL, ID)).isFalse();
        assertThat(wakings.isSet(Kind.HOOK, ID)).isTrue();
        assertThat(wakings.isSet(Kind.ROOM, ID)).isFalse();
    }

    @Test
    void jobIsASubject() {
        wakings.at(Kind.TTL, ID, NOON);
        assertThat(wakings.of(Kind.TTL, new OfJob(ID))).isEqualTo(NOON);
    }
}
