package dev.muster.sandbox.kubernetes;

import dev.muster.sandbox.process.Http;
import dev.muster.sandbox.process.Launch;
import dev.muster.sandbox.process.PartFailedException;
import dev.muster.sandbox.process.PartProcess;
import dev.muster.sandbox.process.Place;
import dev.muster.sandbox.process.Progress;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Volcano's scheduler, which binds the pods of a group together or not at all. */
public record Volcano(PartProcess process) {
    private static final ResourceDefinitionContext QUEUES =
            new ResourceDefinitionContext.Builder()
                    .withGroup("scheduling.volcano.sh")
                    .withVersion("v1beta1")
                    .withKind("Queue")
                    .withPlural("queues")
                    .withNamespaced(false)
                    .build();

    private static final String NAME = "volcano-scheduler";

    /**
     * Starts the scheduler in a cluster that has Volcano's kinds; pods name it as {@code volcano}.
     *
     * @param kubeconfig an administrator's
     * @throws PartFailedException when it cannot be had, which is built for minutes, or does not
     *     start
     */
    public static Volcano start(Place place, Path kubeconfig) {
        var binaries = new KubernetesBinaries(place.progress());
        var program = binaries.find(GoProgram.VOLCANO_SCHEDULER);
        var settings = binaries.volcanoFiles().resolve("volcano-scheduler.conf");
        int port = place.port(NAME, "http");
        var command = new ArrayList<>(List.of(program.toString()));
        command.add("--kubeconfig=" + kubeconfig);
        command.add("--scheduler-conf=" + settings);
        command.add("--leader-elect=false");
        command.add("--cache-dumper=false");
        command.add("--enable-healthz=true");
        command.add("--healthz-address=127.0.0.1:" + port);
        var process = place.start(new Launch(NAME, command, place));
        return new Volcano(
                process.awaitReady(() -> Http.ok("http://127.0.0.1:" + port + "/healthz")));
    }

    /** Gives a cluster Volcano's kinds, and the queue {@code default}; needs no scheduler. */
    public static void addKinds(KubernetesClient client, Progress progress) {
        var folder = new KubernetesBinaries(progress).volcanoFiles();
        try (var files = Files.newDirectoryStream(folder, "*.yaml")) {
            for (var file : files) {
                try (var text = Files.newInputStream(file)) {
                    client.load(text).serverSideApply();
                }
            }
        } catch (IOException e) {
            throw new PartFailedException("cannot read " + folder + ": " + e.getMessage(), e);
        }
        var queue =
                new GenericKubernetesResourceBuilder()
                        .withApiVersion("scheduling.volcano.sh/v1beta1")
                        .withKind("Queue")
                        .withNewMetadata()
                        .withName("default")
                        .endMetadata()
                        .addToAdditionalProperties("spec", Map.of("weight", 1, "reclaimable", true))
                        .build();
        client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("queues.scheduling.volcano.sh")
                .waitUntilCondition(Volcano::isServed, 30, TimeUnit.SECONDS);
        // By its address: the client's list of what the server has may be from before.
        client.genericKubernetesResources(QUEUES).resource(queue).serverSideApply();
    }

    private static boolean isServed(@Nullable CustomResourceDefinition kind) {
        return kind != null
                && kind.getStatus() != null
                && kind.getStatus().getConditions() != null
                && kind.getStatus().getConditions().stream()
                        .anyMatch(condition ->
                                condition.getType().equals("Established")
                                        && condition.getStatus().equals("True"));
    }
}
