package dev.muster.admission.stream;

import dev.muster.admission.core.JobChange;
import dev.muster.v1.HookSpec;
import dev.muster.v1.ScaleKind;
import dev.muster.v1.ScaleSpec;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Changes of jobs, in both directions; the kinds have the same names on both sides. */
public final class ChangeMapping {
    private static final long NOT_SAID = -1;

    private ChangeMapping() {}

    /** Takes over everything; what is wrong with it the core says. */
    public static JobChange toCore(dev.muster.v1.JobChange change) {
        @Nullable Long grace = change.getGracePeriodMillis();
        return new JobChange(
                JobChange.Kind.valueOf(change.getKind().name()),
                change.getPriority(),
                change.getQueue(),
                grace == null ? null : Duration.ofMillis(grace),
                change.getMessage(),
                change.getNode(),
                change.getScale() == null ? null : scale(change.getScale()));
    }

    private static JobChange.Scale scale(ScaleSpec scale) {
        return new JobChange.Scale(
                JobChange.Scale.To.valueOf(scale.getKind().name()),
                scale.getRole(),
                scale.getCount(),
                scale.getNames(),
                Duration.ofMillis(scale.getTimeoutMillis()),
                scale.getDrainMillis() == NOT_SAID
                        ? null
                        : Duration.ofMillis(scale.getDrainMillis()),
                scale.getAtomic(),
                scale.getDryRun(),
                scale.getHook() == null ? null : hook(scale.getHook()),
                scale.getCommand());
    }

    private static JobChange.Hook hook(HookSpec hook) {
        return new JobChange.Hook(
                hook.getCommand(),
                hook.getEnv(),
                Duration.ofMillis(hook.getTimeoutMillis()),
                hook.getRetries());
    }

    private static HookSpec hook(JobChange.Hook hook) {
        return new HookSpec(hook.command(), hook.env(), hook.timeout().toMillis(), hook.retries());
    }

    private static ScaleSpec scale(JobChange.Scale scale) {
        return new ScaleSpec(
                ScaleKind.valueOf(scale.to().name()),
                scale.role(),
                scale.count(),
                scale.names(),
                scale.timeout().toMillis(),
                scale.atomic(),
                scale.drain() == null ? NOT_SAID : scale.drain().toMillis(),
                scale.dryRun(),
                scale.hook() == null ? null : hook(scale.hook()),
                scale.command());
    }

    static dev.muster.v1.JobChange toAvro(JobChange change) {
        var grace = change.gracePeriod();
        return new dev.muster.v1.JobChange(
                dev.muster.v1.JobChangeKind.valueOf(change.kind().name()),
                change.priority(),
                change.queue(),
                grace == null ? null : grace.toMillis(),
                change.message(),
                change.node(),
                change.scale() == null ? null : scale(change.scale()));
    }
}
