import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { newId } from '../../src/platform/ids.ts'
import { digestDatabase, assertUnchanged } from '../ledger-assertions.ts'
import { licensedHostsFile } from '../hosts/licensed-hosts.ts'
import { createContractFixtures, type ContractFixtures } from '../contract/fixtures.ts'
import { findCaptures, waitForOrderTasks } from '../orders.ts'
import { createTestOrganization } from '../test-organizations.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

let app: TestApp
let fixtures: ContractFixtures
before(async () => {
  app = await startTestApp({ environment: { CATALOG_HOSTS_FILE: licensedHostsFile } })
  fixtures = await createContractFixtures(app)
})
after(() => app?.close())

interface InvalidRequest {
  readonly operation: string
  readonly input?: unknown
  /** The raw body, sent instead of the input. */
  readonly body?: string
  readonly headers?: Record<string, string>
  readonly status: number
  readonly problem: string
  /** A path that `errors[]` must contain. */
  readonly path?: string
}

async function assertRefused(bad: InvalidRequest): Promise<void> {
  const started = performance.now()
  const response = await fixtures.client.fetch(`/v1/op/${bad.operation}`, {
    method: 'POST',
    body: bad.body ?? JSON.stringify(bad.input ?? {}),
    headers: { 'content-type': 'application/json', ...bad.headers },
  })
  const text = await response.text()
  const name = `${bad.operation} ${(bad.body ?? JSON.stringify(bad.input) ?? '').slice(0, 80)}: ${text.slice(0, 300)}`
  assert.equal(response.status, bad.status, name)
  assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/, name)
  const document = JSON.parse(text) as Record<string, unknown>
  assert.equal(document['type'], `${app.url}/problems/${bad.problem}`, name)
  assert.equal(document['status'], bad.status, name)
  if (bad.status === 422) {
    const errors = document['errors'] as { path: string; message: string }[]
    const detail = document['detail'] as { loc: unknown[]; msg: string; type: string }[]
    assert.ok(errors.length > 0 && errors.length === detail.length, name)
    assert.ok(
      detail.every(({ loc, msg, type }) => loc[0] === 'body' && msg && type),
      name,
    )
    if (bad.path !== undefined)
      assert.ok(
        errors.some(({ path }) => path === bad.path),
        name,
      )
  }
  assert.ok(performance.now() - started < 5000, name)
}

async function assertAllRefused(rows: readonly InvalidRequest[]): Promise<void> {
  await waitForOrderTasks(app)
  await assertUnchanged(app, async () => {
    for (const bad of rows) await assertRefused(bad)
  })
}

test('the digest of the database changes after a write', async () => {
  const before = await digestDatabase(app)
  await fixtures.client.call('collections.create', { project_id: fixtures.project, name: 'A change' })
  assert.notDeepEqual(await digestDatabase(app), before)
})

test('authentication and scope are checked before the body is parsed', async () => {
  await assert.rejects(
    assertUnchanged(app, async () => {
      const response = await fetch(`${app.url}/v1/op/collections.create`, {
        method: 'POST',
        body: '{',
        headers: { authorization: 'Bearer nonsense' },
      })
      assert.equal(response.status, 401)
      const challenge = `Bearer error="invalid_token", resource_metadata="${app.url}/.well-known/oauth-protected-resource"`
      assert.equal(response.headers.get('www-authenticate'), challenge)
      throw new Error('unchanged')
    }),
    /unchanged/,
  )
  const { key } = await fixtures.client.call('api_keys.create', { name: 'reads', permissions: ['can_read'] })
  const scope = await fetch(`${app.url}/v1/op/collections.create`, {
    method: 'POST',
    body: '{',
    headers: { authorization: `Bearer ${key}` },
  })
  assert.equal(scope.status, 403)
  assert.equal(((await scope.json()) as Record<string, unknown>)['required_scope'], 'collections:write')
})

