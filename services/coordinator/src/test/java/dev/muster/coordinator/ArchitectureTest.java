package dev.muster.coordinator;

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
}
