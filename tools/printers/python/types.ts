import { operationRegistry } from '../../../packages/contract/src/registry.ts'
import { chooseOptions, listNeededSchemas, readSchemas } from '../client-types.ts'
import { rowsField } from '../client-tree.ts'
import { nameOfReference, type JsonSchema, type NamedSchemas } from '../json-schema.ts'
import { describeMember, type TypeTextOptions } from '../type-text.ts'
import { className, docstring, generatedHeader, identifier, isIdentifier, quote } from './names.ts'

/** An argument of an operation. */
export interface PythonParameter {
  readonly name: string
  /** The member of the input. */
  readonly wire: string
  readonly type: string
  readonly isRequired: boolean
  readonly description: string | null
}

/** The types of one operation, as annotations. */
export interface PythonSignature {
  readonly parameters: readonly PythonParameter[]
  readonly output: string
  /** The rows of a paged output. */
  readonly row: string | null
}

export interface PythonTypes {
  readonly text: string
  readonly signatures: ReadonlyMap<string, PythonSignature>
  /** The names that the text declares. */
  readonly names: ReadonlySet<string>
}

const primitives: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

interface Side extends TypeTextOptions {
  /** Sequences of any kind are taken. */
  readonly isInput: boolean
}

type Declare = (hint: string, schema: JsonSchema, side: Side) => string

const literal = (value: unknown): string =>
  typeof value === 'string' ? quote(value) : value === null ? 'None' : value === true ? 'True' : value === false ? 'False' : String(value) // prettier-ignore

function enumText(values: readonly unknown[], { isOpen = false }: Side): string {
  // There is no literal of a float.
  if (values.some((value) => typeof value === 'number' && !Number.isInteger(value))) return 'float'
  const known = `Literal[${values.map(literal).join(', ')}]`
  return isOpen && values.every((value) => typeof value === 'string') ? `${known} | str` : known
}

function arrayText(item: string, { isInput }: Side): string {
  if (!isInput) return `list[${item}]`
  // A text is a sequence of texts, too.
  return item === 'str' ? 'list[str] | tuple[str, ...]' : `Sequence[${item}]`
}

/** The annotation of a schema; objects in it get a name from the hint. */
function printType(schema: JsonSchema, hint: string, side: Side, declare: Declare): string {
  const { nameOf = (name: string) => name } = side
  if (schema.$ref !== undefined) return nameOf(nameOfReference(schema.$ref))
  if (schema.anyOf) {
    const objects = schema.anyOf.filter(({ properties }) => properties !== undefined).length
    const parts = schema.anyOf.map((part, index) =>
      printType(part, objects > 1 ? `${hint}${index + 1}` : hint, side, declare),
    )
    const unique = [...new Set(parts.flatMap((part) => part.split(' | ')))]
    return [...unique.filter((part) => part !== 'None'), ...unique.filter((part) => part === 'None')].join(' | ')
  }
  if (schema.enum) return enumText(schema.enum, side)
  if (schema.const !== undefined) return enumText([schema.const], side)
  if (schema.contentMediaType !== undefined) return 'bytes'
  if (schema.type === 'object') return objectText(schema, hint, side, declare)
  if (schema.type === 'array') return arrayText(printType(schema.items ?? {}, `${hint}Item`, side, declare), side)
  return primitives[schema.type ?? ''] ?? 'Any'
}

function objectText(schema: JsonSchema, hint: string, side: Side, declare: Declare): string {
  if (Object.keys(schema.properties ?? {}).length > 0) return declare(hint, schema, side)
  const { additionalProperties } = schema
  const value = typeof additionalProperties === 'object' ? printType(additionalProperties, `${hint}Value`, side, declare) : 'Any' // prettier-ignore
  return `dict[str, ${value}]`
}

interface Member {
  readonly name: string
  readonly type: string
  readonly description: string | null
}

/** A class, or a call where a member has a name that Python reserves. */
function printTypedDict(name: string, description: string | undefined, members: readonly Member[]): string {
  if (members.every((member) => isIdentifier(member.name))) {
    const head = description === undefined ? [] : [docstring(description, '    ')]
    const lines = members.flatMap((member) => [
      `    ${member.name}: ${member.type}`,
      ...(member.description === null ? [] : [docstring(member.description, '    ')]),
    ])
    return [`class ${name}(TypedDict):`, ...head, ...lines].join('\n')
  }
  const lines = members.map((member) => `        ${quote(member.name)}: ${quote(member.type)},`)
  const note = description === undefined ? [] : [docstring(description, '')]
  return [`${name} = TypedDict(`, `    ${quote(name)},`, '    {', ...lines, '    },', ')', ...note].join('\n')
}

/** Collects the declarations of objects, each under a name of its own. */
function createDeclarations() {
  const texts = new Map<string, string>()
  const reserve = (hint: string): string => {
    let name = hint
    for (let count = 2; texts.has(name); count++) name = `${hint}${count}`
    texts.set(name, '')
    return name
  }
  const fill = (name: string, schema: JsonSchema, side: Side): string => {
    const members = Object.entries(schema.properties ?? {}).map(([key, inner]) => {
      const type = printType(inner, `${name}${className(key)}`, side, declare)
      const isRequired = schema.required?.includes(key) ?? false
      return { name: key, type: isRequired ? type : `NotRequired[${type}]`, description: describeMember(inner) }
    })
    texts.set(name, printTypedDict(name, schema.description, members))
    return name
  }
  const declare: Declare = (hint, schema, side) => fill(reserve(hint), schema, side)
  return { texts, declare, reserve, fill }
}

