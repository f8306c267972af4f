package dev.muster.admission.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.admission.AdmissionConfig;
import dev.muster.admission.RunningAdmission;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.context.ApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.util.unit.DataSize;

class ReportPortTest {
    /** That of the actuator, where it has a port of its own, is made by the same class. */
    @Test
    void onlyTheFirstServerHasTheSecondPort() {
        var first = new GenericApplicationContext();
        var behind = new GenericApplicationContext(first);
        int port = RunningAdmission.freePort();
        assertThat(ports(first, port)).isEqualTo(2);
        assertThat(ports(behind, port)).isEqualTo(1);
    }

    private static int ports(ApplicationContext context, int reportPort) {
        var second = Duration.ofSeconds(1);
        var config =
                new AdmissionConfig(
                        second, second, DataSize.ofMegabytes(1), Set.of(), "", reportPort);
        var factory = new ReportPort(config, context);
        factory.setPort(0);
        var server = (TomcatWebServer) factory.getWebServer();
        try {
            server.start();
            return server.getTomcat().getService().findConnectors().length;
        } finally {
            server.destroy();
        }
    }
}
