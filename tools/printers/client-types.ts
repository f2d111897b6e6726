import { registry } from '../../packages/contract/src/registry.ts'
import { nameOfReference, plain, referring, type JsonSchema, type NamedShapes } from './json-schema.ts'
import { typeText } from './type-text.ts'

/** The names of all schemas referenced by a schema, at any depth. */
function referredIn(schema: JsonSchema): string[] {
  return [...JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) =>
    nameOfReference(reference as string),
  )
}

/** The names of all schemas referenced by the given ones, transitively. */
function neededShapes(schemas: readonly JsonSchema[], shapes: ReadonlyMap<string, JsonSchema>): Set<string> {
  const needed = new Set<string>()
  const open = schemas.flatMap(referredIn)
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (needed.has(name)) continue
    needed.add(name)
    open.push(...referredIn(shapes.get(name) ?? {}))
  }
  return needed
}

function declaration(name: string, schema: JsonSchema): string {
  const type = typeText(schema)
  return type.startsWith('{') && !schema.anyOf ? `export interface ${name} ${type}` : `export type ${name} = ${type}`
}

/** Prints the client's types of every operation, and the manifest that the client needs at run time. */
export function printClientTypes(named: NamedShapes): string {
  const shapes = new Map([...named.schemas].map(([name, schema]) => [name, referring(schema, named, true)]))
  const operations = registry.map((operation) => ({
    operation,
    input: referring(plain(operation.input), named),
    output: referring(plain(operation.output), named),
  }))
  const needed = neededShapes(
    operations.flatMap(({ input, output }) => [input, output]),
    shapes,
  )
  const declarations = [...shapes]
    .filter(([name]) => needed.has(name))
    .map(([name, schema]) => declaration(name, schema))
  const types = operations.map(
    ({ operation, input, output }) => `  '${operation.id}': { input: ${typeText(input)}; output: ${typeText(output)} }`,
  )
  const rows = registry.map(({ id, effect, paging, answer, idempotent }) => {
    const row = [effect, paging, answer, idempotent].map((value) => JSON.stringify(value).replaceAll('"', "'"))
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
    "export type ResponseKind = 'json' | 'bytes' | 'ndjson'",
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
