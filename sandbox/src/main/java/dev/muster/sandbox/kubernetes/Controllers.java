package dev.muster.sandbox.kubernetes;

import dev.muster.sandbox.process.Launch;
import dev.muster.sandbox.process.PartProcess;
import dev.muster.sandbox.process.Place;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Scheduler and controller-manager: the two that make an API server a cluster. */
final class Controllers {

    /** The pods of our node have loopback addresses, which endpoint slices refuse. */
    private static final String ALL_BUT_ENDPOINTS =
            "*,-endpoints-controller,-endpointslice-controller,-endpointslice-mirroring-controller";

    private Controllers() {}

    static PartProcess scheduler(Path program, Place place, ApiServer api, FeatureGates gates) {
        return start("kube-scheduler", program, place, api, Tokens.SCHEDULER, gates.flags());
    }

    /**
     * @param silence after which a node is taken for ill
     */
    static PartProcess controllerManager(
            Path program, Place place, ApiServer api, Duration silence, FeatureGates gates) {
        var more =
                new ArrayList<>(
                        List.of(
                                "--controllers=" + ALL_BUT_ENDPOINTS,
                                "--node-monitor-grace-period=" + silence.toSeconds() + "s",
                                "--use-service-account-credentials=true",
                                "--service-account-private-key-file="
                                        + api.serviceAccounts().signing(),
                                "--root-ca-file=" + api.certificates()));
        more.addAll(gates.flags());
        return start("kube-controller-manager", program, place, api, Tokens.CONTROLLERS, more);
    }

    private static PartProcess start(
            String name, Path program, Place place, ApiServer api, String user, List<String> more) {
        var data = place.data(name);
        var kubeconfig = api.kubeconfigOf(user, data.resolve("kubeconfig"));
        int port = place.port(name, "https");
        var command = new ArrayList<>(List.of(program.toString()));
        command.add("--kubeconfig=" + kubeconfig);
        command.add("--authentication-kubeconfig=" + kubeconfig);
        command.add("--authorization-kubeconfig=" + kubeconfig);
        command.add("--authentication-skip-lookup=true");
        command.add("--bind-address=127.0.0.1");
        command.add("--secure-port=" + port);
        command.add("--cert-dir=" + data);
        command.add("--leader-elect=false");
        command.add("--kube-api-qps=1000");
        command.add("--kube-api-burst=2000");
        command.addAll(more);
        var process = place.start(new Launch(name, command, place));
        var url = "https://127.0.0.1:" + port + "/healthz";
        var certificates = data.resolve(name + ".crt");
        return process.awaitReady(() -> Tls.ok(url, certificates, api.tokens().of(user)));
    }
}
