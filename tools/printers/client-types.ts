import { scopeTexts } from '../../packages/contract/src/scope-texts.ts'
import { humanScopes, privilegedScopes } from '../../packages/contract/src/scopes.ts'
import { operationRegistry } from '../../packages/contract/src/registry.ts'
import { nameOfReference, toPlainSchema, withReferences, type JsonSchema, type NamedSchemas } from './json-schema.ts'
import { printType } from './type-text.ts'

/** The names of all schemas referenced by a schema, at any depth. */
function listReferences(schema: JsonSchema): string[] {
  return [...JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) =>
    nameOfReference(reference as string),
  )
}

/** The names of all schemas that some schemas reference, transitively. */
function listNeededSchemas(schemas: readonly JsonSchema[], namedSchemas: ReadonlyMap<string, JsonSchema>): Set<string> {
  const needed = new Set<string>()
  const open = schemas.flatMap(listReferences)
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (needed.has(name)) continue
    needed.add(name)
    open.push(...listReferences(namedSchemas.get(name) ?? {}))
  }
  return needed
}

function declaration(name: string, schema: JsonSchema): string {
  const type = printType(schema)
  return type.startsWith('{') && !schema.anyOf ? `export interface ${name} ${type}` : `export type ${name} = ${type}`
}

/** Prints the client's types of every operation, and the manifest that the client needs at run time. */
export function printClientTypes(named: NamedSchemas): string {
  const namedSchemas = new Map([...named.schemas].map(([name, schema]) => [name, withReferences(schema, named, true)]))
  const operations = operationRegistry.map((operation) => ({
    operation,
    input: withReferences(toPlainSchema(operation.input), named),
    output: withReferences(toPlainSchema(operation.output), named),
  }))
  const needed = listNeededSchemas(
    operations.flatMap(({ input, output }) => [input, output]),
    namedSchemas,
  )
  const declarations = [...namedSchemas]
    .filter(([name]) => needed.has(name))
    .map(([name, schema]) => declaration(name, schema))
  const types = operations.map(
    ({ operation, input, output }) =>
      `  '${operation.id}': { input: ${printType(input)}; output: ${printType(output)} }`,
  )
  const rows = operationRegistry.map(({ id, effect, paging, response_kind, idempotent }) => {
    const row = [effect, paging, response_kind, idempotent].map((value) => JSON.stringify(value).replaceAll('"', "'"))
    return `  '${id}': [${row.join(', ')}],`
  })
  return [
    '// Generated from the contract by `npm run generate`; do not edit.',
    '',
    declarations.join('\n\n'),
    '',
    '/** Input and output of every operation, by id. For NDJSON operations the output is the type of one line. */',
    'export interface Operations {',
    types.join('\n'),
    '}',
    '',
    'export type OperationId = keyof Operations',
    'export type InputOf<Id extends OperationId> = Operations[Id]["input"]'.replaceAll('"', "'"),
    'export type OutputOf<Id extends OperationId> = Operations[Id]["output"]'.replaceAll('"', "'"),
    '',
    "export type Effect = 'read' | 'compute' | 'spend' | 'export' | 'destructive'",
    "export type Paging = 'offset' | 'page' | 'search' | 'token' | null",
    "export type ResponseKind = 'json' | 'bytes' | 'ndjson' | 'event-stream'",
    '',
    '/** Effect, paging and response kind of an operation, and whether it accepts an idempotency key. */',
    'export type ManifestRow = readonly [effect: Effect, paging: Paging, response: ResponseKind, idempotent: boolean]',
    '',
    'export const manifest: Readonly<Record<OperationId, ManifestRow>> = {',
    rows.join('\n'),
    '}',
    '',
  ].join('\n')
}

/** Prints every scope that a person may have. A file of its own: the console's first screen needs it, and not the manifest. */
export function printEveryScope(): string {
  return [
    '// Generated from the contract by `npm run generate`; do not edit.',
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
    '// Generated from the contract by `npm run generate`; do not edit.',
    '',
    '/** Every concrete scope, and what it lets a program do: "It can …". */',
    'export const scopeTexts: Readonly<Record<string, string>> = {',
    ...Object.entries(scopeTexts).map(([scope, text]) => `  '${scope}': '${text}',`),
    '}',
    '',
  ].join('\n')
}
