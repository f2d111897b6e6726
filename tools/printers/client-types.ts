import type { Operation } from '../../packages/contract/src/operation.ts'
import { operationRegistry } from '../../packages/contract/src/registry.ts'
import { humanScopes, privilegedScopes } from '../../packages/contract/src/scopes.ts'
import { scopeTexts } from '../../packages/contract/src/scope-texts.ts'
import { nameOfReference, toPlainSchema, withReferences, type JsonSchema, type NamedSchemas } from './json-schema.ts'
import { buildOperationTree, type OperationNode } from './operation-nodes.ts'
import { indent, printType, type TypeTextOptions } from './type-text.ts'

export const generatedNotice = '// Generated from the contract by `npm run generate`; do not edit.'

/** Where the types are read. */
export interface ClientTypesOptions {
  /**
   * In the published package: with descriptions as doc comments, and outputs whose texts may be those of a newer server. In this
   * repository client and server are of one version, and a switch over the values of an output is checked to be complete.
   */
  readonly isPublished?: boolean
}

/** The names of all schemas referenced by a schema, at any depth. */
function listReferences(schema: JsonSchema): string[] {
  return [...JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) =>
    nameOfReference(reference as string),
  )
}

/** The names of all schemas that some schemas reference, transitively. */
export function listNeededSchemas(
  schemas: readonly JsonSchema[],
  namedSchemas: ReadonlyMap<string, JsonSchema>,
): Set<string> {
  const needed = new Set<string>()
  const open = schemas.flatMap(listReferences)
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (needed.has(name)) continue
    needed.add(name)
    open.push(...listReferences(namedSchemas.get(name) ?? {}))
  }
  return needed
}

function declaration(name: string, schema: JsonSchema, options: TypeTextOptions): string {
  const type = printType(schema, options)
  return type.startsWith('{') && !schema.anyOf ? `export interface ${name} ${type}` : `export type ${name} = ${type}`
}

/** The schemas of the operations with references, and the named ones that they need. */
export function readSchemas(named: NamedSchemas) {
  const namedSchemas = new Map([...named.schemas].map(([name, schema]) => [name, withReferences(schema, named, true)]))
  const operations = operationRegistry.map(({ id, input, output }) => ({
    id,
    input: withReferences(toPlainSchema(input), named),
    output: withReferences(toPlainSchema(output), named),
  }))
  return { namedSchemas, operations }
}

type Schemas = ReturnType<typeof readSchemas>

/** The options of inputs and of outputs, and the schemas that have a type of their own in inputs. */
export function chooseOptions({ namedSchemas, operations }: Schemas, isPublished: boolean) {
  const list = (side: 'input' | 'output') =>
    listNeededSchemas(
      operations.map((operation) => operation[side]),
      namedSchemas,
    )
  const opens = (name: string): boolean =>
    [name, ...listNeededSchemas([namedSchemas.get(name)!], namedSchemas)].some((part) => {
      const schema = namedSchemas.get(part)!
      return printType(schema, { isOpen: true }) !== printType(schema, { isInput: true })
    })
  const [taken, returned] = [list('input'), list('output')]
  const onlyInputs = new Set([...taken].filter((name) => !returned.has(name)))
  if (!isPublished) return { input: { isInput: true }, output: {}, ofInputs: new Set<string>(), onlyInputs }
  const ofInputs = new Set([...taken].filter((name) => returned.has(name) && opens(name)))
  const nameOf = (name: string): string => (ofInputs.has(name) ? `${name}Input` : name)
  return {
    input: { hasDocs: true, isInput: true, nameOf },
    output: { hasDocs: true, isOpen: true },
    ofInputs,
    onlyInputs,
  }
}

function printDeclarations(schemas: Schemas, options: ReturnType<typeof chooseOptions>): string {
  const { namedSchemas, operations } = schemas
  const needed = listNeededSchemas(
    operations.flatMap(({ input, output }) => [input, output]),
    namedSchemas,
  )
  return [...namedSchemas]
    .filter(([name]) => needed.has(name))
    .flatMap(([name, schema]) => [
      declaration(name, schema, options.onlyInputs.has(name) ? options.input : options.output),
      ...(options.ofInputs.has(name) ? [declaration(`${name}Input`, schema, options.input)] : []),
    ])
    .join('\n\n')
}

