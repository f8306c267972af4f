package dev.muster.sandbox.node.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceNamesTest {
    private static final ServiceNames NAMES =
            new ServiceNames(Map.of("web.shop", "127.0.0.1:18080"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "web.shop",
                "web.shop:80",
                "web.shop.svc",
                "web.shop.svc.cluster.local",
                "web.shop.svc.cluster.local.",
                "web.shop.svc.cluster.local:80",
            })
    void everyFormOfAServicesNameBecomesItsAddress(String name) {
        assertThat(NAMES.resolve(name)).isEqualTo("127.0.0.1:18080");
        assertThat(NAMES.resolve("GET http://" + name + "/v1, or " + name))
                .isEqualTo("GET http://127.0.0.1:18080/v1, or 127.0.0.1:18080");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "web.shop:8080",
                "web.shop:443",
                "web.shopping",
                "web.shop.example",
                "www.web.shop",
                "my-web.shop",
                "/data/web.shop",
                "https://web.shop/v1",
                "web_shop",
                "",
            })
    void whatIsNoneStaysAsItIs(String text) {
        assertThat(NAMES.resolve(text)).isEqualTo(text);
        assertThat(ServiceNames.NONE.resolve(text)).isEqualTo(text);
    }
}
