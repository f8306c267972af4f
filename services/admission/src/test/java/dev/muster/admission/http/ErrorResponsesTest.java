package dev.muster.admission.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.serde.RegistryUnavailableException;
import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

class ErrorResponsesTest {
    private final MockMvc http =
            MockMvcBuilders.standaloneSetup(new Endpoint())
                    .setControllerAdvice(new ErrorResponses())
                    .build();

    @RestController
    static final class Endpoint {
        @GetMapping("/silent")
        String silent() {
            throw new RegistryUnavailableException("nobody answers");
        }

        @GetMapping("/kept")
        String kept(HttpServletRequest request) {
            return String.valueOf(Query.isSet(request, "keep"));
        }

        @GetMapping("/of")
        String of(HttpServletRequest request) {
            return String.valueOf(Query.uid(request));
        }

        @GetMapping("/id")
        String id(HttpServletRequest request) {
            return RequestIds.of(request);
        }
    }

    @Test
    void whatTheRegistryWouldHaveToBeAskedForIsNotShownNow() throws Exception {
        var response = get("/silent", "");
        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(response.getContentAsString()).contains("registry", "try again");
    }

    @Test
    void addressThatCannotBeReadIsRefused() throws Exception {
        var response = get("/id", "requestId=%zz");
        assertThat(response.getStatus()).isEqualTo(422);
        assertThat(response.getContentAsString()).contains("requestId", "%zz");
    }

    @Test
    void parameterIsReadAsAddressesAreWritten() throws Exception {
        assertThat(get("/id", "requestId=a%20b").getContentAsString()).isEqualTo("a b");
    }

    @ParameterizedTest
    @CsvSource({"a=b,false", "keep,true", "a&keep,true", "keep=true,true", "keep=false,false"})
    void whatIsInTheAddressWithoutAValueIsSoToo(String query, String isSet) throws Exception {
        assertThat(get("/kept", query).getContentAsString()).isEqualTo(isSet);
    }

    /** A script's variable may be empty. */
    @ParameterizedTest
    @ValueSource(strings = {"maybe", "", "%20"})
    void whatIsNeitherTrueNorFalseIsRefused(String value) throws Exception {
        var response = get("/kept", "keep=" + value);
        assertThat(response.getStatus()).isEqualTo(422);
        assertThat(response.getContentAsString()).contains("keep", "true or false");
    }

    @ParameterizedTest
    @CsvSource({"a=b,null", "uid=3-10,3-10", "uid=3%2D10,3-10"})
    void submissionIsTheNewestWhereTheAddressNamesNone(String query, String uid) throws Exception {
        assertThat(get("/of", query).getContentAsString()).isEqualTo(uid);
    }

    /** What is asked for may be an end, and is not to hit another submission than was meant. */
    @ParameterizedTest
    @ValueSource(strings = {"uid", "uid=", "uid=%20"})
    void submissionThatIsNamedAndLeftEmptyIsRefused(String query) throws Exception {
        var response = get("/of", query);
        assertThat(response.getStatus()).isEqualTo(422);
        assertThat(response.getContentAsString()).contains("uid", "3-4711");
    }

    private MockHttpServletResponse get(String path, String query) throws Exception {
        var request =
                MockMvcRequestBuilders.get(path)
                        .with(asked -> {
                            asked.setQueryString(query);
                            return asked;
                        });
        return http.perform(request).andReturn().getResponse();
    }
}
