package dev.muster.sandbox.node;

import dev.muster.sandbox.node.NodeSettings.Manners;
import dev.muster.sandbox.node.NodeSettings.Shows;
import dev.muster.sandbox.node.core.RestartDelay;
import dev.muster.sandbox.node.core.ServiceNames;
import dev.muster.sandbox.node.process.Leftovers;
import dev.muster.sandbox.process.ClassArchive;
import dev.muster.sandbox.process.Executables;
import dev.muster.sandbox.process.Launch;
import dev.muster.sandbox.process.MadeOnce;
import dev.muster.sandbox.process.PartFailedException;
import dev.muster.sandbox.process.PartProcess;
import dev.muster.sandbox.process.Place;
import dev.muster.sandbox.process.ShortDigest;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The local node as a part of a sandbox.
 *
 * @param name of the node in the cluster
 * @param root its folder
 */
public record NodePart(PartProcess process, String name, Path root) {
    /** What a stop may take: containers get two seconds, the last reports three. */
    public static final Duration STOP = Duration.ofSeconds(10);

    // Whoever starts a node lends it a class path, with one or the other logger on it.
    private static final List<String> LOGGING =
            List.of(
                    "-Dlogback.configurationFile=dev/muster/sandbox/node/logging.xml",
                    "-Dorg.slf4j.simpleLogger.showDateTime=true",
                    "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS",
                    "-Dorg.slf4j.simpleLogger.showThreadName=false",
                    "-Dorg.slf4j.simpleLogger.showShortLogName=true");

    /**
     * Starts a node; when this returns it takes pods. Containers outlive a node that is killed only
     * where parts outlive this JVM.
     *
     * @param kubeconfig an administrator's
     * @throws dev.muster.sandbox.process.PartFailedException when it does not start
     */
    public static NodePart start(Place place, Path kubeconfig, String name, Shows shows) {
        return start(place, kubeconfig, name, shows, ServiceNames.NONE);
    }

    /** The same, whose containers reach these services. */
    public static NodePart start(
            Place place, Path kubeconfig, String name, Shows shows, ServiceNames services) {
        var manners = new Manners(RestartDelay.KUBELET, !place.durable(), services);
        var root = place.data(part(name));
        return start(place, new NodeSettings(kubeconfig, name, root, shows, 0, manners));
    }

    /** The same with all that can be set. */
    public static NodePart start(Place place, NodeSettings settings) {
        var part = part(settings.name());
        var command = command(System.getProperty("java.class.path"), settings);
        var launch = new Launch(part, command, Map.of(), settings.root(), place.log(part));
        return place.progress()
                .during(
                        part,
                        () -> {
                            // Killed, not stopped: the next one goes on with its containers.
                            var process = place.renew(launch, PartProcess::kill);
                            var node = new NodePart(process, settings.name(), settings.root());
                            process.awaitReady(node::isReady);
                            return node;
                        });
    }

    /** The command line of a node's process. */
    public static List<String> command(String classPath, NodeSettings settings) {
        var command = new ArrayList<>(List.of(Executables.java().toString()));
        var path = absolute(classPath);
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx192m"));
        command.addAll(ClassArchive.flags(classes(path), path));
        command.addAll(LOGGING);
        command.add("-Dmuster.node.build=" + build());
        command.addAll(List.of("-cp", path, LocalNode.class.getName()));
        command.addAll(settings.arguments());
        return command;
    }

    private static Path classes(String path) {
        var file = "node-" + ShortDigest.of(path) + ".jsa";
        return MadeOnce.cache().resolve("classes").resolve(file);
    }

    /** The node's process runs in a folder of its own. */
    private static String absolute(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Makes the command of one build differ from another's; classes in a folder have none. */
    private static String build() {
        try {
            var source = LocalNode.class.getProtectionDomain().getCodeSource().getLocation();
            var jar = Path.of(source.toURI());
            if (!Files.isRegularFile(jar)) {
                return "unpacked";
            }
            return ShortDigest.of(jar);
        } catch (URISyntaxException | IOException e) {
            throw new PartFailedException("cannot read the node's own jar: " + e.getMessage(), e);
        }
    }

    /** Ends the containers that nodes left behind in the folder of a place where none runs now. */
    public static void endLeftovers(Path folder) throws IOException {
        var data = folder.resolve("data");
        if (!Files.isDirectory(data)) {
            return;
        }
        try (var nodes = Files.newDirectoryStream(data, part("*"))) {
            nodes.forEach(Leftovers::kill);
        }
    }

    /** Stops the node and its containers. */
    public void stop() {
        process.stop(STOP);
    }

    private boolean isReady() {
        try {
            // The file may be the last node's, which was killed.
            return Files.readString(LocalNode.ready(root)).startsWith(process.pid() + " ");
        } catch (IOException notYet) {
            return false;
        }
    }

    private static String part(String name) {
        return "node-" + name;
    }
}
