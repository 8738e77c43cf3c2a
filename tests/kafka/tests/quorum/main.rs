//! Nodes that krabka-format formatted, as processes of Apache Kafka.

mod data_directories;
mod history;
mod layouts;
mod seeds;
mod standalone;
mod three_controllers;
