package dev.muster.schemas.trainjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.trainjob.Form.Read;
import dev.muster.schemas.trainjob.Form.Refused;
import dev.muster.schemas.trainjob.SettingsChangeForm.Change;
import dev.muster.schemas.trainjob.SettingsChangeForm.Kind;
import dev.muster.schemas.trainjob.SettingsForm.PoolSetting;
import dev.muster.schemas.trainjob.SettingsForm.QueueSetting;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.Problem;
import dev.muster.v1.QueuePolicy;
import dev.muster.v1.QueueSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsChangeFormTest {
    @Test
    void aChangeNamesWhatItSetsAndWhatItTakesAway() {
        var patch =
                """
                {"spec": {"paused": true, "limit": {"cpu": "20", "nvidia.com/gpu": null},
                          "namespaces": ["ml"], "group": null}}
                """;
        assertThat(SettingsChangeForm.read(Kind.QUEUE, "a", patch))
                .isEqualTo(
                        new Read<>(
                                new Change(
                                        new QueueSetting(
                                                "a",
                                                QueueSpec.newBuilder()
                                                        .setPaused(true)
                                                        .setLimit(Map.of("cpu", 20_000L))
                                                        .setNamespaces(List.of("ml"))
                                                        .build(),
                                                new TreeSet<>(List.of("draining"))),
                                        List.of(
                                                "paused",
                                                "limit.cpu",
                                                "limit.nvidia.com/gpu",
                                                "namespaces",
                                                "group"))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'kind': 'Pool', 'spec': {}} | kind",
                "{'apiVersion': 'muster.dev/v2', 'spec': {}} | apiVersion",
                "{'metadata': {'name': 'b'}, 'spec': {}} | metadata.name",
                "{'metadata': {'name': 'a', 'colour': 'red'}, 'spec': {}} | metadata.colour"
            })
    void aChangeIsOfWhatItsAddressNames(String patch, String path) {
        var read = SettingsChangeForm.read(Kind.QUEUE, "a", patch.replace('\'', '"'));
        assertThat(((Refused<?>) read).problems())
                .extracting(Problem::getPath)
                .containsExactly(path);
    }

    @Test
    void aChangeMaySayWhatItsAddressNames() {
        var patch =
                """
                {"apiVersion": "muster.dev/v1", "kind": "Queue", "metadata": {"name": "a"},
                 "spec": {"paused": true}}
                """;
        assertThat(SettingsChangeForm.read(Kind.QUEUE, "a", patch)).isInstanceOf(Read.class);
    }

    @Test
    void aChangeOfAPoolNamesPartsOfItsParts() {
        var patch =
                """
                {"spec": {"policy": "Fifo", "nodeSelector": {"example.com/kind": "gpu", "zone": null},
                          "aging": {"step": "10m"}, "spot": {"nodeSelector": {"spot": "yes"}, "tolerations": null}}}
                """;
        assertThat(SettingsChangeForm.read(Kind.POOL, "a", patch))
                .isEqualTo(
                        new Read<>(
                                new Change(
                                        new PoolSetting(
                                                "a",
                                                PoolSpec.newBuilder()
                                                        .setPolicy(QueuePolicy.FIFO)
                                                        .setNodeSelector(
                                                                Map.of("example.com/kind", "gpu"))
                                                        .setAgingStepMillis(600_000)
                                                        .setSpotSelector(Map.of("spot", "yes"))
                                                        .build()),
                                        List.of(
                                                "policy",
                                                "nodeSelector.example.com/kind",
                                                "nodeSelector.zone",
                                                "aging.step",
                                                "spot.nodeSelector.spot",
                                                "spot.tolerations"))));
    }

    @Test
    void aFieldOfAQueueIsNoneOfAPool() {
        var refused =
                (Refused<?>) SettingsChangeForm.read(Kind.POOL, "a", "{\"spec\": {\"weight\": 3}}");
        assertThat(refused.problems()).extracting(Problem::getPath).containsExactly("spec.weight");
    }

    @Test
    void aChangeMayBeOfNothing() {
        assertThat(SettingsChangeForm.read(Kind.QUEUE, "a", "{\"spec\": {}}"))
                .isEqualTo(
                        new Read<>(
                                new Change(
                                        new QueueSetting(
                                                "a",
                                                QueueSpec.newBuilder().build(),
                                                new TreeSet<>(List.of("paused", "draining"))),
                                        List.of())));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "paused: true | ''",
                "[] | ''",
                "{} | spec",
                "{\"spec\": 3} | spec",
                "{\"spec\": {\"weight\": 0}} | spec.weight",
                "{\"spec\": {\"pausd\": true}} | spec.pausd",
                "{\"spec\": {\"paused\": true, \"paused\": false}} | ''",
                "{\"spec\": {}, \"more\": 1} | more"
            })
    void whatIsNoChangeIsRefusedAtItsPath(String text, String path) {
        var refused = (Refused<?>) SettingsChangeForm.read(Kind.QUEUE, "a", text);
        assertThat(refused.problems())
                .extracting(Problem::getPath)
                .containsExactly(path.equals("''") ? "" : path);
    }
}
