import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { registry } from '@swath/contract/registry.ts'
import { routes } from '@swath/contract/routes.ts'
import { freeAbandonedClaims } from '../../src/engine/store.once.ts'
import { sql, type Sql } from '../../src/platform/database/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import { assertBooks, digestOf, unchanged } from '../books.ts'
import { atRest } from '../house-money.ts'
import { bootHouse, type TestHouse } from '../setup.ts'
import { openStage, spendBackground, spendHosts, spends, type Stage } from './examples/spend.ts'

let house: TestHouse
before(async () => {
  house = await bootHouse({ hosts: await spendHosts(), background: spendBackground })
})
after(() => house?.close())

const idempotent = registry.filter((operation) => operation.idempotent)
const answered = idempotent.filter((operation) => operation.answered).map((operation) => operation.id)

/** All POST paths of an operation. */
const doorsOf = (id: string): string[] => [
  `/v1/op/${id}`,
  `/v1/${id.replaceAll('.', '/')}`,
  ...routes.filter((route) => route.operation === id && route.method === 'POST').map((route) => route.path),
]

interface Said {
  readonly status: number
  readonly text: string
  readonly problem: string | null
  readonly title: string | null
  readonly replayed: boolean
  readonly retryAfter: string | null
}

async function said(response: Response): Promise<Said> {
  const text = await response.text()
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') ?? false
  const document = isProblem ? (JSON.parse(text) as { type: string; title: string }) : null
  return {
    status: response.status,
    text,
    problem: document?.type.split('/problems/')[1] ?? null,
    title: document?.title ?? null,
    replayed: response.headers.get('idempotency-replayed') === 'true',
    retryAfter: response.headers.get('retry-after'),
  }
}

/** Creates a function that calls an operation; a string body is sent as it is. */
const sending =
  (stage: Stage, id: string) =>
  async (key: string, body: unknown, door = doorsOf(id)[0]!): Promise<Said> =>
    said(
      await stage.client.fetch(door, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
      }),
    )

/** Creates a fixture for one operation, with a sender and a source of inputs. */
async function staged(id: string) {
  const stage = await openStage(house, spends[id]!)
  const send = sending(stage, id)
  const wish = (which: 0 | 1 = 0): Promise<object> => spends[id]!.wish(stage, which)
  const status = registry.find((operation) => operation.id === id)!.status
  const done = async (key: string, body: unknown): Promise<Said> => {
    const answer = await send(key, body)
    assert.equal(answer.status, status, `${id}: ${answer.text}`)
    assert.equal(answer.replayed, false, id)
    return answer
  }
  // All keys of the administrator belong to one organization, so each test needs a new key.
  return { stage, send, wish, done, status, key: newId() }
}

/** Counts the rows added to each table by an action and by the tasks that follow from it. */
async function gained(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const rows = async () =>
    Object.entries(await digestOf(house)).map(([name, text]) => [name, Number.parseInt(text, 10)] as const)
  await atRest(house)
  const before = new Map(await rows())
  await work()
  await atRest(house)
  const gains = (await rows()).map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
  return Object.fromEntries(gains.filter(([name, gain]) => gain !== 0 && name !== 'tasks'))
}

/** Waits until no task is pending, then asserts that the action changes nothing. */
async function still<T>(work: () => Promise<T>): Promise<T> {
  await atRest(house)
  return unchanged(house, work)
}

const claimIs = (stage: Stage, id: string, key: string, change: Sql): Promise<unknown> =>
  house.database.across.query(sql`
    update idempotency_claims set ${change}
    where organization_id = ${stage.organization} and operation = ${id} and key = ${key}`)

/** Serializes the same JSON value differently: member order, white space, numbers with a fraction or an exponent. */
function respelled(value: unknown, form: 'fraction' | 'exponent'): string {
  if (Array.isArray(value)) return `[ ${value.map((entry) => respelled(entry, form)).join(' , ')} ]`
  if (typeof value === 'number' && Number.isInteger(value)) {
    return form === 'fraction' ? `${value}.0` : value.toExponential()
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).toReversed()
  return `{\n${members.map(([name, member]) => `  ${JSON.stringify(name)} : ${respelled(member, form)}`).join(',\n')}\n}`
}

