//! The `server.properties` of a node.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::ports;

/// What a node is told in its `server.properties`, and where that file lies.
///
/// Its listeners are on the loopback interface: `CONTROLLER` for the quorum and
/// `PLAINTEXT` for clients. It looks for a dynamic quorum at its own controller,
/// unless it is told otherwise.
#[derive(Debug, Clone)]
pub struct Settings {
    id: u32,
    directory: PathBuf,
    controller_port: u16,
    broker_port: u16,
    login_port: u16,
    properties: BTreeMap<String, String>,
}

impl Settings {
    /// A broker that is a controller too. `directory` is for its
    /// `server.properties` and what it logs.
    pub fn combined(id: u32, directory: &Path) -> Self {
        Self::new(id, directory, "broker,controller")
    }

    /// A controller and nothing else.
    pub fn controller(id: u32, directory: &Path) -> Self {
        Self::new(id, directory, "controller")
    }

    /// A broker and nothing else.
    pub fn broker(id: u32, directory: &Path) -> Self {
        Self::new(id, directory, "broker")
    }

    fn new(id: u32, directory: &Path, roles: &str) -> Self {
        let mut settings = Self {
            id,
            directory: directory.to_owned(),
            controller_port: ports::free(),
            broker_port: ports::free(),
            login_port: ports::free(),
            properties: BTreeMap::new(),
        };
        let listeners = match roles {
            "controller" => format!("CONTROLLER://{}", settings.controller_address()),
            "broker" => format!("PLAINTEXT://{}", settings.client_address()),
            _ => format!(
                "CONTROLLER://{},PLAINTEXT://{}",
                settings.controller_address(),
                settings.client_address()
            ),
        };
        for (key, value) in [
            ("process.roles", roles),
            ("node.id", &id.to_string()),
            ("listeners", &listeners),
            ("controller.listener.names", "CONTROLLER"),
            (
                "listener.security.protocol.map",
                "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT",
            ),
            (
                "controller.quorum.bootstrap.servers",
                &settings.controller_address(),
            ),
            ("offsets.topic.replication.factor", "1"),
            ("group.coordinator.threads", "1"),
        ] {
            settings.set(key, value);
        }
        settings
    }

    /// Sets a key, in the place of the value that it had.
    pub fn set(&mut self, key: &str, value: &str) -> &mut Self {
        self.properties.insert(key.to_owned(), value.to_owned());
        self
    }

    /// Leaves a key out.
    pub fn unset(&mut self, key: &str) -> &mut Self {
        self.properties.remove(key);
        self
    }

    /// Adds the listener `SASL_PLAINTEXT`, for clients that log in.
    pub fn add_login_listener(&mut self) -> &mut Self {
        let others = self
            .properties
            .get("listeners")
            .cloned()
            .unwrap_or_default();
        let listener = format!("SASL_PLAINTEXT://{}", self.login_address());
        self.set("listeners", &format!("{others},{listener}"))
    }

    /// Sets `log.dirs`.
    pub fn log_directories(&mut self, directories: &[&str]) -> &mut Self {
        self.set("log.dirs", &directories.join(","))
    }

    /// Sets `controller.quorum.bootstrap.servers`, for a dynamic quorum.
    pub fn bootstrap(&mut self, controllers: &[String]) -> &mut Self {
        self.set(
            "controller.quorum.bootstrap.servers",
            &controllers.join(","),
        )
    }

    /// The node id.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// The host and the port of the controller's listener.
    pub fn controller_address(&self) -> String {
        format!("127.0.0.1:{}", self.controller_port)
    }

    /// The host and the port of the listener for clients.
    pub fn client_address(&self) -> String {
        format!("127.0.0.1:{}", self.broker_port)
    }

    /// The host and the port of the listener for clients that log in.
    pub fn login_address(&self) -> String {
        format!("127.0.0.1:{}", self.login_port)
    }

    /// Writes the `server.properties`, and says where it is.
    pub fn write(&self) -> PathBuf {
        let path = self.file("properties");
        let lines: Vec<String> = self
            .properties
            .iter()
            .map(|(key, value)| format!("{key}={value}\n"))
            .collect();
        fs::write(&path, lines.concat())
            .unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
        path
    }

    /// A file of this node's own.
    pub(super) fn file(&self, extension: &str) -> PathBuf {
        self.directory.join(format!("node-{}.{extension}", self.id))
    }
}
