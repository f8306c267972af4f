package dev.muster.sandbox.kubernetes;

import dev.muster.sandbox.process.PartProcess;
import dev.muster.sandbox.process.Place;
import dev.muster.sandbox.process.Together;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * A Kubernetes cluster without nodes.
 *
 * @param kubeconfig the administrator's
 * @param audit the API server's audit log: one JSON event per line, of pods and config maps with
 *     what was written, unless there are thousands
 */
public record ControlPlane(Path kubeconfig, Path audit, List<PartProcess> processes) {
    /** Without the account of its namespace a pod is refused. */
    private static final String POD_NEEDS = "/api/v1/namespaces/default/serviceaccounts/default";

    public ControlPlane {
        processes = List.copyOf(processes);
    }

    /** How much of it is wanted. */
    public enum Extent {
        /** What is created stays as it is: nobody schedules, collects or taints. */
        API_SERVER,
        /** With scheduler and controllers; new namespaces get their service account. */
        ALL,
        /**
         * The same for thousands of pretended nodes, which are believed for an hour without a sign
         * of life: their signs would be most of what the API server does. The audit log says who
         * did what, and not what became of pods.
         */
        PATIENT;

        /** For so long a node may be silent before it is tainted. */
        private Duration silence() {
            return this == PATIENT ? Duration.ofHours(1) : Duration.ofSeconds(50);
        }

        private List<GoProgram> programs() {
            return switch (this) {
                case API_SERVER -> List.of(GoProgram.ETCD, GoProgram.KUBE_APISERVER);
                case ALL, PATIENT ->
                        List.of(
                                GoProgram.ETCD,
                                GoProgram.KUBE_APISERVER,
                                GoProgram.KUBE_SCHEDULER,
                                GoProgram.KUBE_CONTROLLER_MANAGER);
            };
        }
    }

    /**
     * Starts the control plane; when this returns it takes pods in the namespace {@code default};
     * in a new namespace they are refused until its service account is made.
     *
     * @throws dev.muster.sandbox.process.PartFailedException when a program is not there or does
     *     not start
     */
    public static ControlPlane start(Place place, Extent extent) {
        return start(place, extent, FeatureGates.NONE);
    }

    /**
     * The same with more features than are on by default.
     *
     * @param gates of all its programs
     */
    public static ControlPlane start(Place place, Extent extent, FeatureGates gates) {
        var programs = new KubernetesBinaries(place.progress()).find(extent.programs());
        return place.progress()
                .during("Kubernetes control plane", () -> up(programs::get, place, extent, gates));
    }

    private static ControlPlane up(
            Function<GoProgram, Path> programs, Place place, Extent extent, FeatureGates gates) {
        var etcd = Etcd.start(programs.apply(GoProgram.ETCD), place);
        var server = programs.apply(GoProgram.KUBE_APISERVER);
        var api = ApiServer.start(server, place, etcd, extent, gates);
        var processes = new ArrayList<>(List.of(etcd.process(), api.process()));
        if (extent != Extent.API_SERVER) {
            var scheduler = programs.apply(GoProgram.KUBE_SCHEDULER);
            var manager = programs.apply(GoProgram.KUBE_CONTROLLER_MANAGER);
            var starts = new ArrayList<Future<PartProcess>>();
            try (var together = new Together()) {
                starts.add(
                        together.begin(() -> Controllers.scheduler(scheduler, place, api, gates)));
                starts.add(
                        together.begin(() ->
                                Controllers.controllerManager(
                                        manager, place, api, extent.silence(), gates)));
            }
            starts.forEach(start -> processes.add(start.resultNow()));
            api.process().awaitReady(() -> api.has(POD_NEEDS));
        }
        var kubeconfig = api.kubeconfigOf(Tokens.ADMIN, place.folder().resolve("kubeconfig"));
        return new ControlPlane(kubeconfig, api.audit(), processes);
    }
}
