package dev.muster.schemas.arch;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeJars;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;

@AnalyzeClasses(packages = "dev.muster.schemas", importOptions = DoNotIncludeJars.class)
class ArchitectureTest {
    @ArchTest static final ArchTests rules = ArchTests.in(HouseRules.class);
}
