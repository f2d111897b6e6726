import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifest } from './operations.ts'
import { InsufficientCreditsError, NotFoundError, ValidationError } from './errors/problem-classes.ts'
import { ApiProblem } from './problem.ts'
import { PriceRequiredError, type SpendOptions } from './spends.ts'
import { createSwath, type SwathOptions } from './swath.ts'

const baseUrl = 'https://swath.example'

/** A tree whose calls are answered by the function, and the requests that it made. */
function connect(answer: (id: string) => Response, options: Partial<SwathOptions> = {}) {
  const requests: { id: string; input: Record<string, unknown>; headers: Headers }[] = []
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(url, init)
    const id = request.url.replace(`${baseUrl}/v1/op/`, '')
    requests.push({ id, input: (await request.json()) as Record<string, unknown>, headers: request.headers })
    return answer(id)
  }
  return { requests, swath: createSwath({ baseUrl, auth: { apiKey: 'key' }, fetch, ...options }) }
}

const refuse =
  (status: number, problem: string, members: object = {}) =>
  (): Response =>
    Response.json({ type: `${baseUrl}/problems/${problem}`, title: 'Refused', status, ...members }, { status })

test('every operation is a method at its id, and no id begins with the name of the client', async () => {
  const { swath, requests } = connect(() => new Response('{"features":[]}'))
  for (const id of Object.keys(manifest)) {
    const parts = id.split('.')
    const method = parts.reduce((node: unknown, part) => (node as Record<string, unknown>)[part], swath)
    assert.equal(typeof method, 'function', id)
    assert.notEqual(parts[0], 'client')
  }
  await swath.catalog.search({ host_name: 'demo' })
  await swath.catalog.search.list()
  assert.deepEqual(
    requests.map(({ id }) => id),
    ['catalog.search', 'catalog.search.list'],
  )
})

test('a spend has an idempotency key of its own, unless it is given one; nothing else has', async () => {
  const { swath, requests } = connect(() => Response.json({}))
  await swath.orders.archive.place({ captures: [] })
  await swath.orders.archive.place({ captures: [] })
  await swath.client.call('orders.cancel', { order_id: 'a' }, { idempotencyKey: 'mine' })
  await swath.projects.create({ name: 'a' })
  await swath.orders.get({ order_id: 'a' })
  const keys = requests.map(({ headers }) => headers.get('idempotency-key'))
  assert.match(keys[0]!, /^[0-9a-f-]{36}$/)
  assert.notEqual(keys[0], keys[1])
  assert.deepEqual(keys.slice(2), ['mine', null, null])
})

test('a price is kept for operations that are not known, and refused where none is charged', async () => {
  const { swath, requests } = connect(() => Response.json({}), { requirePrice: true })
  const price = { total_credits: 9, quote_id: 'q' }
  const shown: SpendOptions = { price }
  await swath.client.call('future.buy', { n: 1 }, shown)
  await assert.rejects(swath.client.call('future.buy', { n: 1 }), PriceRequiredError)
  await assert.rejects(swath.client.call('users.me', {}, shown), TypeError)
  assert.deepEqual(
    requests.map(({ input }) => input),
    [{ n: 1, max_credits: 9, quote_id: 'q' }],
  )
})

test('a price that was shown bounds the order, and that of a quote is the one that is charged', async () => {
  const { swath, requests } = connect(() => Response.json({}), { requirePrice: true })
  const { archive } = swath.orders
  await archive.place({ captures: [] }, { price: { total_credits: 700 } })
  await archive.place({}, { price: { total_credits: 700, quote_id: 'q', expires_at: '2026-01-01T00:00:00.000Z' } })
  await archive.place({ captures: [], max_credits: 50 }, { maxCredits: 900 })
  await archive.place({ captures: [] }, { dryRun: true })
  await archive.place({ captures: [], dry_run: true })
  await swath.processing.dispatch({ job_id: 'a' })
  assert.deepEqual(
    requests.map(({ input }) => input),
    [
      { captures: [], max_credits: 700 },
      { max_credits: 700, quote_id: 'q' },
      { captures: [], max_credits: 50 },
      { captures: [], dry_run: true },
      { captures: [], dry_run: true },
      { job_id: 'a' },
    ],
  )
  const priceless = [archive.place({ captures: [] }), swath.client.call('billing.topup', { credits: 5 })]
  for (const call of priceless) await assert.rejects(call, PriceRequiredError)
  await assert.rejects(archive.place({ captures: [] }, { price: undefined }), /orders\.archive\.place spends credits/)
  assert.equal(requests.length, 6)
})

