import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.CreateDelegationTokenOptions;
import org.apache.kafka.clients.admin.ExpireDelegationTokenOptions;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RenewDelegationTokenOptions;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.clients.admin.UserScramCredentialDeletion;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Kafka's own clients, for tests: a call a line on standard input, as a JSON object with "call", "config"
 * (of the client) and the call's own members; an answer a line on standard output, {"value": …} or
 * {"error": "TopicAuthorizationException", "message": …}. It ends with its standard input.
 */
public final class Client {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Map<Map<String, Object>, Admin> admins = new HashMap<>();

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader calls = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Client client = new Client();
        for (String line = calls.readLine(); line != null; line = calls.readLine()) {
            answers.println(JSON.writeValueAsString(client.answer(JSON.readTree(line))));
        }
        // Connections that are open, and may be to nodes that are gone, keep nobody waiting.
        Runtime.getRuntime().halt(0);
    }

    private Map<String, Object> answer(JsonNode call) {
        Map<String, Object> answer = new HashMap<>();
        try {
            answer.put("value", value(call));
        } catch (Exception error) {
            Throwable cause = error instanceof ExecutionException ? error.getCause() : error;
            answer.put("error", cause.getClass().getSimpleName());
            answer.put("message", String.valueOf(cause.getMessage()));
        }
        return answer;
    }

    private Object value(JsonNode call) throws Exception {
        switch (call.get("call").textValue()) {
            case "produce": return produce(call);
            case "consume": return consume(call);
            default: return administer(admin(call), call);
        }
    }

    private Object administer(Admin admin, JsonNode call) throws Exception {
        switch (call.get("call").textValue()) {
            case "createTopic": return done(admin.createTopics(List.of(newTopic(call))).all());
            case "deleteTopic": return done(admin.deleteTopics(List.of(text(call, "topic"))).all());
            case "createPartitions": return done(admin.createPartitions(
                Map.of(text(call, "topic"), NewPartitions.increaseTo(call.get("partitions").intValue()))).all());
            case "describeTopic": return describeTopic(admin, text(call, "topic"));
            case "reassign": return done(admin.alterPartitionReassignments(Map.of(
                new TopicPartition(text(call, "topic"), call.get("partition").intValue()),
                Optional.of(new NewPartitionReassignment(integers(call.get("replicas")))))).all());
            case "alterConfig": return alterConfig(admin, call);
            case "createAcl": return done(admin.createAcls(List.of(binding(call))).all());
            case "deleteAcl": return done(admin.deleteAcls(List.of(binding(call).toFilter())).all());
            case "alterQuota": return alterQuota(admin, call);
            case "upsertScram": return done(admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(
                text(call, "user"), new ScramCredentialInfo(mechanism(call), 4096), text(call, "password")))).all());
            case "deleteScram": return done(admin.alterUserScramCredentials(List.of(
                new UserScramCredentialDeletion(text(call, "user"), mechanism(call)))).all());
            case "describeScram": return new ArrayList<>(admin.describeUserScramCredentials().users().get());
            case "createToken": return JSON.getNodeFactory().binaryNode(
                admin.createDelegationToken(new CreateDelegationTokenOptions()).delegationToken().get().hmac());
            case "renewToken": return admin.renewDelegationToken(call.get("hmac").binaryValue(),
                new RenewDelegationTokenOptions().renewTimePeriodMs(60_000)).expiryTimestamp().get();
            case "expireToken": return admin.expireDelegationToken(call.get("hmac").binaryValue(),
                new ExpireDelegationTokenOptions().expiryTimePeriodMs(-1)).expiryTimestamp().get();
            case "updateFeature": return done(admin.updateFeatures(Map.of(text(call, "feature"), new FeatureUpdate(
                (short) call.get("level").intValue(), FeatureUpdate.UpgradeType.valueOf(text(call, "type")))),
                new UpdateFeaturesOptions()).all());
            case "describeFeatures": return describeFeatures(admin);
            case "describeLogDirs": return describeLogDirs(admin, call.get("broker").intValue());
            case "brokers": return brokers(admin);
            case "unregisterBroker": return done(admin.unregisterBroker(call.get("broker").intValue()).all());
            default: throw new IllegalArgumentException("no such call: " + call.get("call"));
        }
    }

    private static NewTopic newTopic(JsonNode call) {
        if (!call.has("assignment")) {
            return new NewTopic(text(call, "topic"), call.get("partitions").intValue(), (short) 1);
        }
        Map<Integer, List<Integer>> assignment = new HashMap<>();
        call.get("assignment").forEach(replicas -> assignment.put(assignment.size(), integers(replicas)));
        return new NewTopic(text(call, "topic"), assignment);
    }

    private static Object describeTopic(Admin admin, String topic) throws Exception {
        List<Object> partitions = new ArrayList<>();
        admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions().forEach(partition ->
            partitions.add(Map.of(
                "leader", partition.leader() == null ? -1 : partition.leader().id(),
                "replicas", partition.replicas().stream().map(node -> node.id()).toList(),
                "isr", partition.isr().stream().map(node -> node.id()).toList())));
        return partitions;
    }

    private static Object alterConfig(Admin admin, JsonNode call) throws Exception {
        ConfigResource resource =
            new ConfigResource(ConfigResource.Type.valueOf(text(call, "type")), text(call, "name"));
        JsonNode value = call.get("value");
        AlterConfigOp operation = new AlterConfigOp(
            new ConfigEntry(text(call, "key"), value.textValue()),
            value.isNull() ? AlterConfigOp.OpType.DELETE : AlterConfigOp.OpType.SET);
        return done(admin.incrementalAlterConfigs(Map.of(resource, List.of(operation))).all());
    }

    private static AclBinding binding(JsonNode call) {
        return new AclBinding(
            new ResourcePattern(ResourceType.fromString(text(call, "resource")), text(call, "name"),
                PatternType.fromString(text(call, "pattern"))),
            new AccessControlEntry(text(call, "principal"), "*", AclOperation.fromString(text(call, "operation")),
                AclPermissionType.fromString(text(call, "permission"))));
    }

    private static Object alterQuota(Admin admin, JsonNode call) throws Exception {
        Map<String, String> entity = new HashMap<>();
        call.get("entity").properties().forEach(part -> entity.put(part.getKey(), part.getValue().textValue()));
        JsonNode value = call.get("value");
        ClientQuotaAlteration.Op operation = new ClientQuotaAlteration.Op(
            text(call, "key"), value.isNull() ? null : value.doubleValue());
        return done(admin.alterClientQuotas(List.of(
            new ClientQuotaAlteration(new ClientQuotaEntity(entity), List.of(operation)))).all());
    }

    private static Object describeFeatures(Admin admin) throws Exception {
        Map<String, Integer> levels = new TreeMap<>();
        admin.describeFeatures().featureMetadata().get().finalizedFeatures().forEach((name, range) ->
            levels.put(name, (int) range.maxVersionLevel()));
        return levels;
    }

    private static Object describeLogDirs(Admin admin, int broker) throws Exception {
        Map<String, List<String>> partitions = new TreeMap<>();
        admin.describeLogDirs(List.of(broker)).allDescriptions().get().get(broker).forEach((directory, description) ->
            partitions.put(directory, description.replicaInfos().keySet().stream().map(Object::toString).sorted().toList()));
        return partitions;
    }

    /** The brokers that are not fenced. */
    private static Object brokers(Admin admin) throws Exception {
        return admin.describeCluster().nodes().get().stream().map(node -> node.id()).sorted().toList();
    }

    private Object produce(JsonNode call) throws Exception {
        Map<String, Object> config = config(call);
        config.put("max.block.ms", (int) PATIENCE.toMillis());
        config.put("delivery.timeout.ms", (int) PATIENCE.toMillis());
        config.put("request.timeout.ms", (int) PATIENCE.toMillis() / 2);
        config.put("acks", "all");
        StringSerializer text = new StringSerializer();
        List<Long> offsets = new ArrayList<>();
        Producer<String, String> producer = new KafkaProducer<>(config, text, text);
        try {
            for (JsonNode value : call.get("values")) {
                ProducerRecord<String, String> record =
                    new ProducerRecord<>(text(call, "topic"), call.path("key").textValue(), value.textValue());
                call.path("headers").forEach(key -> record.headers().add(key.textValue(), new byte[] {1, 2}));
                offsets.add(producer.send(record).get().offset());
            }
        } finally {
            producer.close(Duration.ZERO);
        }
        return offsets;
    }

    /** Reads as many records as are wanted from the beginning of every partition; fewer where no more come. */
    private Object consume(JsonNode call) {
        Map<String, Object> config = config(call);
        config.put("auto.offset.reset", "earliest");
        config.put("default.api.timeout.ms", (int) PATIENCE.toMillis());
        StringDeserializer text = new StringDeserializer();
        List<String> values = new ArrayList<>();
        Consumer<String, String> consumer = new KafkaConsumer<>(config, text, text);
        try {
            List<TopicPartition> partitions = consumer.partitionsFor(text(call, "topic")).stream()
                .map(partition -> new TopicPartition(partition.topic(), partition.partition())).toList();
            consumer.assign(partitions);
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (values.size() < call.get("count").intValue() && System.nanoTime() < deadline) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(200))) {
                    values.add(record.value());
                }
            }
        } finally {
            consumer.close(Duration.ZERO);
        }
        return values;
    }

    private Admin admin(JsonNode call) {
        return admins.computeIfAbsent(config(call), config -> {
            Map<String, Object> patient = new HashMap<>(config);
            patient.put("default.api.timeout.ms", (int) PATIENCE.toMillis());
            patient.put("request.timeout.ms", (int) PATIENCE.toMillis() / 2);
            return Admin.create(patient);
        });
    }

    private static Map<String, Object> config(JsonNode call) {
        Map<String, Object> config = new HashMap<>();
        call.get("config").properties().forEach(entry -> config.put(entry.getKey(), entry.getValue().textValue()));
        return config;
    }

    private static Object done(Future<?> future) throws Exception {
        future.get();
        return null;
    }

    private static String text(JsonNode call, String member) {
        return call.required(member).textValue();
    }

    private static ScramMechanism mechanism(JsonNode call) {
        return ScramMechanism.fromMechanismName(text(call, "mechanism"));
    }

    private static List<Integer> integers(JsonNode array) {
        List<Integer> integers = new ArrayList<>();
        array.forEach(number -> integers.add(number.intValue()));
        return integers;
    }
}
