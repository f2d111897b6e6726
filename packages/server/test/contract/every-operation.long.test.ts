import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Operation } from '@swath/contract/operation.ts'
import { operationRegistry } from '@swath/contract/registry.ts'
import { isPrivilegedScope } from '@swath/contract/scopes.ts'
import { operationHandlers } from '../../src/domains/handlers.ts'
import { licensedHostsFile } from '../hosts/licensed-hosts.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import type { ExampleInputs } from './examples/examples.ts'
import { readExamples } from './examples/reads.ts'
import { writeExamples } from './examples/writes.ts'
import { createMinimalValue } from './minimal-input.ts'
import { createContractFixtures, type ContractFixtures } from './fixtures.ts'

let app: TestApp
let fixtures: ContractFixtures
before(async () => {
  app = await startTestApp({ environment: { CATALOG_HOSTS_FILE: licensedHostsFile } })
  fixtures = await createContractFixtures(app)
})
after(() => app.close())

const canonicalPath = (id: string): string => `/v1/op/${id}`
const resourcePath = (id: string): string => `/v1/${id.replaceAll('.', '/')}`

async function post(path: string, body: unknown, token: string | null): Promise<Response> {
  return fetch(`${app.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** Returns the problem name of a response, after checking the problem document. */
async function readProblemName(response: Response): Promise<string> {
  assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/)
  const document = (await response.json()) as { type: string; title: string; status: number; detail: string }
  assert.equal(document.status, response.status)
  assert.ok(document.title.length > 0 && document.detail.length > 0)
  return document.type.split('/problems/')[1] ?? ''
}

async function createKey(permissions: readonly string[]): Promise<string> {
  const { key } = await fixtures.client.call<{ key: string }>('api_keys.create', { name: 'contract', permissions })
  return key
}

const clientFor = (operation: Operation) =>
  operation.id.startsWith('sandbox.')
    ? fixtures.sandbox
    : operation.scope?.startsWith('clip:')
      ? fixtures.clipUser
      : operation.scope !== null && isPrivilegedScope(operation.scope)
        ? fixtures.admin
        : fixtures.client

test('every operation of the contract has its handler, and there are no others', () => {
  assert.deepEqual(
    [...operationHandlers].map(([id, { operation }]) => [id, operation]),
    operationRegistry.map((operation) => [operation.id, operation]),
    'run npm run generate',
  )
})

test('every non-public operation returns 401 without a token, also for a malformed body', async () => {
  for (const operation of operationRegistry.filter((entry) => !entry.public)) {
    for (const body of ['{}', '{"broken":']) {
      const response = await post(canonicalPath(operation.id), body, null)
      assert.equal(response.status, 401, operation.id)
      assert.equal(await readProblemName(response), 'unauthenticated', operation.id)
    }
  }
})

test('every operation returns 403 without its scope, also for a malformed body', async () => {
  const tokens = { usual: await createKey(['notifications:write']), other: await createKey(['eulas:write']) }
  for (const operation of operationRegistry.filter((entry) => entry.scope !== null)) {
    const token = operation.scope === 'notifications:write' ? tokens.other : tokens.usual
    for (const body of ['{}', '{"broken":']) {
      const response = await post(canonicalPath(operation.id), body, token)
      assert.equal(response.status, 403, operation.id)
      assert.equal(await readProblemName(response), 'insufficient-scope', operation.id)
    }
  }
})

test('every operation returns 422 for an unknown field on both routes and names the field', async () => {
  for (const operation of operationRegistry) {
    const input = { ...(createMinimalValue(operation.input) as object), surprise: true }
    for (const path of [canonicalPath(operation.id), resourcePath(operation.id)]) {
      const response = await clientFor(operation).fetch(path, { method: 'POST', body: JSON.stringify(input) })
      assert.equal(response.status, 422, `${operation.id}: ${await response.clone().text()}`)
      const document = (await response.json()) as { errors: { path: string }[]; detail: unknown }
      assert.ok(
        document.errors.some((error) => error.path === 'surprise'),
        operation.id,
      )
    }
  }
})

/** Strings that look like RFC 3339 times, with any offset or none. */
const looksLikeTime = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d)?([.,]\d+)?\s*([Zz]|[+-]\d\d(:?\d\d)?)?$/
const utcMilliseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,9}Z$/

/** Times in a response that are not in UTC with milliseconds; adds the number of all times to the count. */
function findUnnormalizedTimes(value: unknown, path: string, count: { times: number }): string[] {
  if (typeof value === 'string' && looksLikeTime.test(value)) {
    count.times++
    return utcMilliseconds.test(value) ? [] : [`${path}: ${value}`]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => findUnnormalizedTimes(inner, `${path}.${name}`, count))
}

/** The JSON documents of a response: one, or one per line; none in other media types. */
function parseDocuments(response: Response, text: string): unknown[] {
  const type = response.headers.get('content-type') ?? ''
  if (type.includes('ndjson'))
    return text
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown)
  return type.includes('json') && text !== '' ? [JSON.parse(text) as unknown] : []
}

/** The number of times in all responses of this file. */
const timeCount = { times: 0 }

function checkTimes(operation: Operation, response: Response, text: string): void {
  for (const document of parseDocuments(response, text)) {
    assert.deepEqual(findUnnormalizedTimes(document, operation.id, timeCount), [])
  }
}

/** Fails with the file to change if an operation has no example there, or an example no operation. */
function assertExamples(examples: ExampleInputs, operations: readonly Operation[], file: string): void {
  const path = `packages/server/test/contract/examples/${file}`
  const ids = operations.map((operation) => operation.id)
  const missing = ids.filter((id) => !Object.hasOwn(examples, id))
  assert.deepEqual(missing, [], `add an example to ${path}`)
  const surplus = Object.keys(examples).filter((id) => !ids.includes(id))
  assert.deepEqual(surplus, [], `remove the example from ${path}: it belongs to no such operation`)
}

/** Removes fields that differ at every call, and the last use of a key, which is written some time after the call. */
const stripVariableFields = (text: string): string =>
  text.replaceAll(
    /"(url|expires_at|measured_at|generated_at)":"[^"]*"|"elapsed_ms":\d+|"last_used_(?:at|address)":("[^"]*"|null)/g,
    '',
  )

/** The same for usage, whose counts may be written between two calls. */
const stripCounts = (text: string): string =>
  stripVariableFields(text).replaceAll(/"(days|operations|callers)":\[[^\]]*\]|"(\w+_count|compute_ms|total)":\d+/g, '')

test('every read returns the same 2xx response on the canonical, resource and GET routes', async () => {
  const reads = operationRegistry.filter(({ effect }) => effect === 'read')
  assertExamples(readExamples, reads, 'reads.ts')
  for (const operation of reads) {
    const client = clientFor(operation)
    const input = readExamples[operation.id]!(fixtures)
    const query = new URLSearchParams(
      Object.entries(input).map(([name, value]): [string, string] => [
        name,
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      ]),
    )
    const responses = await Promise.all([
      client.fetch(canonicalPath(operation.id), { method: 'POST', body: JSON.stringify(input) }),
      client.fetch(resourcePath(operation.id), { method: 'POST', body: JSON.stringify(input) }),
      client.fetch(`${canonicalPath(operation.id)}?${query}`),
      client.fetch(`${resourcePath(operation.id)}?${query}`),
    ])
    const bodies = await Promise.all(
      responses.map(async (response) => Buffer.from(await response.arrayBuffer()).toString('latin1')),
    )
    checkTimes(operation, responses[0]!, bodies[0]!)
    for (const [index, response] of responses.entries()) {
      assert.equal(
        response.status,
        operation.status,
        `${operation.id} on route ${index}: ${bodies[index]?.slice(0, 500)}`,
      )
      const strip = operation.id.startsWith('usage.') ? stripCounts : stripVariableFields
      assert.equal(strip(bodies[index]!), strip(bodies[0]!), `${operation.id} on route ${index}`)
    }
  }
})

test('GET serves reads only, and orders.get accepts `id`', async () => {
  for (const operation of operationRegistry.filter((entry) => entry.effect !== 'read')) {
    const response = await fixtures.client.fetch(canonicalPath(operation.id))
    assert.equal(response.status, 405, operation.id)
    assert.equal(await readProblemName(response), 'method-not-allowed', operation.id)
  }
  const response = await fixtures.client.fetch(`/v1/orders/get?id=${fixtures.order}`)
  assert.equal(response.status, 200)
})

test('every other operation has a valid example and returns its status or a declared problem', async () => {
  const others = operationRegistry.filter(({ effect }) => effect !== 'read')
  assertExamples(writeExamples, others, 'writes.ts')
  for (const operation of others) {
    const input = writeExamples[operation.id]!(fixtures)
    const response = await clientFor(operation).fetch(canonicalPath(operation.id), {
      method: 'POST',
      body: JSON.stringify(input),
    })
    if (response.ok) {
      assert.equal(response.status, operation.status, operation.id)
      checkTimes(operation, response, await response.text())
    } else {
      const name = await readProblemName(response)
      assert.ok(
        (operation.problems as readonly string[]).includes(name),
        `${operation.id} answered ${response.status} ${name}`,
      )
    }
  }
})

test('the responses contained times, and each was in UTC with milliseconds', () => {
  assert.ok(timeCount.times > 200, String(timeCount.times))
})

test('an unknown operation returns 404 before any other check', async () => {
  for (const path of ['/v1/op/nothing.here', '/v1/nothing/here', '/v1/op/__proto__', '/v1/op/orders']) {
    const response = await post(path, '{"broken":', null)
    assert.equal(response.status, 404)
    assert.equal(await readProblemName(response), 'unknown-operation')
  }
})

test('malformed, too large and too deeply nested bodies return 400, 413 or 422', async () => {
  const send = (body: string) => fixtures.client.fetch(canonicalPath('items.get'), { method: 'POST', body })
  for (const body of [
    '{"item_id":',
    '\u0000',
    '[1,2',
    '{"a":1}x',
    '"\\ud800',
    '['.repeat(100_000),
    '{"__proto__":{}}',
  ]) {
    const response = await send(body)
    assert.equal(response.status, 400, body.slice(0, 40))
    assert.equal(await readProblemName(response), 'malformed')
  }
  const large = await send(JSON.stringify({ item_id: 'x'.repeat(20_000_000) }))
  assert.equal(large.status, 413)
  assert.equal(await readProblemName(large), 'too-large')
  for (const body of ['[]', '"text"', '17', 'null', 'true']) {
    const response = await send(body)
    assert.equal(response.status, 422, body)
    assert.equal(await readProblemName(response), 'validation')
  }
})
