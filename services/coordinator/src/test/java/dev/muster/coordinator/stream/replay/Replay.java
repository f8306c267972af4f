package dev.muster.coordinator.stream.replay;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.coordinator.core.Pool;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Step;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.stream.rows.EffectBytes;
import dev.muster.coordinator.stream.rows.RowCodec;
import dev.muster.coordinator.stream.rows.RowKeys;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;

/**
 * Runs inboxes through the core and prints what came of it: a digest of all rows and effects after
 * every hundred events, so that the first difference shows where it began.
 */
final class Replay {
    private static final int EVENTS_PER_LINE = 100;

    private final TreeMap<String, byte[]> rows = new TreeMap<>();
    private final MessageDigest digest;
    private Pool pool = Pool.empty();
    private int effects;
    private int deleted;

    private Replay() throws Exception {
        digest = MessageDigest.getInstance("SHA-256");
    }

    /**
     * @param args after how many events each a pool is to be made again from its rows, 0: never;
     *     and files of inboxes, each of a pool of its own
     */
    public static void main(String[] args) throws Exception {
        for (var file : List.of(args).subList(1, args.length)) {
            var log = InboxLog.read(Path.of(file));
            new Replay().run(log, Integer.parseInt(args[0]), System.out);
        }
    }

    private void run(InboxLog log, int restoreEvery, PrintStream out) throws Exception {
        int events = 0;
        for (var entry : log.entries()) {
            take(pool.on(entry.event(), entry.appended()));
            events++;
            if (restoreEvery > 0 && events % restoreEvery == 0) {
                pool =
                        Pool.restore(
                                rows.entrySet().stream().map(e -> decoded(e.getKey()))::iterator);
            }
            if (events % EVENTS_PER_LINE == 0 || events == log.entries().size()) {
                out.printf(
                        "%d events, %d effects, %d queues deleted, %d rows: %s%n",
                        events, effects, deleted, rows.size(), soFar());
            }
        }
    }

    private Row decoded(String key) {
        return RowCodec.decode(RowKeys.table(key), rows.get(key));
    }

    private void take(Step step) {
        for (var change : step.changes()) {
            var key = RowKeys.of(change.key());
            digest.update(key.getBytes(UTF_8));
            if (change.row() == null) {
                rows.remove(key);
            } else {
                var bytes = RowCodec.encode(change.row());
                digest.update(bytes);
                rows.put(key, bytes);
            }
        }
        for (var effect : step.effects()) {
            digest.update(EffectBytes.of(effect));
            effects++;
            deleted += effect instanceof Effect.QueueDeleted ? 1 : 0;
        }
        digest.update((byte) (step.more() ? 1 : 0));
    }

    private String soFar() throws CloneNotSupportedException {
        return HexFormat.of().formatHex(((MessageDigest) digest.clone()).digest());
    }
}
