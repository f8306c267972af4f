package dev.muster.admission.http;

import dev.muster.admission.AdmissionConfig;
import org.apache.catalina.connector.Connector;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.context.ApplicationContext;
import org.springframework.stereotype.Component;

/**
 * The server of HTTP, with a second port if {@code admission.report-port} names one: whatever is
 * set for the first holds for it, too. What is answered there {@link ReportFilter} says.
 */
@Component
final class ReportPort extends TomcatServletWebServerFactory {
    private final int port;

    /**
     * @param context where the actuator has a port of its own, its server is made in a context
     *     behind ours, by a factory of the same class, and has no second port
     */
    ReportPort(AdmissionConfig config, ApplicationContext context) {
        this.port = context.getParent() == null ? config.reportPort() : 0;
    }

    @Override
    public WebServer getWebServer(ServletContextInitializer... initializers) {
        if (port != 0) {
            var connector = new Connector(getProtocol());
            customizeConnector(connector);
            connector.setPort(port);
            addAdditionalConnectors(connector);
        }
        return super.getWebServer(initializers);
    }
}
