package dev.muster.coordinator;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import dev.muster.schemas.arch.ServiceRules;

@AnalyzeClasses(packages = "dev.muster.coordinator", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest static final ArchTests rules = ArchTests.in(ServiceRules.class);

    @ArchTest
    static final ArchRule edgeKnowsNoState =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.muster.coordinator.core..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("dev.muster.coordinator.core.state..")
                    .because("it gives a pool its events and takes what comes of them");

    /** What follows from the rows can be read by all rules, and is changed with the rows alone. */
    @ArchTest
    static final ArchRule onlyRowsChangeWhatFollowsFromThem =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(
                            "dev.muster.coordinator.core.state..",
                            "dev.muster.coordinator.core.placement..",
                            "dev.muster.coordinator.core.queue..",
                            "dev.muster.coordinator.core.gang..")
                    .should()
                    .callMethodWhere(
                            target(
                                            owner(
                                                    nameMatching(
                                                            ".*\\.(Capacity|Ledger|Backlog|Residents|Ports|GrowableJobs)")))
                                    .and(
                                            target(
                                                    nameMatching(
                                                            "put|add|remove|removeNode|hold|holdNothing|release"
                                                                    + "|settle|reserve|delegate|charge|count|markTurned"))))
                    .because("rules change rows, and rows change these");
}
