package dev.muster.podmanager.core;

import dev.muster.podmanager.core.Plan.Run;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Makes what proves to the pods of a launcher's job that they are of one attempt of it. Of one
 * attempt, as the service that owns it: what an earlier one left is being collected, and nobody
 * here could read it to use it again.
 */
final class LaunchingSecret {
    private final String installation;
    private final Supplier<Agent.Files> agents;
    private final Supplier<Ssh.Keys> keys;

    LaunchingSecret(String installation, Supplier<Agent.Files> agents, Supplier<Ssh.Keys> keys) {
        this.installation = installation;
        this.agents = agents;
        this.keys = keys;
    }

    /**
     * @param anchor the job's service, with which it goes
     */
    Secret of(Plan plan, Run run, Hosts hosts, Seen anchor) {
        var name =
                switch (hosts.shell()) {
                    case AGENT -> Agent.secretName(plan.job(), plan.attempt());
                    case SSH -> Ssh.secretName(plan.job(), plan.attempt());
                };
        var files =
                switch (hosts.shell()) {
                    case AGENT -> Agent.files(agents.get());
                    case SSH -> Ssh.files(plan.job().job(), keys.get());
                };
        return new SecretBuilder()
                .withMetadata(HeadlessService.owned(name, installation, plan, run, anchor))
                .withType("Opaque")
                .withImmutable(true)
                .withStringData(new TreeMap<>(files))
                .build();
    }

    static boolean isOne(Submission job, int attempt, String name) {
        return name.equals(Agent.secretName(job, attempt))
                || name.equals(Ssh.secretName(job, attempt));
    }
}
