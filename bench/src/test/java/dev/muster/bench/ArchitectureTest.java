package dev.muster.bench;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeJars;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import dev.muster.schemas.arch.HouseRules;

@AnalyzeClasses(
        packages = "dev.muster.bench",
        importOptions = {
            DoNotIncludeJars.class,
            DoNotIncludeTests.class,
            ArchitectureTest.WrittenByPeople.class
        })
class ArchitectureTest {
    @ArchTest static final ArchTests rules = ArchTests.in(HouseRules.class);

    /** Not what JMH generates around a benchmark. */
    static final class WrittenByPeople implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("/jmh_generated/");
        }
    }
}
