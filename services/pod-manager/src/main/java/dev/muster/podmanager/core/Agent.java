package dev.muster.podmanager.core;

import dev.muster.podmanager.core.Plan.PlannedPod;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What stands in the place of ssh in the pods of a launcher's job: a program in each worker that
 * starts what the launcher asks for, and one in the launcher that is called as ssh is.
 */
public final class Agent {
    private static final String VOLUME = "muster-agent";
    private static final String FOLDER = "/etc/muster/agent";
    private static final String PROGRAM = "agent.py";
    private static final String TOKEN = "token";
    private static final String SSH = "ssh";

    static final List<String> SERVE = List.of("python3", "-B", FOLDER + "/" + PROGRAM, "serve");

    private static final String SHIM =
            """
            #!/bin/sh
            # Called as ssh is: runs a line on another pod of this job by that pod's agent.
            exec python3 -B "${MUSTER_AGENT:-/etc/muster/agent}/agent.py" rsh "$@"
            """;

    private Agent() {}

    /**
     * @param program its source
     * @param token nobody else can guess it
     */
    public record Files(String program, String token) {}

    static String secretName(Submission job, int attempt) {
        return "%s-%s-a%d-agent".formatted(job.job().name(), job.uid(), attempt);
    }

    /** The programs, and what proves that both ends are of this job. */
    static Map<String, String> files(Files files) {
        return Map.of(TOKEN, files.token() + "\n", PROGRAM, files.program(), SSH, SHIM);
    }

    static List<EnvVar> variables(PlannedPod pod) {
        var variables = new ArrayList<EnvVar>();
        variables.add(Launching.variable("MUSTER_AGENT", FOLDER));
        variables.add(Launching.variable("MUSTER_AGENT_TOKEN", FOLDER + "/" + TOKEN));
        if (pod.rank().isLauncher()) {
            variables.addAll(Launching.shellOfMpi(FOLDER + "/" + SSH));
        } else {
            variables.add(
                    Launching.variable("MUSTER_AGENT_PORT", Integer.toString(Launching.port(pod))));
            variables.add(Launching.ownAddress("MUSTER_AGENT_ADDRESS"));
        }
        return variables;
    }

    static void join(PodSpecBuilder spec, Plan plan, PlannedPod pod, int main) {
        spec.addNewVolume()
                .withName(VOLUME)
                .withNewSecret()
                .withSecretName(secretName(plan.job(), plan.attempt()))
                .withDefaultMode(FileModes.EXECUTABLE)
                .withItems(items())
                .endSecret()
                .endVolume();
        Launching.mount(spec, main, VOLUME, FOLDER, null);
        if (pod.rank().isLauncher()) {
            Launching.mount(spec, main, VOLUME, Launching.SSH_PLACE, SSH);
        }
    }

    private static List<KeyToPath> items() {
        return List.of(
                Launching.item(PROGRAM, FileModes.EXECUTABLE),
                Launching.item(SSH, FileModes.EXECUTABLE),
                Launching.item(TOKEN, FileModes.READABLE));
    }
}
