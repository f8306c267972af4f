package dev.muster.sandbox.kubernetes;

import dev.muster.sandbox.process.Launch;
import dev.muster.sandbox.process.PartFailedException;
import dev.muster.sandbox.process.PartProcess;
import dev.muster.sandbox.process.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The API server, with rights by role and an audit log.
 *
 * @param access how to reach it
 * @param certificates the file of its own and of who signed it
 * @param audit one JSON event per line
 */
record ApiServer(
        PartProcess process,
        Kubeconfig access,
        Path certificates,
        Tokens tokens,
        ServiceAccountKey serviceAccounts,
        Path audit) {
    private static final String NAME = "kube-apiserver";

    /**
     * What only works where a controller-manager runs: without one no namespace gets its service
     * account, and no new node loses its not-ready taint.
     */
    private static final String NEED_CONTROLLERS = "ServiceAccount,TaintNodesByCondition";

    static ApiServer start(
            Path program, Place place, Etcd etcd, ControlPlane.Extent extent, FeatureGates gates) {
        int port = place.port(NAME, "https");
        var data = place.data(NAME);
        var audit = data.resolve("audit.log");
        try {
            var tokens = Tokens.in(data);
            var key = ServiceAccountKey.in(data);
            var policy =
                    Files.writeString(data.resolve("audit-policy.yaml"), AuditPolicy.of(extent));
            var url = "https://127.0.0.1:" + port;
            var command = new ArrayList<>(List.of(program.toString()));
            command.add("--etcd-servers=" + etcd.url());
            command.add("--bind-address=127.0.0.1");
            command.add("--secure-port=" + port);
            command.add("--cert-dir=" + data);
            command.add("--endpoint-reconciler-type=none");
            command.add("--service-cluster-ip-range=10.0.0.0/16");
            command.add("--service-account-issuer=https://kubernetes.default.svc");
            command.add("--service-account-signing-key-file=" + key.signing());
            command.add("--service-account-key-file=" + key.verifying());
            command.add("--token-auth-file=" + tokens.file());
            command.add("--authorization-mode=RBAC");
            command.add("--kubelet-preferred-address-types=InternalIP");
            command.add("--allow-privileged=true");
            command.add("--audit-policy-file=" + policy);
            command.add("--audit-log-path=" + audit);
            command.add("--audit-log-maxsize=0");
            command.addAll(gates.flagsOfServer());
            if (extent == ControlPlane.Extent.API_SERVER) {
                command.add("--disable-admission-plugins=" + NEED_CONTROLLERS);
            }
            var process = place.start(new Launch(NAME, command, place));
            var certificates = data.resolve("apiserver.crt");
            process.awaitReady(
                    () -> Tls.ok(url + "/readyz", certificates, tokens.of(Tokens.ADMIN)));
            return new ApiServer(
                    process, Kubeconfig.of(url, certificates), certificates, tokens, key, audit);
        } catch (IOException e) {
            throw new PartFailedException("cannot prepare " + data + ": " + e.getMessage(), e);
        }
    }

    /** Whether it answers 200 to the administrator for this path. */
    boolean has(String path) {
        return Tls.ok(access.server() + path, certificates, tokens.of(Tokens.ADMIN));
    }

    /** Writes the kubeconfig of one of the users that the server knows from its start on. */
    Path kubeconfigOf(String user, Path file) {
        return access.write(file, user, tokens.of(user));
    }
}
