package dev.muster.coordinator.stream.replay;

import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Row.Table;
import dev.muster.coordinator.core.model.Waiting;
import dev.muster.coordinator.stream.rows.RowCodec;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A pool's inbox in a file. */
record InboxLog(List<Entry> entries) {
    record Entry(Instant appended, Event event) {}

    void write(Path file) throws IOException {
        try (var out = new DataOutputStream(Files.newOutputStream(file))) {
            out.writeInt(entries.size());
            for (var entry : entries) {
                var bytes = RowCodec.encode(new Waiting(0, entry.event()));
                out.writeLong(entry.appended().toEpochMilli());
                out.writeInt(bytes.length);
                out.write(bytes);
            }
        }
    }

    static InboxLog read(Path file) throws IOException {
        try (var in = new DataInputStream(Files.newInputStream(file))) {
            var entries = new ArrayList<Entry>();
            for (int left = in.readInt(); left > 0; left--) {
                var appended = Instant.ofEpochMilli(in.readLong());
                var bytes = in.readNBytes(in.readInt());
                var row = (Waiting) RowCodec.decode(Table.WAITING, bytes);
                entries.add(new Entry(appended, row.event()));
            }
            return new InboxLog(entries);
        }
    }
}
