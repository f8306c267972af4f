package dev.muster.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeJars;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import dev.muster.schemas.arch.HouseRules;

@AnalyzeClasses(
        packages = "dev.muster.cli",
        importOptions = {DoNotIncludeJars.class, DoNotIncludeTests.class})
class ArchitectureTest {
    @ArchTest static final ArchTests rules = ArchTests.in(HouseRules.class);

    @ArchTest
    static final ArchRule ofTheCoordinatorOnlyCoreAndHistoryAreKnown =
            noClasses()
                    .should()
                    .dependOnClassesThat(
                            resideInAPackage("dev.muster.coordinator..")
                                    .and(
                                            resideOutsideOfPackages(
                                                    "dev.muster.coordinator.core..",
                                                    "dev.muster.coordinator.history..")))
                    .because("a replay needs the rules and the log, and no running service");

    @ArchTest
    static final ArchRule springAndStreamsStayOut =
            noClasses()
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("org.springframework..", "org.apache.kafka.streams..");
}
