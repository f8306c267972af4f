package dev.muster.sandbox.kubernetes;

/** What the API server writes down. */
final class AuditPolicy {
    /** Who did what. */
    private static final String REQUESTS =
            """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            omitStages: [RequestReceived]
            omitManagedFields: true
            rules:
            - level: Metadata
            """;

    /** Of pods and config maps also what became of them; the first rule that matches counts. */
    private static final String PODS =
            REQUESTS.replace(
                    "rules:\n",
                    """
                    rules:
                    - level: RequestResponse
                      verbs: [create, update, patch, delete, deletecollection]
                      resources:
                      - group: ""
                        resources: [pods, pods/status, pods/binding, configmaps]
                    """);

    static String of(ControlPlane.Extent extent) {
        return extent == ControlPlane.Extent.PATIENT ? REQUESTS : PODS;
    }

    private AuditPolicy() {}
}