test('every implemented operation that accepts an idempotency key has an example', (t) => {
  assert.deepEqual(
    answered.filter((id) => !Object.hasOwn(spends, id)),
    [],
    'give an example in test/contract/examples/spend.ts',
  )
  for (const { id } of idempotent.filter((operation) => !operation.answered)) t.diagnostic(`not implemented yet: ${id}`)
})

/** Repeats a call while the first one is in flight; returns the response and the number of retries. */
async function persistent(send: () => Promise<Said>): Promise<{ answer: Said; inFlight: number }> {
  for (let inFlight = 0; inFlight < 60; inFlight++) {
    const answer = await send()
    if (answer.problem !== 'idempotency-in-flight') return { answer, inFlight }
    assert.equal(answer.status, 409)
    assert.ok(Number(answer.retryAfter) >= 1, 'Retry-After')
    await pause(500)
  }
  throw new Error('the first call did not finish within half a minute')
}

test('one key can be used for every operation of an organization independently, at the processor too', async () => {
  const own = answered.filter((id) => !spends[id]!.caller)
  const stage = await openStage(house, spends[own[0]!]!)
  const key = newId()
  for (const id of own) {
    const answer = await sending(stage, id)(key, await spends[id]!.wish(stage, 0))
    assert.ok(answer.status < 300 && !answer.replayed, `${id}: ${answer.text}`)
  }
  await atRest(house)
  await assertBooks(house)
})

