// Asks Apache Kafka's own classes, for the tests of krabka-format.
//
// A request is a line of JSON on standard input, its answer a line of JSON on
// standard output: {"answer": …}, or {"thrown": {"class": …, "message": …,
// "cause": …}} where Kafka throws. The process ends when standard input does.
// What the classes print is captured, and never mixed with the answers.

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.TimeZone;
import org.apache.kafka.common.DirectoryId;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.VotersRecord;
import org.apache.kafka.common.metadata.UserScramCredentialRecord;
import org.apache.kafka.raft.DynamicVoters;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.MetadataVersion;

public final class Oracle {
    private static final ObjectMapper JSON = new ObjectMapper();

    public static void main(String[] arguments) throws Exception {
        JSON.getFactory().configure(JsonWriteFeature.ESCAPE_NON_ASCII.mappedFeature(), true);
        PrintStream answers = System.out;
        BufferedReader requests =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        neverExit();
        String line;
        while ((line = requests.readLine()) != null) {
            answers.println(JSON.writeValueAsString(reply(JSON.readTree(line))));
            answers.flush();
        }
    }

    private static ObjectNode reply(JsonNode request) {
        ObjectNode reply = JSON.createObjectNode();
        try {
            reply.set("answer", answer(request));
        } catch (Throwable thrown) {
            reply.set("thrown", thrown(unwrapped(thrown)));
        }
        return reply;
    }

    private static JsonNode answer(JsonNode request) throws Throwable {
        String question = request.get("question").asText();
        switch (question) {
            case "java": return JSON.getNodeFactory().textNode(System.getProperty("java.specification.version"));
            case "run": return run(request);
            case "uuid": return uuid(request.get("text").asText());
            case "hyphenated": return hyphenated(request.get("text").asText());
            case "random-uuids": return randomUuids(request.get("count").asInt());
            case "properties": return properties(bytes(request.get("bytes")));
            case "store": return store(request);
            case "meta-properties": return metaProperties(bytes(request.get("bytes")));
            case "date": return date(request.get("seconds").asLong());
            case "seconds": return seconds(request.get("date").asText());
            case "versions": return versions();
            case "release": return release(request);
            case "voters": return voters(request);
            case "scram": return scram(request.get("text").asText());
            case "negative-node-id": return negativeNodeId(request.get("node_id").asInt());
            case "boot": return boot(request.get("config").asText());
            default: throw new AssertionError("no such question: " + question);
        }
    }

    // Whole tools

    /** What a tool's exit becomes: the process has to go on. */
    private static final class Exited extends Error {
        final int code;

        Exited(int code) {
            this.code = code;
        }
    }

    /** Kafka's tools end through a class of Kafka's, which was moved after 4.3. */
    private static void neverExit() throws Exception {
        for (String name : List.of(
            "org.apache.kafka.common.utils.Exit",
            "org.apache.kafka.common.utils.internals.Exit"
        )) {
            try {
                Class<?> exit = Class.forName(name);
                Class<?> procedure = Class.forName(name + "$Procedure");
                Object throwing = java.lang.reflect.Proxy.newProxyInstance(
                    procedure.getClassLoader(),
                    new Class<?>[] {procedure},
                    (proxy, method, values) -> {
                        throw new Exited((Integer) values[0]);
                    }
                );
                exit.getMethod("setExitProcedure", procedure).invoke(null, throwing);
                exit.getMethod("setHaltProcedure", procedure).invoke(null, throwing);
            } catch (ClassNotFoundException notInThisRelease) {
                continue;
            }
        }
    }

    /** Runs the main method of a class, and tells what a shell would see of it. */
    private static JsonNode run(JsonNode request) throws Exception {
        List<String> arguments = new ArrayList<>();
        request.get("arguments").forEach(argument -> arguments.add(argument.asText()));
        Method main = Class.forName(request.get("class").asText()).getMethod("main", String[].class);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream realOut = System.out;
        PrintStream realErr = System.err;
        ObjectNode answer = JSON.createObjectNode();
        try {
            System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
            main.invoke(null, (Object) arguments.toArray(new String[0]));
            answer.put("exit", 0);
        } catch (InvocationTargetException wrapped) {
            Throwable thrown = wrapped.getCause();
            if (thrown instanceof Exited) {
                answer.put("exit", ((Exited) thrown).code);
            } else {
                // As the JVM does with what nobody catches.
                answer.put("exit", 1);
                answer.set("uncaught", thrown(thrown));
            }
        } finally {
            System.setOut(realOut);
            System.setErr(realErr);
        }
        answer.put("stdout", out.toString(StandardCharsets.UTF_8));
        answer.put("stderr", err.toString(StandardCharsets.UTF_8));
        return answer;
    }

