package dev.muster.podmanager.kubernetes;

import dev.muster.podmanager.core.Ssh;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.interfaces.EdECPrivateKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Supplier;

/** Key pairs for ssh, each time others: Ed25519, in OpenSSH's own form. */
public final class SshKeys implements Supplier<Ssh.Keys> {
    private static final String ALGORITHM = "ssh-ed25519";
    private static final int PUBLIC_BYTES = 32;

    /** A private part that is not enciphered is filled up to this. */
    private static final int BLOCK = 8;

    private static final int LINE = 70;

    private final SecureRandom random = new SecureRandom();

    @Override
    public Ssh.Keys get() {
        return new Ssh.Keys(pair(), pair());
    }

    private Ssh.Pair pair() {
        try {
            var pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
            var open = open(pair);
            return new Ssh.Pair(
                    armoured(secret(pair, open)),
                    ALGORITHM + " " + Base64.getEncoder().encodeToString(blob(open)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JVM makes no Ed25519 keys", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** It ends the X.509 form, whose beginning only says what follows. */
    private static byte[] open(KeyPair pair) {
        var encoded = pair.getPublic().getEncoded();
        return Arrays.copyOfRange(encoded, encoded.length - PUBLIC_BYTES, encoded.length);
    }

    private static byte[] blob(byte[] open) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        text(out, ALGORITHM);
        part(out, open);
        return bytes.toByteArray();
    }

    /** OpenSSH's PROTOCOL.key: without a passphrase, one key. */
    private byte[] secret(KeyPair pair, byte[] open) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.writeBytes("openssh-key-v1\0");
        text(out, "none");
        text(out, "none");
        text(out, "");
        out.writeInt(1);
        part(out, blob(open));
        part(out, secretPart(pair, open));
        return bytes.toByteArray();
    }

    private byte[] secretPart(KeyPair pair, byte[] open) throws IOException {
        var seed = ((EdECPrivateKey) pair.getPrivate()).getBytes().orElseThrow();
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        int check = random.nextInt();
        out.writeInt(check);
        out.writeInt(check);
        text(out, ALGORITHM);
        part(out, open);
        out.writeInt(seed.length + open.length);
        out.write(seed);
        out.write(open);
        text(out, "");
        for (int fill = 1; out.size() % BLOCK != 0; fill++) {
            out.writeByte(fill);
        }
        return bytes.toByteArray();
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        part(out, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static void part(DataOutputStream out, byte[] part) throws IOException {
        out.writeInt(part.length);
        out.write(part);
    }

    private static String armoured(byte[] secret) {
        var lines = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(secret);
        return "-----BEGIN OPENSSH PRIVATE KEY-----\n%s\n-----END OPENSSH PRIVATE KEY-----\n"
                .formatted(lines);
    }
}
