package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Hook;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Commands that scale, with a hook. */
final class HookedCommands {
    private HookedCommands() {}

    /**
     * @param hook is asked for only where the command scales
     */
    static Change hooked(Change change, Supplier<Hook> hook) {
        return switch (change) {
            case Change.SetReplicas(var role, var count, var terms) ->
                    new Change.SetReplicas(role, count, hooked(terms, hook.get()));
            case Change.ScaleOut(var role, var by, var terms) ->
                    new Change.ScaleOut(role, by, hooked(terms, hook.get()));
            case Change.ScaleIn(var role, var by, var names, var terms) ->
                    new Change.ScaleIn(role, by, names, hooked(terms, hook.get()));
            default -> change;
        };
    }

    /** The time of its command would be over before its own is. */
    static Change.Terms hooked(Change.Terms terms, Hook hook) {
        return new Change.Terms(Duration.ZERO, terms.atomic(), terms.drain(), false, hook);
    }

    /** One that is to end within that time. */
    static Hook hook(Duration timeout, int retries) {
        return new Hook(List.of("tell"), new TreeMap<>(), timeout, retries);
    }
}
