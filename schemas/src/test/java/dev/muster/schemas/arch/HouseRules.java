package dev.muster.schemas.arch;

import static com.tngtech.archunit.lang.conditions.ArchConditions.have;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_FIELD_INJECTION;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.stream.Stream;

/** What holds for every module; run it with {@code ArchTests.in(HouseRules.class)}. */
public final class HouseRules {
    static final String GENERATED = "dev.muster.v1..";

    private static final int MOST_PARAMETERS = 6;

    /** What comes in may call what goes out; nothing calls back. */
    @ArchTest
    static final ArchRule packagesFormNoRing =
            slices().matching("dev.muster.(**)").should().beFreeOfCycles().allowEmptyShould(true);

    @ArchTest
    static final ArchRule namesSayWhatItIs =
            noClasses()
                    .that()
                    .resideOutsideOfPackage(GENERATED)
                    .should()
                    .haveNameMatching(
                            "(.*[.$])?((Abstract|Default|Base)[A-Z].*|.*(Util|Utils|Helper|Impl))")
                    .allowEmptyShould(true)
                    .because("such a name says how a class came about, not what it is");

    @ArchTest static final ArchRule fieldsAreNotInjected = NO_CLASSES_SHOULD_USE_FIELD_INJECTION;

    @ArchTest
    static final ArchRule nobodySleeps =
            noClasses()
                    .should()
                    .accessTargetWhere(
                            DescribedPredicate.describe(
                                    "Thread.sleep",
                                    call ->
                                            call.getName().equals("sleep")
                                                    && call.getTargetOwner()
                                                            .isEquivalentTo(Thread.class)))
                    .allowEmptyShould(true)
                    .because("a wait says what it waits for");

    @ArchTest
    static final ArchRule callsBlockAndSignaturesSayWhatComes =
            methods()
                    .that(areSeenByOthers())
                    .should(have(noFutureInTheirSignature()))
                    .allowEmptyShould(true)
                    .because("virtual threads wait for free");

    @ArchTest
    static final ArchRule sixParametersAreEnough =
            codeUnits()
                    .that()
                    .areDeclaredInClassesThat()
                    .resideOutsideOfPackage(GENERATED)
                    .should(have(atMostSixParameters()))
                    .allowEmptyShould(true)
                    .because("more of them are a record");

    /** A record's constructor names its components; what the compiler adds nobody wrote. */
    private static DescribedPredicate<JavaCodeUnit> atMostSixParameters() {
        return DescribedPredicate.describe(
                "at most six parameters",
                code ->
                        code.getRawParameterTypes().size()
                                        <= (isOfAnEnum(code)
                                                ? MOST_PARAMETERS + 2
                                                : MOST_PARAMETERS)
                                || code.getModifiers().contains(JavaModifier.SYNTHETIC)
                                || (code.isConstructor() && code.getOwner().isRecord()));
    }

    /** The compiler gives an enum's constructor the constant's name and number. */
    private static boolean isOfAnEnum(JavaCodeUnit code) {
        return code.isConstructor() && code.getOwner().isEnum();
    }

    private static DescribedPredicate<JavaMethod> areSeenByOthers() {
        return DescribedPredicate.describe(
                "are seen by others",
                method ->
                        !method.getModifiers().contains(JavaModifier.PRIVATE)
                                && !method.getModifiers().contains(JavaModifier.SYNTHETIC));
    }

    private static DescribedPredicate<JavaCodeUnit> noFutureInTheirSignature() {
        return DescribedPredicate.describe(
                "no future or reactive type in their signature",
                method ->
                        Stream.concat(
                                        Stream.of(method.getRawReturnType()),
                                        method.getRawParameterTypes().stream())
                                .noneMatch(HouseRules::isAsynchronous));
    }

    private static boolean isAsynchronous(JavaClass type) {
        return type.isAssignableTo(CompletionStage.class)
                || type.isAssignableTo(Flow.Publisher.class)
                || type.isAssignableTo("org.reactivestreams.Publisher");
    }

    private HouseRules() {}
}