test('malformed and invalid requests are refused', async () => {
  const operation = 'collections.create'
  const validInput = { project_id: fixtures.project, name: 'x' }
  await assertAllRefused([
    { operation: 'collections.invent', status: 404, problem: 'unknown-operation' },
    { operation, body: '{"project_id":', status: 400, problem: 'malformed' },
    { operation, body: '\u00ff\u00fe', status: 400, problem: 'malformed' },
    { operation, body: '['.repeat(50_000), status: 400, problem: 'malformed' },
    { operation, body: `{"name":"${'x'.repeat(1024 * 1024)}"}`, status: 413, problem: 'too-large' },
    { operation: 'items.create', body: `{"name":"${'x'.repeat(1024 * 1024)}"}`, status: 422, problem: 'validation' },
    {
      operation: 'items.create',
      body: `{"name":"${'x'.repeat(11 * 1024 * 1024)}"}`,
      status: 413,
      problem: 'too-large',
    },
    { operation, input: { ...validInput, surprise: 1 }, status: 422, problem: 'validation', path: 'surprise' },
    { operation, input: { ...validInput, name: 5 }, status: 422, problem: 'validation', path: 'name' },
    { operation, input: { ...validInput, name: '' }, status: 422, problem: 'validation', path: 'name' },
    { operation, input: { name: 'x' }, status: 422, problem: 'validation', path: 'project_id' },
    { operation, input: { ...validInput, project_id: 'mine' }, status: 422, problem: 'validation', path: 'project_id' },
    { operation, input: { ...validInput, name: 'a\u0000b' }, status: 422, problem: 'validation', path: 'name' },
    { operation, input: { ...validInput, name: 'a\ud83d' }, status: 422, problem: 'validation', path: 'name' },
    { operation, body: '[]', status: 422, problem: 'validation' },
  ])
})

test('a public operation accepts only small bodies', async () => {
  const sendBytes = (bytes: number): Promise<Response> => {
    const body = JSON.stringify({ token: 'nothing', surprise: '' })
    return fetch(`${app.url}/v1/op/share.link.validate`, {
      method: 'POST',
      body: body.replace('""', `"${'x'.repeat(bytes - body.length)}"`),
    })
  }
  const large = await sendBytes(16 * 1024 + 1)
  assert.equal(large.status, 413)
  assert.match(((await large.json()) as { detail: string }).detail, /16384 bytes/)
  assert.equal((await sendBytes(16 * 1024)).status, 422)
  const members = Array.from({ length: 10_001 }, (_, at) => `"k${at}":1`).join(',')
  await assertRefused({ operation: 'collections.create', body: `{${members}}`, status: 413, problem: 'too-large' })
})

test('an order with an invalid geometry returns 422', async () => {
  const [capture] = await findCaptures(fixtures.client, 'commercial', ['naip-va-17n'])
  const ring = (...points: readonly (readonly number[])[]) => ({ type: 'Polygon', coordinates: [points] })
  const geometries = [
    { type: 'Point', coordinates: [0, 0] },
    ring([0, 0], [1, 1]),
    ring([0, 0], [1, 0], [1, 1], [0, 1]),
    ring([0, 0], [1, 1], [1, 0], [0, 1], [0, 0]),
    ring([0, 0], [400, 0], [400, 1], [0, 0]),
    ring([0, 0], [0, 0], [0, 0], [0, 0]),
    { type: 'Polygon' },
    { type: 'Polygon', coordinates: 'all of it' },
    {
      type: 'Polygon',
      coordinates: [
        [
          ['a', 'b'],
          [1, 1],
          [1, 0],
          ['a', 'b'],
        ],
      ],
    },
    {},
    ring([100, 0], [101, 0], [101, 1], [100, 0]),
  ]
  await assertAllRefused(
    geometries.map((geometry) => ({
      operation: 'orders.archive.place',
      input: { captures: [{ ...capture!, geometry }] },
      status: 422,
      problem: 'validation',
      path: 'captures.0',
    })),
  )
})

test('an order with one invalid capture is refused as a whole', async () => {
  const [first, second] = await findCaptures(fixtures.client, 'commercial', ['naip-va-17n', 'naip-nd-20190904'])
  const bad = (captures: readonly unknown[], path: string): InvalidRequest => ({
    operation: 'orders.archive.place',
    input: { captures },
    status: 422,
    problem: 'validation',
    path,
  })
  await assertAllRefused([
    bad([], 'captures'),
    bad([{ ...first!, host: 'nobody' }], 'captures.0'),
    bad([first, { ...second!, id: 'nothing' }], 'captures.1'),
    bad([first, second, first], 'captures.2'),
    bad([first, { ...second!, geometry: first!.geometry }], 'captures.1'),
    bad(
      Array.from({ length: 1001 }, () => first),
      'captures',
    ),
    { ...bad([first], 'licenseType'), input: { captures: [first], licenseType: 'public domain' } },
    { ...bad([first], ''), input: { captures: [first], projectId: newId() }, status: 404, problem: 'not-found' },
  ])
})

