package dev.muster.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.sandbox.node.core.PodAddress;
import io.fabric8.kubernetes.api.model.PodBuilder;
import org.junit.jupiter.api.Test;

class RendezvousIT {
    private static final String MASTER =
            """
            import os, socket
            s = socket.create_server(('', int(os.environ['MASTER_PORT'])))
            c, peer = s.accept()
            print('heard', c.recv(100).decode(), 'from', peer[0], flush=True)
            c.sendall(b'welcome')
            """;
    private static final String WORKER =
            """
            import os, socket, time
            at = os.environ['MASTER_ADDR'], int(os.environ['MASTER_PORT'])
            while True:
                try:
                    c = socket.create_connection(at, source_address=(os.environ['POD_IP'], 0))
                    break
                except ConnectionRefusedError:
                    time.sleep(0.1)
            c.sendall(b'worker 0')
            print(c.recv(100).decode(), at[0], os.environ['PET_RDZV_ENDPOINT'], flush=True)
            """;

    private final Cluster cluster = Cluster.shared();

    @Test
    void twoJobsOfOneMachineMeetEachAtItsOwnPort() {
        for (var job : new String[] {"left", "right"}) {
            cluster.create(member(job, "worker-0", WORKER));
            cluster.create(member(job, "master-0", MASTER));
        }

        for (var job : new String[] {"left", "right"}) {
            cluster.awaitPhase(job + "-master-0", "Succeeded");
            cluster.awaitPhase(job + "-worker-0", "Succeeded");
            var master = PodAddress.of(cluster.namespace, job + "-master-0");
            var worker = PodAddress.of(cluster.namespace, job + "-worker-0");
            assertThat(cluster.log(job + "-master-0"))
                    .isEqualTo("heard worker 0 from " + worker + "\n");
            assertThat(cluster.log(job + "-worker-0"))
                    .matches("welcome " + master + " " + master + ":2[0-9]{4}\n")
                    .doesNotContain("23456");
        }
    }

    /** One rank, as pod-manager makes it. */
    private PodBuilder member(String job, String rank, String program) {
        var master = job + "-master-0." + job;
        return cluster.pod(job + "-" + rank, "")
                .editMetadata()
                .addToLabels("muster.dev/uid", "0-" + job)
                .endMetadata()
                .editSpec()
                .withHostname(job + "-" + rank)
                .withSubdomain(job)
                .editFirstContainer()
                .withCommand("python3", "-c", program)
                .addNewEnv()
                .withName("MASTER_ADDR")
                .withValue(master)
                .endEnv()
                .addNewEnv()
                .withName("MASTER_PORT")
                .withValue("23456")
                .endEnv()
                .addNewEnv()
                .withName("PET_RDZV_ENDPOINT")
                .withValue("$(MASTER_ADDR):$(MASTER_PORT)")
                .endEnv()
                .addNewEnv()
                .withName("POD_IP")
                .withNewValueFrom()
                .withNewFieldRef("v1", "status.podIP")
                .endValueFrom()
                .endEnv()
                .endContainer()
                .endSpec();
    }
}
