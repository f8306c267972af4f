package dev.muster.sandbox.kubernetes;

/** What the API server writes down: who did what, and of each pod also what became of it. */
final class AuditPolicy {
    static final String TEXT =
            """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            omitStages: [RequestReceived]
            omitManagedFields: true
            rules:
            - level: RequestResponse
              verbs: [create, update, patch, delete, deletecollection]
              resources:
              - group: ""
                resources: [pods, pods/status, pods/binding]
            - level: Metadata
            """;

    private AuditPolicy() {}
}
