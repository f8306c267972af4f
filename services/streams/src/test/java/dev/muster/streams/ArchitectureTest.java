package dev.muster.streams;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeJars;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import dev.muster.schemas.arch.HouseRules;

@AnalyzeClasses(
        packages = "dev.muster.streams",
        importOptions = {DoNotIncludeJars.class, DoNotIncludeTests.class})
class ArchitectureTest {
    @ArchTest static final ArchTests rules = ArchTests.in(HouseRules.class);
}
