package dev.muster.schemas.arch;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;

/**
 * What holds for every service: the house's rules and how core and edge stand to each other. Run it
 * with {@code ArchTests.in(ServiceRules.class)}.
 */
public final class ServiceRules {
    private static final String CORE = "dev.muster..core..";
    private static final String DECIDER = "dev.muster.coordinator.core..";

    /** The part of the contract that is a rule rather than a record, as pure as a core. */
    private static final String DEMAND = "dev.muster.schemas.demand..";

    /** Names, numbers and paths of the contract. */
    private static final String CONTRACT = "dev.muster.schemas.contract..";

    private static final String[] KNOWN_TO_CORES = {
        CORE,
        DEMAND,
        CONTRACT,
        "java.lang..",
        "java.util..",
        "java.time..",
        "java.math..",
        "org.jspecify.."
    };

    private static final String[] KUBERNETES_DATA = {
        "io.fabric8.kubernetes.api..", "io.fabric8.kubernetes.model.."
    };

    @ArchTest static final ArchTests house = ArchTests.in(HouseRules.class);

    @ArchTest
    static final ArchRule coreKnowsOnlyTheLanguage =
            classes()
                    .that()
                    .resideInAnyPackage(CORE, DEMAND, CONTRACT)
                    .and()
                    .resideOutsideOfPackages("dev.muster.podmanager..", "dev.muster.watcher..")
                    .should()
                    .onlyDependOnClassesThat(isKnown(KNOWN_TO_CORES))
                    .allowEmptyShould(true)
                    .because("a decision is a value that is made of values");

    @ArchTest
    static final ArchRule coreKnowsOnlyTheLanguageAndWhatKubernetesObjectsAre =
            classes()
                    .that()
                    .resideInAPackage(CORE)
                    .should()
                    .onlyDependOnClassesThat(
                            isKnown(KNOWN_TO_CORES).or(resideInAnyPackage(KUBERNETES_DATA)))
                    .allowEmptyShould(true)
                    .because("a decision is a value that is made of values");

    @ArchTest
    static final ArchRule coreHasNoClockThreadChanceOrLog =
            noClasses()
                    .that()
                    .resideInAnyPackage(CORE, DEMAND, CONTRACT)
                    .should()
                    .dependOnClassesThat(
                            resideInAnyPackage(
                                            "java.util.concurrent..",
                                            "java.util.logging..",
                                            "java.util.random..",
                                            "java.lang.reflect..")
                                    .or(isOneOf("java.time.Clock", "java.time.InstantSource"))
                                    .or(isOneOf("java.lang.Thread", "java.util.Timer"))
                                    .or(isOneOf("java.util.Random", "java.util.SplittableRandom")))
                    .orShould()
                    .accessTargetWhere(isOneOfTheCalls("java.time", "now"))
                    .orShould()
                    .accessTargetWhere(
                            isOneOfTheCalls("java.lang", "currentTimeMillis", "nanoTime"))
                    .orShould()
                    .accessTargetWhere(isOneOfTheCalls("java.lang", "random", "identityHashCode"))
                    .orShould()
                    .accessTargetWhere(isOneOfTheCalls("java.util", "randomUUID"))
                    .allowEmptyShould(true)
                    .because("the same input has the same answer, whenever and wherever");

    @ArchTest
    static final ArchRule deciderHasNoCollectionWithoutAnOrder =
            noClasses()
                    .that()
                    .resideInAPackage(DECIDER)
                    .should()
                    .accessTargetWhere(makesAnUnorderedCollection())
                    .allowEmptyShould(true)
                    .because(
                            "it would be walked in another order elsewhere;"
                                    + " LinkedHashMap, LinkedHashSet and TreeMap have one");

    @ArchTest
    static final ArchRule deciderKeepsWholeNumbers =
            fields().that()
                    .areDeclaredInClassesThat()
                    .resideInAPackage(DECIDER)
                    .should()
                    .notHaveRawType(isFloatingPoint())
                    .allowEmptyShould(true)
                    .because("shares are compared exactly");

