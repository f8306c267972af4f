package dev.muster.sandbox.kubernetes;

import dev.muster.sandbox.process.Http;
import dev.muster.sandbox.process.Launch;
import dev.muster.sandbox.process.PartProcess;
import dev.muster.sandbox.process.Place;
import java.nio.file.Path;
import java.util.List;

/** What an API server remembers. Written without waiting for the disk: this is a sandbox. */
record Etcd(PartProcess process, String url) {
    private static final String NAME = "etcd";

    static Etcd start(Path program, Place place) {
        var url = "http://127.0.0.1:" + place.port(NAME, "client");
        var peer = "http://127.0.0.1:" + place.port(NAME, "peer");
        var command =
                List.of(
                        program.toString(),
                        "--data-dir=" + place.data(NAME).resolve("store"),
                        "--listen-client-urls=" + url,
                        "--advertise-client-urls=" + url,
                        "--listen-peer-urls=" + peer,
                        "--initial-advertise-peer-urls=" + peer,
                        "--initial-cluster=default=" + peer,
                        "--unsafe-no-fsync",
                        "--quota-backend-bytes=4294967296",
                        "--auto-compaction-mode=periodic",
                        "--auto-compaction-retention=30m",
                        "--log-level=warn");
        var process = place.start(new Launch(NAME, command, place));
        process.awaitReady(() -> Http.ok(url + "/health"));
        return new Etcd(process, url);
    }
}
