package dev.muster.admission.http;

import dev.muster.admission.AdmissionConfig;
import org.apache.catalina.connector.Connector;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.stereotype.Component;

/**
 * The server of HTTP, with a second port if {@code admission.report-port} names one: whatever is
 * set for the first holds for it, too. What is answered there {@link ReportFilter} says.
 */
@Component
final class ReportPort extends TomcatServletWebServerFactory {
    private final int port;

    ReportPort(AdmissionConfig config) {
        this.port = config.reportPort();
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