test('tile requests outside the grid or with invalid parameters return 422', async () => {
  const tile = { item_id: fixtures.item, z: 5, x: 16, y: 10 }
  const bad = (input: object, path: string): InvalidRequest => ({
    operation: 'items.tile.render',
    input: { ...tile, ...input },
    status: 422,
    problem: 'validation',
    path,
  })
  await assertAllRefused([
    bad({ z: 31 }, 'z'),
    bad({ z: -1 }, 'z'),
    bad({ x: 32 }, 'x'),
    bad({ y: 32 }, 'y'),
    bad({ x: -1 }, 'x'),
    bad({ x: 1.5 }, 'x'),
    bad({ format: 'bmp' }, 'format'),
    bad({ bands: 'ultraviolet' }, 'bands'),
    bad({ expression: 'b1 +' }, 'expression'),
    bad({ expression: '('.repeat(1000) }, 'expression'),
    bad({ rescale: 'dark,light' }, 'rescale'),
    bad({ colormap: 'beautiful', bands: '1' }, 'colormap'),
    bad({ aoi: '{"type":"Point"}' }, 'aoi'),
  ])
})

test('a refused order leaves its idempotency key unused, a placed one claims it', async () => {
  const orgWithOneCredit = await createTestOrganization(app, 1)
  const captures = await findCaptures(orgWithOneCredit.owner.client, 'commercial', ['naip-va-17n'])
  const placeOrder = (body: unknown, key: string): Promise<Response> =>
    orgWithOneCredit.owner.client.fetch('/v1/op/orders.archive.place', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'idempotency-key': key },
    })
  const response = await assertUnchanged(app, () => placeOrder({ captures }, 'k'))
  assert.equal(response.status, 402)
  const freeOrder = { captures: await findCaptures(orgWithOneCredit.owner.client, 'open', ['l8-stormlake-20200829']) }
  assert.equal((await placeOrder(freeOrder, 'k')).status, 202)
  await waitForOrderTasks(app)
  assert.equal((await assertUnchanged(app, () => placeOrder({ captures }, 'k'))).status, 409)
})

/** Writes raw bytes to a socket and returns the whole response. */
const sendRaw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let response = ''
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1', () => socket.end(text))
    socket.setTimeout(5000, () => socket.destroy(new Error('no response')))
    socket.on('data', (chunk) => (response += chunk.toString()))
    socket.on('close', () => resolve(response))
    socket.on('error', reject)
  })

test('requests that are not valid HTTP get a problem document', async () => {
  for (const [head, status] of [
    ['GET /v1/op/%ZZ HTTP/1.1\r\nHost: x', 400],
    ['BREW /v1/op/items.get HTTP/1.1\r\nHost: x', 400],
    [`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x`, 431],
    ['POST /v1/op/users.me HTTP/1.1\r\nHost: x\r\nContent-Length: many', 400],
    ['GET /v1/op/items.get HTTP/1.1\r\nHost: x\r\nBroken header', 400],
  ] as const) {
    const response = await sendRaw(`${head}\r\nConnection: close\r\n\r\n`)
    assert.equal(response.slice(0, 13), `HTTP/1.1 ${status} `, head.slice(0, 60))
    assert.match(response, /content-type: application\/problem\+json/i, head.slice(0, 60))
    assert.ok(response.includes(`"status":${status}`), head.slice(0, 60))
  }
})

test('names of Object.prototype are unknown fields', async () => {
  for (const query of ['__proto__=1', 'constructor=1', 'toString=1', 'hasOwnProperty=1', 'host_name[]=open']) {
    for (const path of [`/v1/op/catalog.sources.list?${query}`, `/api/v1/projects?${query}`]) {
      const response = await fixtures.client.fetch(path)
      assert.equal(response.status, 422, path)
      const { errors } = (await response.json()) as { errors: { path: string }[] }
      assert.deepEqual(
        errors.map((error) => error.path),
        [query.split('=')[0]],
      )
    }
  }
})
