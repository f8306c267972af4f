package dev.muster.schemas.arch;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Cores use these, so they are held to what holds for cores. */
@AnalyzeClasses(
        packages = {"dev.muster.schemas.demand", "dev.muster.schemas.contract"},
        importOptions = DoNotIncludeTests.class)
class DemandArchitectureTest {
    @ArchTest static final ArchRule pure = ServiceRules.coreKnowsOnlyTheLanguage;
    @ArchTest static final ArchRule timeless = ServiceRules.coreHasNoClockThreadChanceOrLog;
}
