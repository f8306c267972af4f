package dev.muster.admission.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.admission.AdmissionConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.util.unit.DataSize;

class ReportFilterTest {
    private static final int FIRST = 8080;
    private static final int REPORTS = 8081;
    private static final String SIGNALS = "/v1/jobs/ml/resnet/signals";

    /** What was refused. */
    private final List<Exception> refused = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(strings = {SIGNALS, "/v1/jobs/ml/resnet/metrics", "/v1/jobs/No_Label/b/metrics"})
    void reportsOfJobsComeThrough(String path) throws Exception {
        assertThat(comesThrough(REPORTS, REPORTS, "POST", path)).isTrue();
        assertThat(refused).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/jobs/ml/resnet/signals",
        "DELETE, /v1/jobs/ml/resnet/signals",
        "OPTIONS, /v1/jobs/ml/resnet/signals",
        "DELETE, /v1/jobs/ml/resnet",
        "POST, /v1/jobs",
        "POST, /v1/jobs/ml/resnet/cancel",
        "POST, /v1/jobs/ml/resnet/signals/",
        "POST, /v1/jobs/ml/resnet/signals/more",
        "POST, /v1/jobs/ml/resnet/signals/../cancel",
        "POST, /v1/jobs/ml/resnet%2Fsignals",
        "POST, /v1/jobs/ml/resnet/cancel;/signals",
        "POST, /v1//jobs/ml/resnet/signals",
        "POST, /v1/queues/ml/jobs:change",
        "GET, /v1/queues",
        "GET, /actuator/health",
        "POST, /error"
    })
    void nothingElseDoes(String method, String path) throws Exception {
        assertThat(comesThrough(REPORTS, REPORTS, method, path)).isFalse();
        assertThat(refused).singleElement().asString().contains("404", "this port takes only");
    }

    @Test
    void otherPortsTakeAll() throws Exception {
        assertThat(comesThrough(REPORTS, FIRST, "DELETE", "/v1/jobs/ml/resnet")).isTrue();
        assertThat(comesThrough(REPORTS, FIRST, "POST", SIGNALS)).isTrue();
        assertThat(comesThrough(0, FIRST, "DELETE", "/v1/jobs/ml/resnet")).isTrue();
    }

    private boolean comesThrough(int reportPort, int port, String method, String path)
            throws Exception {
        var second = Duration.ofSeconds(1);
        var config =
                new AdmissionConfig(
                        second, second, DataSize.ofMegabytes(1), Set.of(), "", reportPort);
        var filter =
                new ReportFilter(
                        config,
                        (_, _, _, exception) -> {
                            refused.add(exception);
                            return null;
                        });
        var http = new MockHttpServletRequest(method, path);
        http.setLocalPort(port);
        var response = new MockHttpServletResponse();
        var chain = new MockFilterChain();
        filter.doFilter(http, response, chain);
        assertThat(response.getStatus()).isEqualTo(chain.getRequest() == null ? 404 : 200);
        return chain.getRequest() != null;
    }
}
