package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject.OfRank;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A job of two workers that ran: what is left once it is forgotten. */
class ForgettingTest {
    private static final JobId ID = job("a", 1);

    private final Journal journal = new Journal();
    private final Tables tables = new Tables(journal);

    @BeforeEach
    void jobRan() {
        var play = Play.withNodes(4);
        new OneJob(play, ID).runs(workers(2, 1));
        play.allRows().forEach(tables::restore);
    }

    @ParameterizedTest
    @EnumSource(names = {"PLACE_AGAIN", "HINDERED"})
    void nothingIsToBeDoneForRanksThatAreForgotten(Alarm.Kind kind) {
        var first = new OfRank(ID, new RankId("worker", 0));
        tables.wakings.at(kind, first, tables.now());
        Forgetting.ranks(tables, known());
        assertThat(tables.wakings.of(kind, first)).isNull();
        assertThat(tables.gang(known()).all()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"GATHER", "REPAIR", "TTL", "EXCLUSION"})
    void nothingIsToBeDoneForAJobThatIsForgotten(Alarm.Kind kind) {
        tables.wakings.at(kind, ID, tables.now());
        Forgetting.all(tables, journal, known());
        assertThat(tables.wakings.of(kind, ID)).isNull();
        assertThat(tables.job(ID)).isNull();
    }

    @Test
    void thatItWasIsForgottenAMonthAfterItsEnd() {
        Forgetting.all(tables, journal, known());
        assertThat(tables.wakings.of(Alarm.Kind.FORGET, ID))
                .isEqualTo(tables.now().plus(Duration.ofDays(30)));
    }

    private Job known() {
        return tables.job(ID);
    }
}
