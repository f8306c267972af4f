package dev.muster.coordinator.history.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FindingsTest {
    private final Findings findings = new Findings();

    private static Finding.NotPublished missing(long offset) {
        return new Finding.NotPublished(offset, "topic", "0-" + offset + "/0", "");
    }

    private static Finding differs(long offset) {
        return new Finding.Differs(offset, "topic", "0-" + offset + "/0", "", "");
    }

    private void differ(long from, long to) {
        for (long offset = from; offset <= to; offset++) {
            findings.nextRecord();
            findings.add(differs(offset));
        }
    }

    @Test
    void whatIsMissingComesBeforeWhatDiffersLater() {
        findings.nextRecord();
        findings.add(missing(100), 99);
        assertThat(findings.ofRecord()).isEmpty();
        differ(101, 125);

        assertThat(findings.ofRecord()).containsExactly(differs(125));
        findings.settle(125);
        assertThat(findings.first()).hasSize(20).startsWith(missing(100), differs(101));
        assertThat(findings.differences()).isEqualTo(26);
        assertThat(findings.unsettled()).isZero();
    }

    @Test
    void whatWasPublishedOfLaterRecordsSettlesAtOnceThatAnOutputIsMissing() {
        findings.nextRecord();
        findings.add(missing(100), 101);
        assertThat(findings.ofRecord()).containsExactly(missing(100));
        assertThat(findings.differences()).isEqualTo(1);
    }

    /** A record that no output was shows only with the next output of its partition. */
    @Test
    void whatIsFoundLateStandsWhereItBelongs() {
        differ(1, 25);
        var stray = new Finding.NotReplayed(0, "topic", "0-0/0", "");
        findings.add(stray);
        assertThat(findings.first()).hasSize(20).startsWith(stray).endsWith(differs(19));
    }

    @Test
    void whatIsMissingBehindTheNewestIsNoDifference() {
        for (long offset = 1; offset <= 50; offset++) {
            findings.add(missing(offset), 0);
            findings.add(missing(offset), 0);
        }
        findings.settle(15);
        assertThat(findings.differences()).isEqualTo(30);
        assertThat(findings.unsettled()).isEqualTo(70);
        assertThat(findings.first())
                .extracting(Finding::offset)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(2, 21).map(twice -> twice / 2).boxed().toList());
    }
}
