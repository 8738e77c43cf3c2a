//! The packages that the workspace is built of, as cargo tells them.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::process::Command;

use serde_json::Value;

use super::repository;

/// What cargo resolved.
pub(crate) struct Packages {
    by_id: BTreeMap<String, Package>,
}

/// One package, and what it depends on.
pub(crate) struct Package {
    pub(crate) name: String,
    /// Its SPDX expression.
    pub(crate) licence: Option<String>,
    /// Where it comes from; nothing for a package of the workspace.
    pub(crate) source: Option<String>,
    manifest: String,
    dependencies: Vec<Dependency>,
}

struct Dependency {
    id: String,
    /// Whether it is one besides for tests.
    is_shipped: bool,
}

impl Packages {
    /// Asks cargo for every package that is built, for every platform or for
    /// one.
    pub(crate) fn resolved(platform: Option<&str>) -> Self {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command
            .args(["metadata", "--format-version", "1", "--locked"])
            .current_dir(repository());
        if let Some(platform) = platform {
            command.args(["--filter-platform", platform]);
        }
        let output = command.output().expect("cargo starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "cargo metadata: {said}");
        let metadata: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
        Self::of(&metadata)
    }

    fn of(metadata: &Value) -> Self {
        let resolved = array(&metadata["resolve"]["nodes"]).map(|node| {
            let dependencies = array(&node["deps"]).map(Dependency::of).collect();
            (text(&node["id"]), dependencies)
        });
        let mut resolved: BTreeMap<String, Vec<Dependency>> = resolved.collect();
        let packages = array(&metadata["packages"]).filter_map(|package| {
            let id = text(&package["id"]);
            let dependencies = resolved.remove(&id)?;
            Some((id, Package::of(package, dependencies)))
        });
        let by_id: BTreeMap<String, Package> = packages.collect();
        assert!(by_id.len() > 50, "too few packages: {}", by_id.len());
        Self { by_id }
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Package> {
        self.by_id.values()
    }

    /// The names of the packages that depend on `name` directly.
    pub(crate) fn dependents(&self, name: &str) -> BTreeSet<&str> {
        let depends = |package: &&Package| {
            let ids = package.dependencies.iter().map(|dependency| &dependency.id);
            ids.filter_map(|id| self.by_id.get(id))
                .any(|other| other.name == name)
        };
        self.all()
            .filter(depends)
            .map(|package| &*package.name)
            .collect()
    }

    /// The names of what is built for `name` when it is not tested, itself
    /// included.
    pub(crate) fn below(&self, name: &str) -> BTreeSet<&str> {
        let is_it = |(_, package): &(&String, &Package)| package.name == name;
        let (first, _) = self
            .by_id
            .iter()
            .find(is_it)
            .expect("it is of the workspace");
        let mut seen = BTreeSet::from([first]);
        let mut waiting = vec![first];
        while let Some(package) = waiting.pop().and_then(|id| self.by_id.get(id)) {
            for dependency in package.dependencies.iter().filter(|one| one.is_shipped) {
                if seen.insert(&dependency.id) {
                    waiting.push(&dependency.id);
                }
            }
        }
        let packages = seen.into_iter().filter_map(|id| self.by_id.get(id));
        packages.map(|package| &*package.name).collect()
    }
}

impl Package {
    fn of(package: &Value, dependencies: Vec<Dependency>) -> Self {
        Self {
            name: text(&package["name"]),
            licence: package["license"].as_str().map(str::to_owned),
            source: package["source"].as_str().map(str::to_owned),
            manifest: text(&package["manifest_path"]),
            dependencies,
        }
    }

    /// Whether it lies in this repository.
    pub(crate) fn is_ours(&self) -> bool {
        self.source.is_none() && std::path::Path::new(&self.manifest).starts_with(repository())
    }
}

impl Dependency {
    fn of(dependency: &Value) -> Self {
        let kinds: Vec<&Value> = array(&dependency["dep_kinds"]).collect();
        Self {
            id: text(&dependency["pkg"]),
            is_shipped: kinds.iter().any(|kind| kind["kind"] != "dev"),
        }
    }
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().expect("an array").iter()
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}
