package dev.muster.admission;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import dev.muster.schemas.arch.HouseRules;

/**
 * The house rules for module streams. They come with the contract's tests, behind which streams is
 * not built itself: else the coordinator, for which the whole build waits, would begin after
 * modules that nobody waits for.
 */
@AnalyzeClasses(packages = "dev.muster.streams", importOptions = DoNotIncludeTests.class)
class StreamsArchitectureTest {
    @ArchTest static final ArchTests rules = ArchTests.in(HouseRules.class);
}
