package dev.muster.coordinator.stream.avro;

import dev.muster.v1.NodeLack;
import dev.muster.v1.WaitReason;

/** Why something waits, as users read it. */
final class OutboundReasons {
    private OutboundReasons() {}

    static WaitReason reason(dev.muster.coordinator.core.model.WaitReason reason) {
        var shortage = reason.shortage();
        var record =
                WaitReason.newBuilder()
                        .setCode(reason.code().label())
                        .setScope(reason.scope())
                        .setSince(reason.since())
                        .setRemedy(reason.remedy())
                        .setMessage(reason.message())
                        .setNearest(
                                reason.nearest().stream()
                                        .map(lack -> new NodeLack(lack.node(), lack.lacks()))
                                        .toList());
        if (shortage != null) {
            record.setNeed(shortage.need()).setHave(shortage.have()).setShortBy(shortage.shortBy());
        }
        return record.build();
    }
}
