package dev.muster.sandbox.registry;

import dev.muster.sandbox.process.ClassArchive;
import dev.muster.sandbox.process.Executables;
import dev.muster.sandbox.process.Http;
import dev.muster.sandbox.process.Launch;
import dev.muster.sandbox.process.MadeOnce;
import dev.muster.sandbox.process.MavenFiles;
import dev.muster.sandbox.process.PartFailedException;
import dev.muster.sandbox.process.PartProcess;
import dev.muster.sandbox.process.Place;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A schema registry that speaks Confluent's REST API.
 *
 * @param port of the loopback address
 */
public record Registry(PartProcess process, int port) {
    private static final String NAME = "registry";
    private static final Duration LIMIT = Duration.ofMinutes(3);

    /**
     * Starts the registry; when this returns it takes schemas, and refuses those that are not
     * compatible in both directions with all earlier ones.
     *
     * @throws PartFailedException when it does not come up
     */
    public static Registry start(Place place) {
        return place.progress().during("schema registry", () -> up(place));
    }

    /** The root of Confluent's API. */
    public String url() {
        return "http://127.0.0.1:" + port + "/apis/ccompat/v7";
    }

    private static Registry up(Place place) {
        int port = place.port(NAME, "http");
        var program = MadeOnce.at(MadeOnce.cache().resolve(folderName()), Registry::unpack);
        var jar = program.resolve("quarkus-run.jar").toString();
        var classes = MadeOnce.cache().resolve("classes").resolve(folderName() + ".jsa");
        var command = new ArrayList<String>();
        command.add(Executables.java().toString());
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(ClassArchive.flags(classes, jar));
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add(place.temporaryFiles(NAME));
        command.add("-Dquarkus.http.host=127.0.0.1");
        command.add("-Dquarkus.http.port=" + port);
        command.add("-Dquarkus.management.host=127.0.0.1");
        command.add("-Dquarkus.management.port=" + place.port(NAME, "management"));
        command.add("-Dquarkus.banner.enabled=false");
        command.add("-Dquarkus.http.access-log.enabled=false");
        command.add("-Dapicurio.datasource.jdbc.initial-size=2");
        command.add("-Dapicurio.datasource.jdbc.min-size=2");
        if (place.durable()) {
            var store = place.data(NAME).resolve("h2");
            // Without the delay no id that was given away can be lost by a kill.
            command.add("-Dapicurio.datasource.url=jdbc:h2:file:" + store + ";WRITE_DELAY=0");
        }
        command.addAll(List.of("-jar", jar));
        var process = place.start(new Launch(NAME, command, place));
        var registry = new Registry(process, port);
        process.awaitReady(() -> Http.ok(registry.url() + "/subjects"));
        process.awaitReady(registry::isStrict);
        return registry;
    }

    /** Apicurio's own default is to accept whatever comes. */
    private boolean isStrict() {
        var rule = HttpRequest.BodyPublishers.ofString("{\"compatibility\": \"FULL_TRANSITIVE\"}");
        return Http.status(
                        HttpRequest.newBuilder(URI.create(url() + "/config"))
                                .header("Content-Type", "application/vnd.schemaregistry.v1+json")
                                .PUT(rule))
                == 200;
    }

    /** From {@code apicurio-registry-app-3.3.3-all.tar.gz} comes {@code registry-3.3.3}. */
    private static String folderName() {
        var archive = MavenFiles.registry().toFile().getName();
        return archive.replace("apicurio-", "").replace("-app", "").replace("-all.tar.gz", "");
    }

    private static void unpack(Path folder) throws IOException {
        Files.createDirectories(folder);
        var tar = Executables.find("tar").orElseThrow(() -> new PartFailedException("install tar"));
        var command = List.of(tar.toString(), "-xzf", MavenFiles.registry().toString());
        var log = folder.resolveSibling("registry-unpack.log");
        new Launch("tar", command, Map.of(), folder, log).run(LIMIT);
    }
}
