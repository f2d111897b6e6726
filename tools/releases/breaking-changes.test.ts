import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonSchema } from '../printers/json-schema.ts'
import { readNamedSchemas } from '../printers/named-schemas.ts'
import { printOpenapi } from '../printers/openapi.ts'
import { findBreakingChanges } from './breaking-changes.ts'
import type { ContractDocument, DocumentOperation } from './contract-shape.ts'
import { readReleasedDocument, readReleases } from './releases.ts'

const printed = JSON.parse(printOpenapi(await readNamedSchemas())) as ContractDocument

test('the contract has no breaking change since the last release, unless its first number is higher', async () => {
  const release = (await readReleases()).at(-1)!
  const before = await readReleasedDocument(release)
  const majorOf = ({ info }: ContractDocument): number => Number(info.version.split('.')[0])
  assert.equal(before.info.version, release.contract_version)
  const changes = findBreakingChanges(before, printed)
  if (majorOf(printed) === majorOf(before)) assert.deepEqual(changes, [])
})

/** Part of a document that a test changes. */
type Draft<T> = { -readonly [Name in keyof T]: Draft<T[Name]> }

const path = '/v1/op/items.get'

test('changes put into the printed document are found, and those that take nothing away are not', () => {
  const findAfter = (change: (operation: Draft<DocumentOperation>, document: Draft<ContractDocument>) => void) => {
    const after = structuredClone(printed) as Draft<ContractDocument>
    change(after.paths[path]!.post, after)
    return findBreakingChanges(printed, after as ContractDocument).filter((text) => text.startsWith('items.get '))
  }
  const inputOf = (operation: Draft<DocumentOperation>): Draft<JsonSchema> =>
    operation.requestBody.content['application/json']!.schema!
  assert.deepEqual(
    findAfter((_, { paths }) => delete paths[path]),
    ['items.get is no longer there'],
  )
  assert.deepEqual(
    findAfter(({ 'x-addresses': urls }) => urls.splice(0, 1)),
    ['items.get is no longer at POST /v1/items/get'],
  )
  assert.deepEqual(
    findAfter((operation) => (operation['x-scope'] = 'items:write')),
    ['items.get requires the scope items:write now'],
  )
  assert.deepEqual(
    findAfter((operation) => {
      inputOf(operation).properties!['more'] = { type: 'string' }
      inputOf(operation).required = ['item_id', 'more']
    }),
    ['items.get requires more now'],
  )
  assert.deepEqual(
    findAfter((operation) => delete inputOf(operation).properties!['item_id']),
    ['items.get no longer accepts item_id'],
  )
  assert.deepEqual(
    findAfter((_, { components }) => delete components.schemas['Item']!.properties!['geometry']),
    ['items.get no longer returns item.geometry'],
  )
  assert.deepEqual(
    findAfter((operation, { components }) => {
      inputOf(operation).properties!['more'] = { type: 'string' }
      components.schemas['Item']!.properties!['more'] = { type: 'string' }
    }),
    [],
  )
})

/** A document with one operation. */
const documentOf = (input: JsonSchema, output: JsonSchema = { type: 'object' }): ContractDocument => ({
  info: { version: '1.0.0' },
  paths: {
    '/v1/op/a': {
      post: {
        operationId: 'a',
        requestBody: { content: { 'application/json': { schema: input } } },
        responses: { 200: { content: { 'application/json': { schema: output } } } },
        'x-scope': null,
        'x-effect': 'read',
        'x-addresses': [],
      },
    },
  },
  components: {
    schemas: { Tree: { type: 'object', properties: { inner: { $ref: '#/components/schemas/Tree' }, x: { type: 'number' } } } }, // prettier-ignore
  },
})

const objectOf = (x: JsonSchema, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties: { x },
  required,
})
const text = { type: 'string' } as const
const choice = (...values: string[]): JsonSchema => ({ enum: values })
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })

test('an input may become wider, not narrower', () => {
  const rows: readonly [before: JsonSchema, after: JsonSchema, change: string | null][] = [
    [choice('a', 'b'), choice('a'), 'a no longer accepts "b" as x'],
    [choice('a'), choice('a', 'b'), null],
    [choice('a'), text, null],
    [text, choice('a'), 'a no longer accepts string as x'],
    [orNull(text), text, 'a no longer accepts null as x'],
    [text, orNull(text), null],
    [{ type: 'integer' }, { type: 'number' }, null],
    [{ type: 'number' }, { type: 'integer' }, 'a no longer accepts number as x'],
    [{ type: 'number', maximum: 9 }, { type: 'number', maximum: 8 }, 'a has maximum 8 for x now'],
    [{ type: 'number', maximum: 8 }, { type: 'number', maximum: 9 }, null],
    [text, { type: 'string', minLength: 1 }, 'a has minLength 1 for x now'],
    [text, orNull({ type: 'string', maxLength: 5 }), 'a has maxLength 5 for x now'],
    [text, { type: 'string', format: 'uuid' }, 'a has format uuid for x now'],
    [{ type: 'string', pattern: '^(a|b),(c)$' }, { type: 'string', pattern: '^(a|e|b),(c|d)$' }, null],
    [{ type: 'string', pattern: '^(a|b),(c)$' }, { type: 'string', pattern: '^(a),(c)$' }, 'a has pattern ^(a),(c)$ for x now'], // prettier-ignore
    [{ type: 'string', pattern: '^(a|b)$' }, { type: 'string', pattern: '^(a|b),(c)$' }, 'a has pattern ^(a|b),(c)$ for x now'], // prettier-ignore
    [{ type: 'array', items: choice('a', 'b') }, { type: 'array', items: choice('a') }, 'a no longer accepts "b" as x[]'], // prettier-ignore
  ]
  for (const [before, after, change] of rows) {
    const found = findBreakingChanges(documentOf(objectOf(before)), documentOf(objectOf(after)))
    assert.deepEqual(found, change === null ? [] : [change], JSON.stringify([before, after]))
  }
  assert.deepEqual(findBreakingChanges(documentOf(objectOf(text)), documentOf(objectOf(text, ['x']))), [
    'a requires x now',
  ])
})

test('an output may become narrower and its lists of values longer, not otherwise wider', () => {
  const rows: readonly [before: JsonSchema, after: JsonSchema, change: string | null][] = [
    [objectOf(text, ['x']), objectOf(text), 'a may omit x now'],
    [objectOf(text), objectOf(text, ['x']), null],
    [objectOf(text), objectOf(orNull(text)), 'a may return null as x now'],
    [objectOf(choice('a')), objectOf(choice('a', 'b')), null],
    [objectOf(choice('a')), objectOf(text), 'a may return string as x now'],
    [objectOf({ type: 'integer' }), objectOf({ type: 'number' }), 'a may return number as x now'],
    [{ $ref: '#/components/schemas/Tree' }, { type: 'object', properties: {} }, 'a no longer returns inner'],
  ]
  for (const [before, after, change] of rows) {
    const found = findBreakingChanges(documentOf({}, before), documentOf({}, after))
    assert.equal(found[0] ?? null, change, JSON.stringify([before, after]))
  }
})
