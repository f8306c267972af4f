package dev.muster.schemas;

import dev.muster.v1.Envelope;
import org.apache.avro.Conversion;
import org.apache.avro.util.ClassSecurityValidator;

/**
 * Has Avro make records of the contract's package.
 *
 * <p>Avro 1.12.2 makes no class by a schema's name unless the class is trusted, and so neither
 * reads a generated record nor fills in the default of an enum. The trust belongs to the whole JVM
 * and must be there before the first record: Avro loads this class as it loads every conversion, by
 * {@code META-INF/services}, whenever a generated class is first used. It converts nothing.
 */
public final class ContractTrust extends Conversion<ContractTrust> {
    private static final String CONTRACT = Envelope.class.getPackageName();

    static {
        ClassSecurityValidator.setGlobal(
                ClassSecurityValidator.composite(
                        ClassSecurityValidator.getGlobal(),
                        type -> type.getPackageName().equals(CONTRACT)));
    }

    @Override
    public Class<ContractTrust> getConvertedType() {
        return ContractTrust.class;
    }

    @Override
    public String getLogicalTypeName() {
        return "muster-contract-trust";
    }
}
