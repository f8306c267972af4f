package dev.muster.schemas.trainjob;

import dev.muster.v1.ExitCodeRange;
import dev.muster.v1.FailureAction;
import dev.muster.v1.FailureRule;
import dev.muster.v1.FailureSpec;
import dev.muster.v1.NodeLostPolicy;
import java.math.RoundingMode;

/** Maps the failure policy of a job or a role. */
final class FailureReader {
    private FailureReader() {}

    static FailureSpec read(Fields from) {
        var to = FailureSpec.newBuilder();
        from.number("backoffLimit", to::setBackoffLimit);
        from.number("infrastructureLimit", to::setInfrastructureLimit);
        from.duration("window", to::setWindowMillis);
        from.object(
                "delay",
                delay -> {
                    delay.duration("initial", to::setDelayInitialMillis);
                    delay.duration("max", to::setDelayMaxMillis);
                });
        from.duration("settle", to::setSettleMillis);
        from.object(
                "nodeLost",
                nodeLost -> {
                    nodeLost.duration("after", to::setNodeLostAfterMillis);
                    nodeLost.constant("policy", NodeLostPolicy.class, to::setNodeLost);
                });
        from.list("rules", FailureReader::rule, to::setRules);
        return to.build();
    }

    private static FailureRule rule(Fields from) {
        var to = FailureRule.newBuilder();
        from.list("exitCodes", FailureReader::exitCodes, to::setExitCodes);
        from.list("reasons", reason -> reason.object().asString(), to::setReasons);
        from.text("role", to::setRole);
        from.constant("action", FailureAction.class, to::setAction);
        from.text("message", to::setMessage);
        from.decimal(
                "factor",
                factor ->
                        to.setFactorThousandths(
                                factor.movePointRight(3)
                                        .setScale(0, RoundingMode.HALF_UP)
                                        .intValueExact()));
        if (from.has("max")) {
            to.setMax(Fields.plain(from.object().path("max")));
        }
        if (to.getAction() != FailureAction.GROW_MEMORY) {
            onlyWithGrowMemory(from, "factor");
            onlyWithGrowMemory(from, "max");
        }
        return to.build();
    }

    private static void onlyWithGrowMemory(Fields from, String name) {
        if (from.has(name)) {
            from.add(name, from.text(name), "is allowed with action GrowMemory only");
        }
    }

    private static ExitCodeRange exitCodes(Fields from) {
        var text = from.object().asString();
        var ends = text.split("-", -1);
        var first = Integer.parseInt(ends[0]);
        var last = Integer.parseInt(ends[ends.length - 1]);
        if (first > last) {
            from.add("", text, "must be a range from the smaller to the larger exit code");
        }
        return new ExitCodeRange(first, last);
    }
}