for (const id of answered) {
  test(`${id}: concurrent equal calls on all routes have one effect and get the same response`, async (t) => {
    const [first, second] = [await staged(id), await staged(id)]
    const alone = await first.wish()
    const clean = await gained(() => first.done(first.key, alone))
    assert.ok(
      Object.keys(clean).some((name) => name !== 'idempotency_claims'),
      `${id} has an effect`,
    )
    const body = await second.wish()
    const doors = doorsOf(id)
    const sent: { answer: Said; inFlight: number }[] = []
    const together = await gained(async () => {
      const calls = Array.from({ length: 8 }, (_, index) =>
        persistent(() => second.send(second.key, body, doors[index % doors.length])),
      )
      sent.push(...(await Promise.all(calls)))
    })
    const told = sent.map(({ answer }) => answer)
    assert.deepEqual([...new Set(told.map(({ status }) => status))], [first.status], told[0]!.text)
    assert.equal(new Set(told.map(({ text }) => text)).size, 1)
    assert.equal(told.filter(({ replayed }) => !replayed).length, 1)
    assert.deepEqual(together, clean)
    const waits = sent.reduce((sum, { inFlight }) => sum + inFlight, 0)
    if (waits > 0) t.diagnostic(`${waits} retries while a call was in flight`)
    await assertBooks(house)
  })

  test(`${id}: another serialization is replayed, another body returns 409, and neither changes anything`, async () => {
    const { send, wish, done, key } = await staged(id)
    const [body, other] = [await wish(0), await wish(1)]
    const first = await done(key, body)
    for (const text of [respelled(body, 'fraction'), respelled(body, 'exponent'), JSON.stringify(body, null, '\t')]) {
      const again = await still(() => send(key, text))
      assert.deepEqual(again, { ...first, replayed: true })
    }
    const conflict = await still(() => send(key, other))
    assert.deepEqual([conflict.status, conflict.problem], [409, 'idempotency-conflict'])
    assert.equal(conflict.title, 'Idempotency-Key conflict')
  })

  test(`${id}: the key is independent of other operations and organizations`, async () => {
    const { stage, wish, done, key } = await staged(id)
    await done(key, await wish())
    const elsewhere = id === 'orders.cancel' ? 'orders.archive.place' : 'orders.cancel'
    const input = id === 'orders.cancel' ? { captures: [] } : { order_id: newId() }
    const answer = await still(() => sending(stage, elsewhere)(key, input))
    assert.equal(answer.status, id === 'orders.cancel' ? 422 : 404, answer.text)
    if (spends[id]!.caller) return
    const others = await staged(id)
    await others.done(key, await others.wish())
  })

  test(`${id}: the key expires after 24 hours of database time`, async () => {
    const { stage, send, wish, done, status, key } = await staged(id)
    const [body, other] = [await wish(0), await wish(1)]
    const first = await done(key, body)
    const age = (text: string): Promise<unknown> =>
      claimIs(stage, id, key, sql`created_at = statement_timestamp() - ${text}::interval`)
    await age('23 hours 59 minutes')
    assert.deepEqual(await still(() => send(key, body)), { ...first, replayed: true })
    assert.equal((await still(() => send(key, other))).problem, 'idempotency-conflict')
    await age('24 hours 1 minute')
    const again = await send(key, other)
    assert.notEqual(again.problem, 'idempotency-conflict')
    assert.equal(again.replayed, false)
    // The second input of this operation names another organization and is refused.
    if (id !== 'billing.run_monthly_for_org') assert.equal(again.status, status, again.text)
  })

  test(`${id}: a refusal without effect leaves the key unused`, async () => {
    const { stage, send, wish, done, key } = await staged(id)
    const body = await wish()
    const { missing } = spends[id]!
    const without = { name: 'without', permissions: ['eulas:write'] }
    const { key: noScope } = await stage.client.call<{ key: string }>('api_keys.create', without)
    const as = async (token: string): Promise<Said> =>
      said(
        await fetch(`${house.url}${doorsOf(id)[0]}`, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
        }),
      )
    const refused = await still(async () => [
      await as('nobody'),
      await as(noScope),
      await send(key, '{"broken":'),
      await send(key, { ...body, surprise: true }),
      ...(missing ? [await send(key, missing(stage))] : []),
    ])
    assert.deepEqual(
      refused.map(({ status }) => status),
      [401, 403, 400, 422, ...(missing ? [404] : [])],
      JSON.stringify(refused),
    )
    await done(key, body)
  })

  test(`${id}: a retry after the holder of the claim died resumes from its recovery point without a second effect`, async () => {
    const { stage, send, wish, done, key } = await staged(id)
    const body = await wish()
    const first = await done(key, body)
    await atRest(house)
    const died = sql`response = null, recovery_point = 'reserved', locked_at = statement_timestamp()`
    await claimIs(stage, id, key, died)
    const busy = await still(() => send(key, body))
    assert.deepEqual([busy.problem, Number(busy.retryAfter) >= 1], ['idempotency-in-flight', true])
    const waysBack = [
      () => claimIs(stage, id, key, sql`locked_at = statement_timestamp() - interval '16 seconds'`),
      () => freeAbandonedClaims(house.database.across),
    ]
    for (const back of waysBack) {
      await claimIs(stage, id, key, died)
      await back()
      let again: Said | null = null
      const gains = await gained(async () => {
        again = await send(key, body)
      })
      assert.deepEqual(again, first)
      assert.deepEqual(gains, {})
      assert.deepEqual(await still(() => send(key, body)), { ...first, replayed: true })
    }
    await assertBooks(house)
  })

  test(`${id}: a key of 1 to 255 header characters is accepted, others return 400`, async () => {
    const { send, wish, done } = await staged(id)
    const body = await wish()
    for (const key of ['', 'x'.repeat(256)]) {
      const refused = await still(() => send(key, body))
      assert.deepEqual([refused.status, refused.problem], [400, 'malformed'])
    }
    const keys = ['1', 'x'.repeat(255), 'é\u00ff "{}" ;,=\t\\ %00', "'; drop table idempotency_claims; --"]
    for (const key of id === 'billing.run_monthly_for_org' ? keys.slice(0, 1) : keys) {
      const mine = await wish()
      const first = await done(key, mine)
      assert.deepEqual(await still(() => send(key, mine)), { ...first, replayed: true })
    }
  })
}
