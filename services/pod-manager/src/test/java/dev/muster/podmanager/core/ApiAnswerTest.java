package dev.muster.podmanager.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.podmanager.core.ApiAnswer.Changed;
import dev.muster.podmanager.core.ApiAnswer.Denied;
import dev.muster.podmanager.core.ApiAnswer.Done;
import dev.muster.podmanager.core.ApiAnswer.Edited;
import dev.muster.podmanager.core.ApiAnswer.Later;
import dev.muster.podmanager.core.ApiAnswer.Refused;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ApiAnswerTest {
    private static final List<String> NONE = List.of();

    @ParameterizedTest
    @MethodSource
    void everyAnswerMeansOneThing(int code, String reason, String message, Class<?> meaning) {
        assertThat(ApiAnswer.of(code, reason, message, NONE, Duration.ZERO)).isInstanceOf(meaning);
    }

    static Stream<Arguments> everyAnswerMeansOneThing() {
        var forbidden = "pods \"a\" is forbidden: ";
        return Stream.of(
                argumentSet("created", 201, "", "", Done.class),
                argumentSet("exists", 409, "AlreadyExists", "", Changed.class),
                argumentSet("precondition", 409, "Conflict", "", Changed.class),
                argumentSet("invalid", 422, "Invalid", "bad image", Refused.class),
                argumentSet(
                        "another object of that name",
                        422,
                        "Invalid",
                        "ConfigMap \"c\" is invalid: metadata.uid: Invalid value: \"1\": field is"
                                + " immutable",
                        Changed.class),
                argumentSet("malformed", 400, "BadRequest", "", Refused.class),
                argumentSet(
                        "Volcano's queue is closed",
                        400,
                        "",
                        "admission webhook \"validatepod.volcano.sh\" denied the request: failed : "
                                + " can only submit job to queue with state `Open`, queue `research`"
                                + " status is `Closed`;",
                        Later.class),
                argumentSet(
                        "Volcano's queue is not there yet",
                        400,
                        "",
                        "admission webhook \"validatepod.volcano.sh\" denied the request: failed : "
                                + " unable to find job queue: queues.scheduling.volcano.sh"
                                + " \"research\" not found;",
                        Later.class),
                argumentSet(
                        "Volcano cannot look up a group",
                        400,
                        "",
                        "admission webhook \"validatepod.volcano.sh\" denied the request: failed to"
                                + " get PodGroup for pod <ml/resnet-worker-0>: context deadline"
                                + " exceeded;",
                        Later.class),
                argumentSet("too large", 413, "RequestEntityTooLarge", "", Refused.class),
                argumentSet("no namespace", 404, "NotFound", "", Refused.class),
                argumentSet(
                        "RBAC",
                        403,
                        "Forbidden",
                        "pods is forbidden: User \"system:serviceaccount:muster-system:pods\""
                                + " cannot create resource \"pods\" in API group \"\" in the"
                                + " namespace \"ml\"",
                        Denied.class),
                argumentSet(
                        "a webhook in the words of RBAC",
                        403,
                        "Forbidden",
                        "admission webhook \"policy\" denied the request: User \"pods\" cannot"
                                + " create resource pods here",
                        Refused.class),
                argumentSet(
                        "PodSecurity",
                        403,
                        "Forbidden",
                        forbidden + "violates PodSecurity \"baseline:latest\"",
                        Refused.class),
                argumentSet(
                        "quota",
                        403,
                        "Forbidden",
                        forbidden + "exceeded quota: q, requested: pods=1",
                        Later.class),
                argumentSet(
                        "quota not counted",
                        403,
                        "Forbidden",
                        forbidden + "status unknown for quota: q, resources: pods",
                        Later.class),
                argumentSet(
                        "quota asks for more",
                        403,
                        "Forbidden",
                        forbidden + "failed quota: q: must specify limits.cpu for: main",
                        Refused.class),
                argumentSet(
                        "young namespace",
                        403,
                        "Forbidden",
                        forbidden
                                + "error looking up service account ml/default:"
                                + " serviceaccount \"default\" not found",
                        Later.class),
                argumentSet("webhook broke", 500, "InternalError", "failed calling", Later.class),
                argumentSet("too many", 429, "TooManyRequests", "", Later.class),
                argumentSet("login expired", 401, "Unauthorized", "", Later.class),
                argumentSet("not ready", 503, "ServiceUnavailable", "", Later.class));
    }

    @Test
    void theServersWordsAreKept() {
        assertThat(ApiAnswer.of(422, "Invalid", "Pod \"a\" is invalid", NONE, Duration.ZERO))
                .isEqualTo(new Refused("Invalid", "Pod \"a\" is invalid"));
        var wait = Duration.ofSeconds(3);
        assertThat(ApiAnswer.of(429, "TooManyRequests", "slow down", NONE, wait))
                .isEqualTo(new Later("HTTP 429 slow down", Duration.ofSeconds(3)));
    }

    /** It says so only after a look at all fields: others may conflict in other ways. */
    @Test
    void whatSomebodyElseHasEditedIsToldFromWhatHasChanged() {
        var message = "Apply failed with 1 conflict: conflict with \"kubectl\": .spec.minAvailable";
        var causes = List.of("FieldManagerConflict");
        assertThat(ApiAnswer.of(409, "Conflict", message, causes, Duration.ZERO))
                .isEqualTo(new Edited(message));
        assertThat(ApiAnswer.of(409, "Conflict", message, List.of("Other"), Duration.ZERO))
                .isEqualTo(new Changed());
    }

    /** A quota that another write changed at the same time is no sign that anything is there. */
    @Test
    void whatIsThereAlreadyIsAsGoodAndAnotherConflictMadeNothing() {
        assertThat(ApiAnswer.ofTaken("AlreadyExists", "there", Duration.ZERO))
                .isEqualTo(new Done());
        assertThat(ApiAnswer.ofTaken("Conflict", "modified", Duration.ofSeconds(3)))
                .isEqualTo(new Later("HTTP 409 modified", Duration.ofSeconds(3)));
    }
}
