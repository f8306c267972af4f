package dev.muster.sandbox.kubernetes;

import dev.muster.sandbox.process.PartProcess;
import dev.muster.sandbox.process.Place;
import dev.muster.sandbox.process.Ports;
import dev.muster.sandbox.process.Together;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.function.Function;

/**
 * A Kubernetes cluster without nodes.
 *
 * @param kubeconfig the administrator's
 * @param audit the API server's audit log: one JSON event per line, of pods with what was written
 */
public record ControlPlane(Path kubeconfig, Path audit, List<PartProcess> processes) {
    public ControlPlane {
        processes = List.copyOf(processes);
    }

    /** How much of it is wanted. */
    public enum Extent {
        /** What is created stays as it is: nobody schedules, collects or taints. */
        API_SERVER,
        /** With scheduler and controllers; new namespaces get their service account. */
        ALL;

        private List<GoProgram> programs() {
            return switch (this) {
                case API_SERVER -> List.of(GoProgram.ETCD, GoProgram.KUBE_APISERVER);
                case ALL ->
                        List.of(
                                GoProgram.ETCD,
                                GoProgram.KUBE_APISERVER,
                                GoProgram.KUBE_SCHEDULER,
                                GoProgram.KUBE_CONTROLLER_MANAGER);
            };
        }
    }

    /** Where its two servers listen, on the loopback address. */
    public record PortPair(int api, int etcd) {
        public static PortPair free() {
            return new PortPair(Ports.free(), Ports.free());
        }
    }

    /**
     * Starts the control plane; when this returns it takes objects.
     *
     * @throws dev.muster.sandbox.process.PartFailed when a program is not there or does not start
     */
    public static ControlPlane start(Place place, PortPair ports, Extent extent) {
        var binaries = new KubernetesBinaries(place.progress());
        var programs = new EnumMap<GoProgram, Path>(GoProgram.class);
        for (var program : extent.programs()) {
            programs.put(program, binaries.find(program));
        }
        return place.progress()
                .during("Kubernetes control plane", () -> up(programs::get, place, ports, extent));
    }

    private static ControlPlane up(
            Function<GoProgram, Path> programs, Place place, PortPair ports, Extent extent) {
        var etcd = Etcd.start(programs.apply(GoProgram.ETCD), place, ports.etcd());
        var server = programs.apply(GoProgram.KUBE_APISERVER);
        var api = ApiServer.start(server, place, etcd, ports.api(), extent);
        var processes = new ArrayList<>(List.of(etcd.process(), api.process()));
        if (extent == Extent.ALL) {
            processes.addAll(
                    Together.start(
                            () ->
                                    Controllers.scheduler(
                                            programs.apply(GoProgram.KUBE_SCHEDULER), place, api),
                            () ->
                                    Controllers.controllerManager(
                                            programs.apply(GoProgram.KUBE_CONTROLLER_MANAGER),
                                            place,
                                            api)));
        }
        var kubeconfig = api.kubeconfigOf(Tokens.ADMIN, place.folder().resolve("kubeconfig"));
        return new ControlPlane(kubeconfig, api.audit(), processes);
    }
}