/** Prints the client's types of every operation, and the manifest that the client needs at run time. */
export function printClientTypes(named: NamedSchemas, { isPublished = false }: ClientTypesOptions = {}): string {
  const schemas = readSchemas(named)
  const options = chooseOptions(schemas, isPublished)
  const types = schemas.operations.map(({ id, input, output }) => {
    const [taken, returned] = [printType(input, options.input), printType(output, options.output)]
    return `  '${id}': { input: ${indent(taken)}; output: ${indent(returned)} }`
  })
  return [
    generatedNotice,
    "import { readManifest } from './manifest-text.ts'",
    '',
    printDeclarations(schemas, options),
    '',
    '/** Input and output of every operation, by id. For NDJSON operations the output is the type of one line. */',
    'export interface Operations {',
    types.join('\n'),
    '}',
    '',
    'export type OperationId = keyof Operations',
    "export type InputOf<Id extends OperationId> = Operations[Id]['input']",
    "export type OutputOf<Id extends OperationId> = Operations[Id]['output']",
    '',
    printManifest(),
  ].join('\n')
}

/** The letters of a row; `manifest-text.ts` reads them. */
function printRow({ effect, paging, response_kind, idempotent }: Operation): string {
  const effectLetters = { read: 'r', compute: '', spend: '$', export: 'x', destructive: 'd' }
  const pagingLetters = { offset: 'o', page: 'p', search: 's', token: 't' }
  const kindLetters = { json: '', bytes: 'b', ndjson: 'n', 'event-stream': 'e' }
  const letters = `${effectLetters[effect]}${paging ? pagingLetters[paging] : ''}${kindLetters[response_kind]}${idempotent ? 'k' : ''}`
  return letters === '' ? '' : `:${letters}`
}

const printNodes = ({ children }: OperationNode): string =>
  [...children].map(([name, node]) => `${name}${printNode(node)}`).join(' ')

function printNode(node: OperationNode): string {
  const { operation, children } = node
  const row = operation ? printRow(operation) : ''
  if (children.size === 0) return row
  return `${operation && row === '' ? ':' : row}(${printNodes(node)})`
}

function printManifest(): string {
  const areas = [...buildOperationTree(operationRegistry).children].map(([name, node]) => `${name}${printNode(node)}`)
  return [
    "export type Effect = 'read' | 'compute' | 'spend' | 'export' | 'destructive'",
    "export type Paging = 'offset' | 'page' | 'search' | 'token' | null",
    "export type ResponseKind = 'json' | 'bytes' | 'ndjson' | 'event-stream'",
    '',
    '/** Effect, paging and response kind of an operation, and whether it accepts an idempotency key. */',
    'export type ManifestRow = readonly [effect: Effect, paging: Paging, response: ResponseKind, idempotent: boolean]',
    '',
    'export type Manifest = Readonly<Record<OperationId, ManifestRow>>',
    '',
    'export const manifest: Manifest = /* @__PURE__ */ readManifest<Manifest>(`',
    ...areas,
    '`)',
    '',
  ].join('\n')
}

/** Prints every scope that a person may have. A file of its own: the console's first screen needs it, and not the manifest. */
export function printEveryScope(): string {
  return [
    generatedNotice,
    '',
    '/** Every scope that a person may have, those of operators and clip users included: who asks for them gets what they have. */',
    'export const everyScope =',
    `  '${[...humanScopes, ...privilegedScopes].join(' ')}'`,
    '',
  ].join('\n')
}

/** Prints what each scope lets a program do. A file of its own: few screens of the console need the texts. */
export function printScopeTexts(): string {
  return [
    generatedNotice,
    '',
    '/** Every concrete scope, and what it lets a program do: "It can …". */',
    'export const scopeTexts: Readonly<Record<string, string>> = {',
    ...Object.entries(scopeTexts).map(([scope, text]) => `  '${scope}': '${text}',`),
    '}',
    '',
  ].join('\n')
}