type Schemas = ReturnType<typeof readSchemas>
type Declarations = ReturnType<typeof createDeclarations>

/** Declares the named schemas that operations need. */
function declareNamed({ namedSchemas, operations }: Schemas, sides: ReturnType<typeof chooseSides>, to: Declarations) {
  const needed = listNeededSchemas(operations.flatMap(({ input, output }) => [input, output]), namedSchemas) // prettier-ignore
  const wanted = [...namedSchemas]
    .filter(([name]) => needed.has(name))
    .flatMap(([name, schema]) => [
      { name, schema, side: sides.onlyInputs.has(name) ? sides.input : sides.output },
      ...(sides.ofInputs.has(name) ? [{ name: `${name}Input`, schema, side: sides.input }] : []),
    ])
  for (const { name } of wanted) to.reserve(name)
  for (const { name, schema, side } of wanted) {
    if (Object.keys(schema.properties ?? {}).length > 0) to.fill(name, schema, side)
    else to.texts.set(name, `${name}: TypeAlias = ${quote(printType(schema, `${name}Value`, side, to.declare))}`)
  }
}

function chooseSides(schemas: Schemas) {
  const { input, output, ...sets } = chooseOptions(schemas, true)
  return { input: { ...input, isInput: true }, output: { ...output, isInput: false }, ...sets }
}

/** Prints the types of every operation as dictionaries, open for texts of a newer platform in what it returns. */
export function printPythonTypes(named: NamedSchemas): PythonTypes {
  const schemas = readSchemas(named)
  const sides = chooseSides(schemas)
  const declarations = createDeclarations()
  declareNamed(schemas, sides, declarations)
  const signatures = new Map<string, PythonSignature>()
  for (const operation of operationRegistry) {
    const { input, output } = schemas.operations.find(({ id }) => id === operation.id)!
    signatures.set(operation.id, readSignature(operation, input, output))
  }
  const names = new Set(declarations.texts.keys())
  return { text: printFile(declarations.texts), signatures, names }

  function readSignature(operation: (typeof operationRegistry)[number], input: JsonSchema, output: JsonSchema) {
    const name = className(operation.id)
    const parameters = Object.entries(input.properties ?? {}).map(([wire, schema]) => ({
      name: identifier(wire),
      wire,
      type: printType(schema, `${name}Input${className(wire)}`, sides.input, declarations.declare),
      isRequired: input.required?.includes(wire) ?? false,
      description: describeMember(schema),
    }))
    declareInput(`${name}Input`, input, parameters)
    const type = output.$ref === undefined ? nameAlias(`${name}Output`, output) : nameOfReference(output.$ref)
    return { parameters, output: type, row: readRow(operation, output) }
  }

  /** The arguments of an operation as a dictionary, for programs that pass one to `call`. */
  function declareInput(hint: string, { description }: JsonSchema, parameters: readonly PythonParameter[]): void {
    if (parameters.length === 0) return
    const members = parameters.map(({ wire, type, isRequired, description: text }) => ({
      name: wire,
      type: isRequired ? type : `NotRequired[${type}]`,
      description: text,
    }))
    const name = declarations.reserve(hint)
    declarations.texts.set(name, printTypedDict(name, description, members))
  }

  function nameAlias(hint: string, schema: JsonSchema): string {
    return printType(schema, hint, sides.output, declarations.declare)
  }

  /** The element of the list of a page, whose type was declared with the page. */
  function readRow(operation: (typeof operationRegistry)[number], output: JsonSchema): string | null {
    if (operation.paging === null) return null
    const schema = output.$ref === undefined ? output : schemas.namedSchemas.get(nameOfReference(output.$ref))!
    const owner = output.$ref === undefined ? `${className(operation.id)}Output` : nameOfReference(output.$ref)
    const field = rowsField(operation)
    const items = schema.properties?.[field]?.items ?? {}
    const declared = `${owner}${className(field)}Item`
    if (declarations.texts.has(declared)) return declared
    return printType(items, declared, sides.output, declarations.declare)
  }
}

function printFile(texts: ReadonlyMap<string, string>): string {
  return [
    generatedHeader,
    '',
    'from __future__ import annotations',
    '',
    'from collections.abc import Sequence',
    'from typing import Any, Literal, NotRequired, TypeAlias, TypedDict',
    '',
    '__all__ = [',
    ...[...texts.keys()].toSorted().map((name) => `    ${quote(name)},`),
    ']',
    '',
    [...texts.values()].join('\n\n\n'),
    '',
  ].join('\n')
}

/** The annotation of a member that stands alone, such as a field of a problem. */
export const printFieldType = (schema: JsonSchema): string =>
  printType(schema, '', { isInput: false, isOpen: true }, () => 'dict[str, Any]')