test('a bound or a price that is no number refuses the call before it is sent', async () => {
  const { swath, requests } = connect(() => Response.json({}))
  const place = (options: object) => swath.orders.archive.place({ captures: [] }, options)
  for (const options of [
    { maxCredits: Number.NaN },
    { maxCredits: Infinity },
    { price: {} },
    { price: { total_credits: '7' } },
  ])
    await assert.rejects(() => place(options), /is not a number of credits/)
  assert.equal(requests.length, 0)
})

test('a key is sent with operations that look at it alone, and an undefined one is none', async () => {
  const { swath, requests } = connect(() => Response.json({}))
  await swath.client.call('uploads.initiate', {}, { idempotencyKey: 'mine' })
  await swath.orders.archive.place({ captures: [] }, { idempotencyKey: undefined } as object)
  const keys = requests.map(({ headers }) => headers.get('idempotency-key'))
  assert.equal(keys[0], null)
  assert.match(String(keys[1]), /^[0-9a-f-]{36}$/)
})

test('the token is sent to the platform alone', async () => {
  const sent: (string | null)[] = []
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    sent.push(new Headers(init?.headers).get('authorization') && new URL(String(url)).origin)
    return new Response('')
  }
  const { client } = createSwath({ baseUrl, auth: { apiKey: 'key' }, fetch })
  for (const path of ['/assets/stac', `${baseUrl}/t/1`, 'https://bucket.example/a?sig=1', `${baseUrl}.example/x`])
    await client.fetch(path)
  assert.deepEqual(sent, [baseUrl, baseUrl, null, null])
})

test('a problem is an error of its class with its own fields, and one of a newer server is one of the base', async () => {
  const fields = { required_credits: 5, available_credits: 2, trace_id: 't', name: 'x', detail: 'Too few.' }
  const error = await connect(refuse(402, 'insufficient-credits', fields)).swath.users.me().catch((thrown) => thrown) // prettier-ignore
  assert.ok(error instanceof InsufficientCreditsError && error instanceof ApiProblem && error instanceof Error)
  assert.equal(error.required_credits, 5)
  assert.equal(error.available_credits, 2)
  assert.deepEqual(
    [error.name, error.message, error.traceId, error.docsUrl, error.status],
    ['InsufficientCreditsError', '402 Refused: Too few.', 't', `${baseUrl}/problems/insufficient-credits`, 402],
  )
  const errors = [{ path: 'captures.0.id', message: 'is missing' }]
  const invalid = await connect(refuse(422, 'validation', { errors })).swath.users.me().catch((thrown) => thrown) // prettier-ignore
  assert.ok(invalid instanceof ValidationError)
  assert.deepEqual(invalid.fieldErrors, errors)
  const newer = await connect(refuse(418, 'of-a-newer-server', { tea: 1 })).swath.users.me().catch((thrown) => thrown) // prettier-ignore
  assert.ok(newer instanceof ApiProblem && !(newer instanceof NotFoundError))
  assert.deepEqual([newer.problem, newer.name, newer.fieldErrors], ['of-a-newer-server', 'OfANewerServerError', []])
  await assert.rejects(connect(refuse(418, 'constructor')).swath.users.me(), { problem: 'constructor' })
})

test('bytes and lines come as what they are', async () => {
  const { swath } = connect((id) => new Response(id.endsWith('render') ? 'PNG' : '{"a":1}\n{"a":2}\n'))
  assert.equal(new TextDecoder().decode(await swath.items.tile.render({ item_id: 'a', z: 0, x: 0, y: 0 })), 'PNG')
  const lines: unknown[] = []
  for await (const line of swath.billing.ledger.export({})) lines.push(line)
  assert.deepEqual(lines, [{ a: 1 }, { a: 2 }])
})
