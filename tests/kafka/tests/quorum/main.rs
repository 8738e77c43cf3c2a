//! Nodes that krabka-format formatted, as processes of Apache Kafka.

mod standalone;
