package dev.muster.coordinator.history.replay;

import dev.muster.coordinator.history.log.InboxRecord;
import dev.muster.coordinator.history.replay.Published.Sent;
import dev.muster.coordinator.history.replay.Published.Source;
import dev.muster.coordinator.stream.avro.Output;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.avro.specific.SpecificRecord;

/** Feeds a pool's inbox to the core once more and compares all that it says with what was said. */
public final class Replay {
    private final PoolCopy copy;
    private final Published published;
    private final String coreVersion;
    private final Findings findings = new Findings();
    private final List<Sent> strays = new ArrayList<>();
    private final Set<Long> parked = new HashSet<>();

    /** From which inbox record on another version of the core decided, and from which ours. */
    private final NavigableMap<Long, Boolean> byAnother = new TreeMap<>();

    private long records;
    private long same;
    private long cleanedAway;
    private long byOthers;
    private long deletions;

    /**
     * What came of a replay.
     *
     * @param records that were fed and compared
     * @param same outputs that were published so, field by field
     * @param differences of all kinds
     * @param cleanedAway outputs whose topic keeps only the newest, or kept them for less long
     * @param byOthers outputs of records that another version of the core decided, be they
     *     published or only replayed: not compared
     * @param unanswered outputs of the last records, which the coordinator has not taken in yet
     * @param deletions that were made: what is published of them does not say where it comes from,
     *     and is not compared
     * @param findings the first of them, in order
     */
    public record Result(
            long records,
            long same,
            long differences,
            long cleanedAway,
            long byOthers,
            long unanswered,
            long deletions,
            List<Finding> findings) {
        /** Something was, or nothing was to follow; else that it is the same says nothing. */
        public boolean isCompared() {
            boolean nothing = cleanedAway + byOthers + unanswered + deletions == 0;
            return same + differences > 0 || records > 0 && nothing;
        }

        public boolean isSame() {
            return differences == 0;
        }
    }

    /**
     * @param copy where the replay begins
     * @param coreVersion of the rules in this process
     */
    public Replay(PoolCopy copy, Published published, String coreVersion) {
        this.copy = copy;
        this.published = published;
        this.coreVersion = coreVersion;
    }

    /**
     * Feeds the records one after the other.
     *
     * @param from those before the first that is not earlier are fed, but not compared
     * @param look is shown each record that is compared, and what came of it
     */
    public Result run(
            Iterator<InboxRecord> inbox, Instant from, BiConsumer<Heard, List<Finding>> look) {
        boolean begun = false;
        while (inbox.hasNext()) {
            var in = inbox.next();
            if (!begun && in.appended().isBefore(from)) {
                if (copy.take(in) instanceof Heard.Unusable unusable) {
                    findings.add(unusable.finding());
                    published.skipTo(in.offset());
                    break;
                }
                continue;
            }
            if (!begun) {
                published.skipTo(in.offset());
                begun = true;
            }
            if (!step(in, look)) {
                break;
            }
        }
        published.strays(copy.position()).forEach(this::stray);
        findings.settle(published.newest());
        return new Result(
                records,
                same,
                findings.differences(),
                cleanedAway,
                byOthers,
                findings.unsettled(),
                deletions,
                findings.first());
    }

    private boolean step(InboxRecord in, BiConsumer<Heard, List<Finding>> look) {
        findings.nextRecord();
        var version = copy.coreVersion();
        boolean isOurs = version.isEmpty() || version.equals(coreVersion);
        if (byAnother.isEmpty() || byAnother.lastEntry().getValue() == isOurs) {
            byAnother.put(in.offset(), !isOurs);
        }
        var heard = copy.take(in);
        records++;
        switch (heard) {
            case Heard.Taken taken -> compare(taken, isOurs);
            case Heard.Parked _ -> parked.add(in.offset());
            case Heard.Unusable unusable -> findings.add(unusable.finding());
        }
        look.accept(heard, findings.ofRecord());
        findings.settle(published.newest());
        if (!version.equals(copy.coreVersion())) {
            findings.add(new Finding.OtherVersion(in.offset(), version, copy.coreVersion()));
        }
        return !(heard instanceof Heard.Unusable);
    }

    private void compare(Heard.Taken taken, boolean isOurs) {
        for (var output : taken.outputs()) {
            var value = output.value();
            if (value == null) {
                deletions++;
                continue; // It says nothing of where it comes from.
            }
            if (isOurs) {
                compare(output, value);
            } else {
                byOthers++;
                published.find(output, source(value), strays);
            }
        }
        strays.forEach(this::stray);
        strays.clear();
    }

    private Source source(SpecificRecord value) {
        var source = Source.of(Published.envelope(value), copy.number());
        if (source == null) {
            throw new IllegalStateException("an output without an id of the coordinator's");
        }
        return source;
    }

    private void compare(Output output, SpecificRecord value) {
        var source = source(value);
        var sent = published.find(output, source, strays);
        if (sent == null) {
            if (published.isKept(output)) {
                findings.add(notPublished(output, value), published.newest());
            } else {
                cleanedAway++;
            }
        } else if (sent.value().equals(value) && sent.key().equals(output.key())) {
            same++;
        } else {
            findings.add(
                    new Finding.Differs(
                            source.offset(),
                            output.topic().name(),
                            Published.envelope(value).getId(),
                            sent.key() + " " + sent.value(),
                            output.key() + " " + value));
        }
    }

    private Finding.NotPublished notPublished(Output output, SpecificRecord value) {
        return new Finding.NotPublished(
                source(value).offset(),
                output.topic().name(),
                Published.envelope(value).getId(),
                output.key() + " " + value);
    }

    private void stray(Sent sent) {
        if (parked.contains(sent.source().offset())) {
            return; // Whoever sent a record that was parked was answered by that alone.
        }
        var decided = byAnother.floorEntry(sent.source().offset());
        if (decided != null && decided.getValue()) {
            byOthers++;
            return;
        }
        findings.add(
                new Finding.NotReplayed(
                        sent.source().offset(),
                        sent.topic(),
                        Published.envelope(sent.value()).getId(),
                        sent.key() + " " + sent.value()));
    }
}
