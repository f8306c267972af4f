package dev.muster.sandbox.kubernetes;

/** A program that is built from a Go module whose versions {@code sandbox/kube} pins. */
public enum GoProgram {
    ETCD("etcd", "etcd", "go.etcd.io/etcd/server/v3"),
    KUBE_APISERVER("kube-apiserver", "control-plane", "k8s.io/kubernetes/cmd/kube-apiserver"),
    KUBE_SCHEDULER("kube-scheduler", "control-plane", "k8s.io/kubernetes/cmd/kube-scheduler"),
    KUBE_CONTROLLER_MANAGER(
            "kube-controller-manager",
            "control-plane",
            "k8s.io/kubernetes/cmd/kube-controller-manager"),
    KUBECTL("kubectl", "control-plane", "k8s.io/kubernetes/cmd/kubectl"),
    KWOK("kwok", "kwok", "sigs.k8s.io/kwok/cmd/kwok"),
    VOLCANO_SCHEDULER("volcano-scheduler", "volcano", "volcano.sh/volcano/cmd/scheduler"),
    /** Kueue without what its measurements need not, as they run it. */
    MINIMAL_KUEUE(
            "minimalkueue", "kueue", "sigs.k8s.io/kueue/test/performance/scheduler/minimalkueue"),
    /** Kueue's own measurement of its scheduler. */
    KUEUE_RUNNER("runner", "kueue", "sigs.k8s.io/kueue/test/performance/scheduler/runner");

    private final String file;
    private final String module;
    private final String goPackage;

    GoProgram(String file, String module, String goPackage) {
        this.file = file;
        this.module = module;
        this.goPackage = goPackage;
    }

    /** The name of its file. */
    public String file() {
        return file;
    }

    /** Of its module, with the leading {@code v}. */
    public String version() {
        return GoModule.named(module).version();
    }

    /** Its folder in {@code sandbox/kube}. */
    String module() {
        return module;
    }

    String goPackage() {
        return goPackage;
    }
}