    /** The checks of a node's start, up to its bootstrap records. */
    private static JsonNode boot(String config) throws Throwable {
        Class<?> configClass = Class.forName("kafka.server.KafkaConfig");
        Object kafkaConfig = configClass.getConstructor(java.util.Map.class)
            .newInstance(org.apache.kafka.common.utils.Utils.loadProps(config));
        Method initialize = Class.forName("kafka.server.KafkaRaftServer")
            .getMethod("initializeLogDirs", configClass, org.slf4j.Logger.class, String.class);
        org.slf4j.Logger log = org.slf4j.LoggerFactory.getLogger("boot");
        Object found = initialize.invoke(null, kafkaConfig, log, "");
        Object ensemble = found.getClass().getMethod("_1").invoke(found);
        return JSON.getNodeFactory().textNode(ensemble.toString());
    }

    // Ids

    private static JsonNode uuid(String text) {
        Uuid id = Uuid.fromString(text);
        ObjectNode answer = JSON.createObjectNode();
        answer.put("text", id.toString());
        answer.put("reserved", DirectoryId.reserved(id));
        return answer;
    }

    /** The id that the hyphenated form of the same 16 bytes names. */
    private static JsonNode hyphenated(String text) {
        java.util.UUID id = java.util.UUID.fromString(text);
        Uuid same = new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits());
        return JSON.getNodeFactory().textNode(same.toString());
    }

    private static JsonNode randomUuids(int count) {
        ArrayNode ids = JSON.createArrayNode();
        for (int i = 0; i < count; i++) {
            ids.add(Uuid.randomUuid().toString());
        }
        return ids;
    }

    /** No configuration holds such an id, so its check is asked by itself. */
    private static JsonNode negativeNodeId(int nodeId) throws Exception {
        new org.apache.kafka.metadata.storage.Formatter()
            .setNodeId(nodeId)
            .setClusterId("AQIDBAUGBwgJCgsMDQ4PEA")
            .run();
        return JSON.createObjectNode();
    }

    // Properties

    private static Properties load(byte[] bytes) throws Exception {
        Properties properties = new Properties();
        properties.load(new ByteArrayInputStream(bytes));
        return properties;
    }

    private static JsonNode properties(byte[] bytes) throws Exception {
        ObjectNode pairs = JSON.createObjectNode();
        load(bytes).forEach((key, value) -> pairs.put(whole((String) key), whole((String) value)));
        return pairs;
    }

    /** JSON has no surrogates alone: each becomes U+FFFD. */
    private static String whole(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_16BE);
        return new String(bytes, StandardCharsets.UTF_16BE);
    }

    /** The lines after the date that Kafka's way of storing gives one pair. */
    private static JsonNode store(JsonNode request) throws Exception {
        Properties properties = new Properties();
        properties.setProperty(request.get("key").asText(), request.get("value").asText());
        StringWriter text = new StringWriter();
        properties.store(text, "");
        String[] parts = text.toString().split("\n", 3);
        return JSON.getNodeFactory().textNode(parts[2]);
    }

    private static JsonNode metaProperties(byte[] bytes) throws Throwable {
        Class<?> builder =
            Class.forName("org.apache.kafka.metadata.properties.MetaProperties$Builder");
        Object built = builder.getConstructor(Properties.class).newInstance(load(bytes));
        Object read = builder.getMethod("build").invoke(built);
        ObjectNode answer = JSON.createObjectNode();
        answer.put("version", get(read, "version").toString());
        ((Optional<?>) get(read, "clusterId")).ifPresent(id -> answer.put("cluster.id", whole((String) id)));
        ((OptionalInt) get(read, "nodeId")).ifPresent(id -> answer.put("node.id", id));
        ((Optional<?>) get(read, "directoryId")).ifPresent(id -> answer.put("directory.id", id.toString()));
        return answer;
    }

    private static Object get(Object object, String name) throws Exception {
        return object.getClass().getMethod(name).invoke(object);
    }

    private static JsonNode date(long seconds) {
        return JSON.getNodeFactory().textNode(new Date(seconds * 1000).toString());
    }

    /** The inverse of Date.toString. */
    private static JsonNode seconds(String date) throws Exception {
        SimpleDateFormat format = new SimpleDateFormat("EEE MMM dd HH:mm:ss zzz yyyy", Locale.ROOT);
        format.setTimeZone(TimeZone.getTimeZone("UTC"));
        return JSON.getNodeFactory().numberNode(format.parse(date).getTime() / 1000);
    }

    // Features

    /** Every metadata.version, and the default levels that come with it. */
    private static JsonNode versions() {
        ArrayNode rows = JSON.createArrayNode();
        for (MetadataVersion version : MetadataVersion.VERSIONS) {
            ObjectNode row = rows.addObject();
            row.put("level", version.featureLevel());
            row.put("name", version.version());
            row.put("changed", version.didMetadataChange());
            row.put("stable", version.isProduction());
            ObjectNode defaults = row.putObject("defaults");
            for (Feature feature : Feature.PRODUCTION_FEATURES) {
                defaults.put(feature.featureName(), feature.defaultLevel(version));
            }
        }
        return rows;
    }

    private static JsonNode release(JsonNode request) {
        MetadataVersion version = MetadataVersion.fromVersionString(
            request.get("text").asText(), request.get("unstable").asBoolean());
        return JSON.getNodeFactory().numberNode(version.featureLevel());
    }

    // Voters

    private static JsonNode voters(JsonNode request) {
        DynamicVoters voters = DynamicVoters.parse(request.get("text").asText());
        // In Kafka the formatter writes the name of the listener as it is
        // configured, which is upper-cased.
        VotersRecord record =
            voters.toVoterSet(request.get("listener").asText()).toVotersRecord((short) 0);
        ArrayNode answer = JSON.createArrayNode();
        record.voters().forEach(voter -> {
            ObjectNode one = answer.addObject();
            one.put("node_id", voter.voterId());
            one.put("directory_id", voter.voterDirectoryId().toString());
            voter.endpoints().forEach(endpoint -> {
                one.put("listener", endpoint.name());
                one.put("host", endpoint.host());
                one.put("port", endpoint.port());
            });
        });
        return answer;
    }

    // Credentials

    private static JsonNode scram(String text) throws Throwable {
        Method parse = Class.forName("org.apache.kafka.metadata.storage.ScramParser")
            .getDeclaredMethod("parse", List.class);
        parse.setAccessible(true);
        @SuppressWarnings("unchecked")
        List<ApiMessageAndVersion> records =
            (List<ApiMessageAndVersion>) parse.invoke(null, List.of(text));
        UserScramCredentialRecord record = (UserScramCredentialRecord) records.get(0).message();
        ObjectNode answer = JSON.createObjectNode();
        answer.put("name", record.name());
        answer.put("mechanism", record.mechanism());
        answer.put("salt", base64(record.salt()));
        answer.put("stored_key", base64(record.storedKey()));
        answer.put("server_key", base64(record.serverKey()));
        answer.put("iterations", record.iterations());
        return answer;
    }

    // Common

    private static byte[] bytes(JsonNode base64) {
        return Base64.getDecoder().decode(base64.asText());
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static Throwable unwrapped(Throwable thrown) {
        while (thrown instanceof InvocationTargetException && thrown.getCause() != null) {
            thrown = thrown.getCause();
        }
        return thrown;
    }

    /** A text as it is printed: of half a surrogate pair, Java makes a question mark. */
    private static String printed(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    private static JsonNode thrown(Throwable thrown) {
        ObjectNode told = JSON.createObjectNode();
        told.put("class", thrown.getClass().getName());
        told.put("message", thrown.getMessage() == null ? null : printed(thrown.getMessage()));
        if (thrown.getCause() != null && thrown.getCause() != thrown) {
            told.set("cause", thrown(thrown.getCause()));
        }
        return told;
    }
}
