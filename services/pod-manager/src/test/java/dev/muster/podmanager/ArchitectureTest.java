package dev.muster.podmanager;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import dev.muster.schemas.arch.ServiceRules;

@AnalyzeClasses(
        packages = "dev.muster.podmanager",
        importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest static final ArchTests rules = ArchTests.in(ServiceRules.class);
}