    @ArchTest
    static final ArchRule deciderAnswersWithWholeNumbers =
            methods()
                    .that()
                    .areDeclaredInClassesThat()
                    .resideInAPackage(DECIDER)
                    .should()
                    .notHaveRawReturnType(isFloatingPoint())
                    .allowEmptyShould(true)
                    .because("shares are compared exactly");

    @ArchTest
    static final ArchRule generatedRecordsStayAtTheEdge =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(
                            "dev.muster.*.kafka..",
                            "dev.muster.*.stream..",
                            "dev.muster.*.http..",
                            "dev.muster.coordinator.history.log",
                            "dev.muster.coordinator.history.snapshots",
                            "dev.muster.coordinator.history.replay",
                            "dev.muster.coordinator.history.explain",
                            "dev.muster.coordinator.snapshotter..",
                            "dev.muster.schemas..",
                            HouseRules.GENERATED)
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(HouseRules.GENERATED)
                    .allowEmptyShould(true)
                    .because("the edge turns them into the core's own records");

    @ArchTest
    static final ArchRule kubernetesClientStaysAtTheEdge =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.muster.*.kubernetes..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("io.fabric8.kubernetes.client..")
                    .allowEmptyShould(true)
                    .because("one package speaks with Kubernetes");

    private static DescribedPredicate<JavaClass> isKnown(String... packages) {
        return resideInAnyPackage(packages)
                .or(describe("is primitive", type -> type.getBaseComponentType().isPrimitive()))
                .or(
                        describe(
                                "is an array of these",
                                type ->
                                        type.isArray()
                                                && resideInAnyPackage(packages)
                                                        .test(type.getBaseComponentType())));
    }

    private static DescribedPredicate<JavaClass> isOneOf(String... names) {
        return describe(
                "is one of " + List.of(names), type -> List.of(names).contains(type.getFullName()));
    }

    private static DescribedPredicate<JavaClass> isFloatingPoint() {
        return isOneOf("double", "float", "java.lang.Double", "java.lang.Float");
    }

    private static DescribedPredicate<JavaAccess<?>> isOneOfTheCalls(
            String ownersPackage, String... names) {
        return describe(
                "calls one of " + List.of(names),
                call ->
                        call.getTargetOwner().getPackageName().equals(ownersPackage)
                                && List.of(names).contains(call.getName()));
    }

    private static DescribedPredicate<JavaAccess<?>> makesAnUnorderedCollection() {
        var classes = Set.of("HashMap", "HashSet", "IdentityHashMap", "WeakHashMap", "Hashtable");
        var interfaces = Set.of("of", "copyOf", "ofEntries");
        var collectors = Set.of("toSet", "toUnmodifiableSet", "toUnmodifiableMap");
        // These take the map to fill as one more parameter, and are fine with it.
        var collectorsWithoutMap = Set.of("toMap/2", "toMap/3", "groupingBy/1", "groupingBy/2");
        return describe(
                "makes a collection without an order of its own",
                call -> {
                    if (!(call.getTarget() instanceof CodeUnitAccessTarget target)) {
                        return false;
                    }
                    var name = target.getName();
                    var parameters = target.getRawParameterTypes().size();
                    return switch (target.getOwner().getFullName()) {
                        case "java.util.Set", "java.util.Map" ->
                                interfaces.contains(name) && parameters > 0;
                        case "java.util.stream.Collectors" ->
                                collectors.contains(name)
                                        || collectorsWithoutMap.contains(name + "/" + parameters);
                        default ->
                                name.equals("<init>")
                                        && target.getOwner().getPackageName().equals("java.util")
                                        && classes.contains(target.getOwner().getSimpleName());
                    };
                });
    }

    private ServiceRules() {}
}
