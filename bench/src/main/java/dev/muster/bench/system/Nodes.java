package dev.muster.bench.system;

import java.util.List;

/** Where pods run. */
public sealed interface Nodes {
    /** One node whose containers are processes of this machine. */
    record Local() implements Nodes {}

    /**
     * Nodes that KWOK pretends: their pods run at once, and for ever unless a stage ends them.
     *
     * @param cpus of each
     * @param pods most of each
     * @param stages texts of KWOK stages besides its own
     */
    record Pretended(int count, int cpus, int pods, List<String> stages) implements Nodes {
        private static final int KUBELETS_PODS = 110;

        /** Nodes that many small pods fit on, as many as a kubelet takes. */
        public Pretended(int count) {
            this(count, 32, KUBELETS_PODS, List.of());
        }

        /** Nodes of that size. */
        public Pretended(int count, int cpus) {
            this(count, cpus, KUBELETS_PODS, List.of());
        }
    }

    /** In words, for reports. */
    default String said() {
        return switch (this) {
            case Local _ -> "one local node whose pods are processes";
            case Pretended(var count, var cpus, _, _) ->
                    "%d KWOK nodes of %d cpus whose pods run at once".formatted(count, cpus);
        };
    }
}
