package dev.muster.podmanager.core;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Set;

/**
 * What a container trains on, by its limits. Not every extended resource is such a device: network
 * cards are extended resources, too.
 */
final class Devices {
    private static final Set<String> NAMES =
            Set.of(
                    "aws.amazon.com/neuron",
                    "aws.amazon.com/neuroncore",
                    "aws.amazon.com/neurondevice",
                    "cambricon.com/mlu",
                    "google.com/tpu",
                    "gpu.intel.com/i915",
                    "gpu.intel.com/xe",
                    "habana.ai/gaudi");

    private static final BigDecimal MOST = BigDecimal.valueOf(Integer.MAX_VALUE);

    private Devices() {}

    /** Extended resources come in whole pieces, and stand in the limits. */
    static int of(Container container) {
        var resources = container.getResources();
        if (resources == null || resources.getLimits() == null) {
            return 0;
        }
        return resources.getLimits().entrySet().stream()
                .filter(limit -> isDevice(limit.getKey()))
                .map(Map.Entry::getValue)
                .map(Devices::whole)
                .reduce(BigDecimal.ZERO, BigDecimal::add)
                .min(MOST)
                .intValueExact();
    }

    /** However it is written; of part of a piece the API server says what is wrong with it. */
    private static BigDecimal whole(Quantity amount) {
        return amount.getNumericalAmount().setScale(0, RoundingMode.CEILING);
    }

    private static boolean isDevice(String resource) {
        return resource.endsWith("/gpu")
                || resource.endsWith("/gpu.shared")
                || resource.startsWith("nvidia.com/mig-")
                || resource.startsWith("huawei.com/Ascend")
                || NAMES.contains(resource);
    }
}
