package dev.muster.bench.system;

import dev.muster.cli.CommandFailedException;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.xml.sax.SAXException;

/**
 * How a deployment runs the services: the flags of their images and the memory of their manifests.
 *
 * @param repository where both stand
 */
public record Deployment(Path repository) {
    /** With less memory, or one processor, a JVM chooses the serial collector. */
    private static final long SERVER_BYTES = 1792L << 20;

    /** A container's limit, said to a JVM that is in no container. */
    public List<String> jvmFlags(String service) {
        return jvmFlags(memory(service));
    }

    /**
     * The same where somebody has given it another limit.
     *
     * @param memory in bytes
     */
    public List<String> jvmFlags(long memory) {
        var flags = new ArrayList<>(imageFlags());
        flags.add("-XX:MaxRAM=" + memory);
        boolean server = memory >= SERVER_BYTES && Runtime.getRuntime().availableProcessors() > 1;
        flags.add(server ? "-XX:+UseG1GC" : "-XX:+UseSerialGC");
        return List.copyOf(flags);
    }

    /** Those that Jib is told in the root's pom. */
    private List<String> imageFlags() {
        var pom = repository.resolve("pom.xml");
        try {
            var elements =
                    DocumentBuilderFactory.newInstance()
                            .newDocumentBuilder()
                            .parse(pom.toFile())
                            .getElementsByTagName("jvmFlag");
            var flags = new ArrayList<String>();
            for (int i = 0; i < elements.getLength(); i++) {
                flags.add(elements.item(i).getTextContent().strip());
            }
            return flags;
        } catch (IOException | SAXException | ParserConfigurationException e) {
            throw CommandFailedException.failed("cannot read " + pom + ": " + e.getMessage(), e);
        }
    }

    private long memory(String service) {
        var file = repository.resolve("deploy/kustomize/base/" + service + ".yaml");
        try {
            Object documents = Serialization.unmarshal(Files.readString(file));
            var all = documents instanceof Collection<?> several ? several : List.of(documents);
            var limit =
                    all.stream()
                            .flatMap(Deployment::containers)
                            .filter(container -> container.getName().equals(service))
                            .map(container -> container.getResources().getLimits().get("memory"))
                            .findFirst()
                            .orElseThrow(() ->
                                    CommandFailedException.failed(
                                            file + " has no container " + service, null));
            return Quantity.getAmountInBytes(limit).longValueExact();
        } catch (IOException e) {
            throw CommandFailedException.failed("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static Stream<Container> containers(Object document) {
        return document instanceof io.fabric8.kubernetes.api.model.apps.Deployment deployment
                ? deployment.getSpec().getTemplate().getSpec().getContainers().stream()
                : Stream.empty();
    }
}
