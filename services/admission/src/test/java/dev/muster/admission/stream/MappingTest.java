package dev.muster.admission.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.admission.core.JobChange;
import dev.muster.admission.core.Outcome;
import dev.muster.admission.core.Phase;
import dev.muster.admission.core.PodNeeds;
import dev.muster.admission.core.TrainJob;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Enums are mapped by name, so the names must be the same. */
class MappingTest {
    @ParameterizedTest
    @MethodSource
    void everyValueOfTheContractHasOneInTheCore(Class<?> contract, Class<?> core) {
        assertThat(names(core)).isEqualTo(names(contract));
    }

    static Stream<Arguments> everyValueOfTheContractHasOneInTheCore() {
        return Stream.of(
                pair(dev.muster.v1.Framework.class, TrainJob.Framework.class),
                pair(dev.muster.v1.TopologyPolicy.class, TrainJob.TopologyPolicy.class),
                pair(dev.muster.v1.SuccessWhen.class, TrainJob.SuccessWhen.class),
                pair(dev.muster.v1.Cleanup.class, TrainJob.Cleanup.class),
                pair(dev.muster.v1.DependencyPhase.class, TrainJob.DependencyPhase.class),
                pair(dev.muster.v1.FailureAction.class, TrainJob.FailureAction.class),
                pair(dev.muster.v1.NodeLostPolicy.class, TrainJob.NodeLostPolicy.class),
                pair(dev.muster.v1.CheckpointSignal.class, TrainJob.CheckpointSignal.class),
                pair(dev.muster.v1.RemoteShell.class, TrainJob.RemoteShell.class),
                pair(dev.muster.v1.ScalingPolicy.class, TrainJob.ScalingPolicy.class),
                pair(dev.muster.v1.JobChangeKind.class, JobChange.Kind.class));
    }

    @ParameterizedTest
    @MethodSource
    void everyValueOfTheCoreHasOneInTheContract(Class<?> core, Class<?> contract) {
        assertThat(names(contract)).containsAll(names(core));
    }

    static Stream<Arguments> everyValueOfTheCoreHasOneInTheContract() {
        return Stream.of(
                pair(Phase.class, dev.muster.v1.Phase.class),
                pair(Outcome.class, dev.muster.v1.Outcome.class),
                pair(PodNeeds.Restart.class, dev.muster.v1.PodRestart.class),
                pair(PodNeeds.Effect.class, dev.muster.v1.TaintEffect.class),
                pair(PodNeeds.Operator.class, dev.muster.v1.SelectorOperator.class));
    }

    @ParameterizedTest
    @MethodSource
    void everyPhaseButUnknownIsHeard(dev.muster.v1.Phase phase) {
        assertThat(Phase.valueOf(phase.name()).name()).isEqualTo(phase.name());
    }

    static Stream<dev.muster.v1.Phase> everyPhaseButUnknownIsHeard() {
        return Arrays.stream(dev.muster.v1.Phase.values())
                .filter(phase -> phase != dev.muster.v1.Phase.UNKNOWN);
    }

    private static java.util.List<String> names(Class<?> type) {
        return Arrays.stream(type.getEnumConstants()).map(c -> ((Enum<?>) c).name()).toList();
    }

    private static Arguments pair(Class<?> one, Class<?> other) {
        return argumentSet(one.getSimpleName(), one, other);
    }
}
