//! Nodes that krabka-format formatted, as processes of Apache Kafka; and what
//! they leave behind, dumped.

mod data_directories;
mod dump;
mod history;
mod layouts;
mod seeds;
mod standalone;
mod three_controllers;
