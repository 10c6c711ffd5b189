"""Java and Kotlin: pom.xml and Gradle build files."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from distill.code.statement import Stated, choice, dependencies, roles, version

DEVELOPMENT = {
    "test",
    "testImplementation",
    "testRuntimeOnly",
    "androidTestImplementation",
    "testCompileOnly",
}

_GRADLE_DEPENDENCY = re.compile(
    r"^\s*(?P<how>\w*(?:implementation|api|compileOnly|runtimeOnly|annotationProcessor|Implementation|Only))\s*"
    r"\(?\s*(?:platform\(\s*)?[\"'](?P<group>[\w.-]+):(?P<name>[\w.-]+)(?::[^\"']*)?[\"']",
    re.MULTILINE,
)
_GRADLE_JAVA = re.compile(
    r"jvmToolchain\s*\(\s*(\d+)|JavaLanguageVersion\.of\s*\(\s*(\d+)"
    r"|(?:source|target)Compatibility\s*=\s*(?:JavaVersion\.VERSION_|[\"'])?(\d+(?:[._]\d+)?)"
)
_GRADLE_PLUGIN = re.compile(r"id\s*\(?\s*[\"'](?P<id>[\w.-]+)[\"']")
_COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)


class _Doctype(ValueError):
    """The file declares a document type: entities are refused."""


def pom(path: str, text: str) -> list[Stated]:
    """State what pom.xml declares: Java version, dependencies, and that Maven builds it."""
    root = _parsed(text)
    properties = {child.tag: (child.text or "").strip() for child in _child(root, "properties")}
    stated = [choice("build tool", "maven", path)]
    for name in ("maven.compiler.release", "java.version", "maven.compiler.source", "maven.compiler.target"):
        if properties.get(name):
            stated.append(version("Java", properties[name], path))
            break
    main, development, bare = list[str](), list[str](), list[str]()
    for entry in _child(root, "dependencies"):
        group, artifact = _text(entry, "groupId"), _text(entry, "artifactId")
        (development if _text(entry, "scope") == "test" else main).append(f"{group}:{artifact}")
        bare.append(_product(artifact))
    return [
        *stated,
        *dependencies(main, path),
        *dependencies(development, path, development=True),
        *roles(bare, path),
    ]


def gradle(path: str, text: str) -> list[Stated]:
    """State what a Gradle build file declares; the file is a program, so only plain declarations are read."""
    code = _COMMENT.sub(" ", text)
    stated = [choice("build tool", "gradle", path)]
    if match := _GRADLE_JAVA.search(code):
        number = next(group for group in match.groups() if group).replace("_", ".")
        stated.append(version("Java", number, path))
    main, development, bare = list[str](), list[str](), list[str]()
    for match in _GRADLE_DEPENDENCY.finditer(code):
        target = development if match["how"] in DEVELOPMENT else main
        target.append(f"{match['group']}:{match['name']}")
        bare.append(_product(match["name"]))
    plugins = [match["id"] for match in _GRADLE_PLUGIN.finditer(code)]
    bare += ["spring boot"] if "org.springframework.boot" in plugins else []
    return [
        *stated,
        *dependencies(main, path),
        *dependencies(development, path, development=True),
        *roles(bare, path),
    ]


def _product(artifact: str) -> str:
    """The well-known product an artifact belongs to."""
    for start, name in (
        ("spring-boot", "spring boot"),
        ("quarkus", "quarkus"),
        ("junit", "junit"),
        ("hibernate", "hibernate"),
        ("flyway", "flyway"),
        ("liquibase", "liquibase"),
        ("ktor-server", "ktor"),
    ):
        if artifact.startswith(start):
            return name
    return artifact


def _parsed(text: str) -> Element:
    """Parse XML without document types, so without entities, local or remote."""
    builder, parser = TreeBuilder(), expat.ParserCreate(namespace_separator="}")

    def refuse(*_: object) -> None:
        raise _Doctype

    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler = lambda tag, attributes: builder.start(tag.rpartition("}")[2], attributes)
    parser.EndElementHandler = lambda tag: builder.end(tag.rpartition("}")[2])
    parser.CharacterDataHandler = builder.data
    parser.Parse(text, True)
    return builder.close()


def _child(root: Element, name: str) -> list[Element]:
    found = root.find(name)
    return list(found) if found is not None else []


def _text(entry: Element, name: str) -> str:
    found = entry.find(name)
    return (found.text or "").strip() if found is not None else ""
