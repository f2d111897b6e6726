import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Operation } from '@swath/contract/operation.ts'
import { registry } from '@swath/contract/registry.ts'
import { isPrivileged } from '@swath/contract/scopes.ts'
import { handlers } from '../../src/domains/domains.ts'
import { checksOf } from '../../src/engine/read-input.ts'
import { bootHouse, type TestHouse } from '../setup.ts'
import { reads } from './examples/reads.ts'
import { writes } from './examples/writes.ts'
import { minimalOf } from './minimal-input.ts'
import { makeWorld, type World } from './world.ts'

let house: TestHouse
let world: World
before(async () => {
  house = await bootHouse()
  world = await makeWorld(house)
})
after(() => house.close())

const canonical = (id: string): string => `/v1/op/${id}`
const resource = (id: string): string => `/v1/${id.replaceAll('.', '/')}`

async function post(path: string, body: unknown, token: string | null): Promise<Response> {
  return fetch(`${house.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** Returns the problem name of a response, after checking the problem document. */
async function problemIn(response: Response): Promise<string> {
  assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/)
  const document = (await response.json()) as { type: string; title: string; status: number; detail: string }
  assert.equal(document.status, response.status)
  assert.ok(document.title.length > 0 && document.detail.length > 0)
  return document.type.split('/problems/')[1] ?? ''
}

async function keyWith(permissions: readonly string[]): Promise<string> {
  const { key } = await world.client.call<{ key: string }>('api_keys.create', { name: 'contract', permissions })
  return key
}

const clientFor = (operation: Operation) =>
  operation.scope !== null && isPrivileged(operation.scope) ? world.admin : world.client

test('operations marked as answered have a handler, the others are in unimplemented.txt', async () => {
  const list = (await readFile(new URL('./unimplemented.txt', import.meta.url), 'utf8')).trim().split('\n')
  const unanswered = registry.filter((operation) => !operation.answered).map((operation) => operation.id)
  assert.deepEqual(unanswered, list)
  const answered = registry.filter((operation) => operation.answered).map((operation) => operation.id)
  assert.deepEqual([...handlers.keys()].sort(), answered)
})

test('every non-public operation returns 401 without a token, also for a malformed body', async () => {
  for (const operation of registry.filter((entry) => !entry.public)) {
    for (const body of ['{}', '{"broken":']) {
      const response = await post(canonical(operation.id), body, null)
      assert.equal(response.status, 401, operation.id)
      assert.equal(await problemIn(response), 'unauthenticated', operation.id)
    }
  }
})

test('every operation returns 403 without its scope, also for a malformed body', async () => {
  const tokens = { usual: await keyWith(['notifications:write']), other: await keyWith(['eulas:write']) }
  for (const operation of registry.filter((entry) => entry.scope !== null)) {
    const token = operation.scope === 'notifications:write' ? tokens.other : tokens.usual
    for (const body of ['{}', '{"broken":']) {
      const response = await post(canonical(operation.id), body, token)
      assert.equal(response.status, 403, operation.id)
      assert.equal(await problemIn(response), 'insufficient-scope', operation.id)
    }
  }
})

test('every operation returns 422 for an unknown field on both routes and names the field', async () => {
  for (const operation of registry) {
    const input = { ...(minimalOf(operation.input) as object), surprise: true }
    for (const path of [canonical(operation.id), resource(operation.id)]) {
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

test('an operation that is not implemented returns 501 for a valid input', async () => {
  for (const operation of registry.filter((entry) => !entry.answered)) {
    const input = minimalOf(operation.input)
    assert.ok(checksOf(operation).input.Check(input), `no minimal input for ${operation.id}`)
    const response = await clientFor(operation).fetch(canonical(operation.id), {
      method: 'POST',
      body: JSON.stringify(input),
    })
    assert.equal(response.status, 501, `${operation.id}: ${await response.clone().text()}`)
    assert.equal(await problemIn(response), 'not-implemented', operation.id)
  }
})

/** Strings that look like RFC 3339 times, with any offset or none. */
const looksLikeTime = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d)?([.,]\d+)?\s*([Zz]|[+-]\d\d(:?\d\d)?)?$/
const ours = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,9}Z$/

/** Times in a response that are not in UTC with milliseconds; adds the number of all times to the count. */
function foreignTimes(value: unknown, path: string, count: { times: number }): string[] {
  if (typeof value === 'string' && looksLikeTime.test(value)) {
    count.times++
    return ours.test(value) ? [] : [`${path}: ${value}`]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => foreignTimes(inner, `${path}.${name}`, count))
}

/** The JSON documents of a response: one, or one per line; none in other media types. */
function documentsIn(response: Response, text: string): unknown[] {
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
const timesSeen = { times: 0 }

function checkTimes(operation: Operation, response: Response, text: string): void {
  for (const document of documentsIn(response, text)) {
    assert.deepEqual(foreignTimes(document, operation.id, timesSeen), [])
  }
}

/** Removes fields that differ at every call. */
const settled = (text: string): string => text.replaceAll(/"(url|expires_at)":"[^"]*"/g, '')

test('every implemented read returns the same 2xx response on the canonical, resource and GET routes', async () => {
  const answered = registry.filter((operation) => operation.answered && operation.effect === 'read')
  assert.deepEqual(
    Object.keys(reads).sort(),
    answered.map((operation) => operation.id),
  )
  for (const operation of answered) {
    const client = clientFor(operation)
    const input = reads[operation.id]!(world)
    const query = new URLSearchParams(
      Object.entries(input).map(([name, value]): [string, string] => [
        name,
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      ]),
    )
    const responses = await Promise.all([
      client.fetch(canonical(operation.id), { method: 'POST', body: JSON.stringify(input) }),
      client.fetch(resource(operation.id), { method: 'POST', body: JSON.stringify(input) }),
      client.fetch(`${canonical(operation.id)}?${query}`),
      client.fetch(`${resource(operation.id)}?${query}`),
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
      assert.equal(settled(bodies[index]!), settled(bodies[0]!), `${operation.id} on route ${index}`)
    }
  }
})

test('GET serves reads only, and orders.get accepts `id`', async () => {
  for (const operation of registry.filter((entry) => entry.effect !== 'read')) {
    const response = await world.client.fetch(canonical(operation.id))
    assert.equal(response.status, 404, operation.id)
    assert.equal(await problemIn(response), 'unknown-operation', operation.id)
  }
  const response = await world.client.fetch(`/v1/orders/get?id=${world.order}`)
  assert.equal(response.status, 200)
})

test('every other implemented operation has a valid example and returns its status or a declared problem', async () => {
  const answered = registry.filter((operation) => operation.answered && operation.effect !== 'read')
  assert.deepEqual(
    Object.keys(writes).sort(),
    answered.map((operation) => operation.id),
  )
  for (const operation of answered) {
    const input = writes[operation.id]!(world)
    const response = await clientFor(operation).fetch(canonical(operation.id), {
      method: 'POST',
      body: JSON.stringify(input),
    })
    if (response.ok) {
      assert.equal(response.status, operation.status, operation.id)
      checkTimes(operation, response, await response.text())
    } else {
      const name = await problemIn(response)
      assert.ok(
        (operation.problems as readonly string[]).includes(name),
        `${operation.id} answered ${response.status} ${name}`,
      )
    }
  }
})

test('the responses contained times, and each was in UTC with milliseconds', () => {
  assert.ok(timesSeen.times > 200, String(timesSeen.times))
})

test('an unknown operation returns 404 before any other check', async () => {
  for (const path of ['/v1/op/nothing.here', '/v1/nothing/here', '/v1/op/__proto__', '/v1/op/orders']) {
    const response = await post(path, '{"broken":', null)
    assert.equal(response.status, 404)
    assert.equal(await problemIn(response), 'unknown-operation')
  }
})

test('malformed, too large and too deeply nested bodies return 400, 413 or 422', async () => {
  const send = (body: string) => world.client.fetch(canonical('items.get'), { method: 'POST', body })
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
    assert.equal(await problemIn(response), 'malformed')
  }
  const large = await send(JSON.stringify({ item_id: 'x'.repeat(20_000_000) }))
  assert.equal(large.status, 413)
  assert.equal(await problemIn(large), 'too-large')
  for (const body of ['[]', '"text"', '17', 'null', 'true']) {
    const response = await send(body)
    assert.equal(response.status, 422, body)
    assert.equal(await problemIn(response), 'validation')
  }
})
