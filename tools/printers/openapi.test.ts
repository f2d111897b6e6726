import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { Compile } from 'typebox/compile'
import { findOperation, operationRegistry } from '../../packages/contract/src/registry.ts'
import { compileDropAbsentMembers } from '../../packages/server/src/engine/input/drop-absent.ts'
import { contractVersion } from '../../packages/contract/src/version.ts'
import { schemaText, type JsonSchema } from './json-schema.ts'
import { readNamedSchemas } from './named-schemas.ts'
import { printOpenapi } from './openapi.ts'

interface Post {
  readonly operationId: string
  readonly security?: readonly unknown[]
  readonly responses: Readonly<Record<string, { $ref?: string; content?: Record<string, unknown> }>>
  readonly 'x-scope': string | null
  readonly 'x-effect': string
  readonly 'x-extension': boolean
  readonly 'x-body-limit-bytes'?: number
  readonly 'x-idempotent': boolean
}

interface Document {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, { readonly post: Post }>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

const namedSchemas = await readNamedSchemas()
const text = printOpenapi(namedSchemas)
const document = JSON.parse(text) as Document
const posts = Object.entries(document.paths).map(([path, item]) => ({ path, ...item.post }))

/** The part of the document at a JSON pointer. */
function at(pointer: string): unknown {
  const keys = pointer.slice(2).split('/')
  const unescape = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~')
  return keys.reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[unescape(key)], document)
}

test('the schema of an event stream is that of one message, whose data are JSON text', () => {
  const content = document.paths['/v1/op/events.stream']!.post.responses['200']!.content as Record<string, JsonSchema>
  const { schema } = content['text/event-stream'] as unknown as { schema: JsonSchema }
  const ajv = foreignValidator()
  ajv.addSchema(document, 'document')
  const check = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object)
  assert.equal(check({ id: 'a', event: 'project.created', data: '{}' }), true)
  assert.equal(check({ event_id: 'a', event_type: 'project.created', data: {} }), false)
  assert.deepEqual(
    at('#/paths/~1v1~1op~1events.stream/post/responses/200/content/text~1event-stream/schema/properties/data'),
    {
      type: 'string',
      contentMediaType: 'application/json',
      contentSchema: { $ref: '#/components/schemas/Event' },
    },
  )
})

test('the document is OpenAPI 3.1.0 with the version of the contract', () => {
  assert.equal(document.openapi, '3.1.0')
  assert.equal(document.info.version, contractVersion)
})

test('every operation has one path, its canonical URL, with its scope, effect and responses', () => {
  assert.deepEqual(
    posts.map((post) => post.path),
    operationRegistry.map((operation) => `/v1/op/${operation.id}`),
  )
  for (const post of posts) {
    const operation = findOperation(post.operationId)
    assert.ok(operation, post.path)
    assert.equal(post['x-scope'], operation.scope)
    assert.equal(post['x-effect'], operation.effect)
    assert.equal(post['x-extension'], operation.extension)
    assert.equal(post['x-body-limit-bytes'] ?? null, operation.body_limit_bytes)
    assert.equal(post['x-idempotent'], operation.idempotent)
    assert.equal(post.security?.length === 0, operation.public, post.path)
    assert.ok(post.responses[String(operation.status)]?.content, post.path)
    assert.ok(post.responses['401'], post.path)
    assert.ok(post.responses['422'] && post.responses['500'], post.path)
  }
})

test('every $ref resolves', () => {
  const references = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference as string))
  assert.ok(references.size > 100)
  for (const reference of references) assert.notEqual(at(reference), undefined, reference)
})

test('no two named schemas are equal', () => {
  const texts = [...namedSchemas.schemas.values()].map(schemaText)
  assert.equal(new Set(texts).size, texts.length)
})

/** An independent validator that reads the generated document as any client would. */
function foreignValidator(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  addFormats.default(ajv)
  return ajv.addSchema(document as object, 'openapi')
}

const inputPointer = (id: string): string =>
  `openapi#/paths/~1v1~1op~1${id}/post/requestBody/content/application~1json/schema`

test('every schema is valid JSON Schema 2020-12, and Ajv compiles every input', () => {
  const ajv = foreignValidator()
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    assert.ok(ajv.validateSchema({ ...schema, $schema: 'https://json-schema.org/draft/2020-12/schema' }), name)
  }
  for (const { id } of operationRegistry) assert.ok(ajv.compile({ $ref: inputPointer(id) }), id)
})

test('the generated input schemas accept and reject the same inputs as the contract', () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  const square = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ],
    ],
  }
  const samples: readonly [operation: string, input: object, fits: boolean][] = [
    ['items.get', { item_id: id }, true],
    ['items.get', { item_id: 'seven' }, false],
    ['items.get', { item_id: id, more: 1 }, false],
    ['projects.create', { name: '' }, false],
    ['projects.create', { name: 'Delta', description: null }, true],
    ['catalog.search', { host_name: 'demo', limit: 501 }, false],
    ['catalog.search', { host_name: 'demo', intersects: square, query: { gsd: { LTE: 1 } } }, true],
    ['catalog.search', { host_name: 'demo', intersects: { type: 'Polygon', coordinates: [[['a', 'b']]] } }, false],
    ['catalog.search', { host_name: 'demo', query: null, limit: null }, true],
    ['catalog.search', { host_name: null }, false],
    ['stac.search', { sortby: [{ field: 'datetime', direction: null }] }, true],
    ['event_subscriptions.update', { subscription_id: id, headers: null }, true],
    ['orders.estimate', { dataProduct: 'a', featureCollection: {} }, true],
    ['orders.estimate', { dataProduct: 'a', featureCollection: { type: 'FeatureCollection' } }, false],
    ['stac.search', { intersects: { type: 'Point', coordinates: [1, 2] } }, false],
    ['stac.search', { bbox: [1, 2, 3] }, false],
    ['orders.archive.place', { captures: [{ id: 'a', geometry: square }] }, true],
    ['orders.archive.place', { captures: [] }, false],
    ['admin.orgs.credit_adjust', { organization_id: id, amount_credits: 0, reason: 'none' }, false],
    ['admin.orgs.credit_adjust', { organization_id: id, amount_credits: -5, reason: 'a mistake' }, true],
  ]
  const ajv = foreignValidator()
  for (const [operation, input, fits] of samples) {
    const found = findOperation(operation) as (typeof operationRegistry)[number]
    const ownInput = structuredClone(input)
    compileDropAbsentMembers(found.input)?.(ownInput)
    assert.equal(Compile(found.input).Check(ownInput), fits, `${operation} ${JSON.stringify(input)}`)
    assert.equal(ajv.validate({ $ref: inputPointer(operation) }, input), fits, `${operation} ${JSON.stringify(input)}`)
  }
})

test('a property with an object as default has no alternative for an absent value', () => {
  const withObjects = operationRegistry.flatMap(({ id }) => {
    const { properties = {} } = at(inputPointer(id).replace('openapi', '')) as JsonSchema
    return Object.values(properties).filter((member) => typeof member.default === 'object' && member.default !== null)
  })
  assert.ok(withObjects.length > 0)
  for (const member of withObjects) assert.equal(member.anyOf, undefined, JSON.stringify(member))
})
