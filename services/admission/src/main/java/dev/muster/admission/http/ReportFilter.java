package dev.muster.admission.http;

import dev.muster.admission.AdmissionConfig;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.stereotype.Component;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Lets nothing through on {@code admission.report-port} but what jobs say of themselves. The last
 * of the filters: it judges the request that is dispatched, by the patterns that it is dispatched
 * by.
 */
@Component
final class ReportFilter implements Filter {
    private static final List<PathPattern> REPORTS =
            List.of(parsed(SpeedEndpoint.PATH), parsed(SignalEndpoint.PATH));

    private final int port;
    private final HandlerExceptionResolver answers;

    ReportFilter(
            AdmissionConfig config,
            @Qualifier("handlerExceptionResolver") HandlerExceptionResolver answers) {
        this.port = config.reportPort();
        this.answers = answers;
    }

    private static PathPattern parsed(String path) {
        return PathPatternParser.defaultInstance.parse(path);
    }

    /** No request comes in at port 0: where there is no other port, all go through. */
    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        var http = (HttpServletRequest) request;
        if (http.getLocalPort() != port || isReport(http)) {
            chain.doFilter(request, response);
        } else {
            refuse(http, (HttpServletResponse) response);
        }
    }

    private static boolean isReport(HttpServletRequest http) {
        var path = ServletRequestPathUtils.parseAndCache(http).pathWithinApplication();
        return HttpMethod.POST.matches(http.getMethod())
                && REPORTS.stream().anyMatch(report -> report.matches(path));
    }

    private void refuse(HttpServletRequest http, HttpServletResponse response) {
        var detail =
                ProblemDetail.forStatusAndDetail(
                        HttpStatus.NOT_FOUND,
                        "this port takes only POST %s and POST %s"
                                .formatted(SpeedEndpoint.PATH, SignalEndpoint.PATH));
        response.setStatus(HttpStatus.NOT_FOUND.value());
        answers.resolveException(
                http,
                response,
                null,
                new ErrorResponseException(HttpStatus.NOT_FOUND, detail, null));
    }
}
