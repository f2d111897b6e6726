import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { operationRegistry } from '@swath/contract/registry.ts'
import { contractRoutes } from '@swath/contract/routes.ts'
import { releaseAbandonedIdempotencyClaims } from '../../src/engine/store.idempotency.ts'
import { sql, type Sql } from '../../src/platform/database/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import { assertLedgerConsistent, digestDatabase, assertUnchanged } from '../ledger-assertions.ts'
import { waitUntilIdle } from '../billing-helpers.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { isTestedCase } from './short-form.ts'
import { createSpendFixture, noRetries, createSpendHosts, spendExamples, type SpendFixture } from './examples/spend.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ hosts: await createSpendHosts(), background: noRetries })
})
after(() => app?.close())

/** Operations whose caller has a token for one call only; `outside-workers.long.test.ts` repeats it. */
const testedElsewhere = new Set(['processing.job.register'])
const idempotentIds = operationRegistry
  .filter(({ id, idempotent }) => idempotent && !testedElsewhere.has(id))
  .map(({ id }) => id)

/** All POST paths of an operation. */
const pathsOf = (id: string): string[] => [
  `/v1/op/${id}`,
  `/v1/${id.replaceAll('.', '/')}`,
  ...contractRoutes.filter((route) => route.operation === id && route.method === 'POST').map((route) => route.path),
]

/** The path with the parameters that the body has, too. */
const fillPath = (path: string, body: unknown): string =>
  path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => String((body as Readonly<Record<string, unknown>>)[name]))

interface CallResponse {
  readonly status: number
  readonly text: string
  readonly problem: string | null
  readonly title: string | null
  readonly replayed: boolean
  readonly retryAfter: string | null
}

async function readResponse(response: Response): Promise<CallResponse> {
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
const createSender =
  (fixture: SpendFixture, id: string) =>
  async (key: string, body: unknown, path = pathsOf(id)[0]!): Promise<CallResponse> =>
    readResponse(
      await fixture.client.fetch(fillPath(path, body), {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
      }),
    )

/** Creates a fixture for one operation, with a sender and a source of inputs. */
async function prepareOperation(id: string) {
  const fixture = await createSpendFixture(app, spendExamples[id]!)
  const send = createSender(fixture, id)
  const createInput = (variant: 0 | 1 = 0): Promise<object> => spendExamples[id]!.createInput(fixture, variant)
  const status = operationRegistry.find((operation) => operation.id === id)!.status
  const sendExpectingSuccess = async (key: string, body: unknown): Promise<CallResponse> => {
    const response = await send(key, body)
    assert.equal(response.status, status, `${id}: ${response.text}`)
    assert.equal(response.replayed, false, id)
    return response
  }
  // All keys of the administrator belong to one organization, so each test needs a new key.
  return { fixture, send, createInput, sendExpectingSuccess, status, key: newId() }
}

/** Counts the rows added to each table by an action and by the tasks that follow from it. */
async function countNewRows(action: () => Promise<unknown>): Promise<Record<string, number>> {
  const rows = async () =>
    Object.entries(await digestDatabase(app)).map(([name, text]) => [name, Number.parseInt(text, 10)] as const)
  await waitUntilIdle(app)
  const before = new Map(await rows())
  await action()
  await waitUntilIdle(app)
  const newRows = (await rows()).map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
  return Object.fromEntries(newRows.filter(([name, gain]) => gain !== 0 && name !== 'tasks'))
}

/** Waits until no task is pending, then asserts that the action changes nothing. */
async function assertUnchangedWhenIdle<T>(action: () => Promise<T>): Promise<T> {
  await waitUntilIdle(app)
  return assertUnchanged(app, action)
}

const updateClaim = (fixture: SpendFixture, id: string, key: string, change: Sql): Promise<unknown> =>
  app.database.unscoped.query(sql`
    update idempotency_claims set ${change}
    where organization_id = ${fixture.organization} and operation = ${id} and key = ${key}`)

/** Serializes the same JSON value differently: member order, white space, numbers with a fraction or an exponent. */
function respell(value: unknown, numberFormat: 'fraction' | 'exponent'): string {
  if (Array.isArray(value)) return `[ ${value.map((entry) => respell(entry, numberFormat)).join(' , ')} ]`
  if (typeof value === 'number' && Number.isInteger(value)) {
    return numberFormat === 'fraction' ? `${value}.0` : value.toExponential()
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).toReversed()
  return `{\n${members.map(([name, member]) => `  ${JSON.stringify(name)} : ${respell(member, numberFormat)}`).join(',\n')}\n}`
}

test('every operation that accepts an idempotency key has an example', () => {
  assert.deepEqual(
    idempotentIds.filter((id) => !Object.hasOwn(spendExamples, id)),
    [],
    'add an example to packages/server/test/contract/examples/spend.ts',
  )
})

/** Repeats a call while the first one is in flight; returns the response and the number of retries. */
async function sendUntilFinished(
  send: () => Promise<CallResponse>,
): Promise<{ answer: CallResponse; inFlight: number }> {
  for (let inFlight = 0; inFlight < 60; inFlight++) {
    const response = await send()
    if (response.problem !== 'idempotency-in-flight') return { answer: response, inFlight }
    assert.equal(response.status, 409)
    assert.ok(Number(response.retryAfter) >= 1, 'Retry-After')
    await pause(500)
  }
  throw new Error('the first call did not finish within half a minute')
}

test('one key can be used for every operation of an organization independently, at the processor too', async () => {
  const organizationOperations = idempotentIds.filter((id) => !spendExamples[id]!.caller)
  const fixture = await createSpendFixture(app, spendExamples[organizationOperations[0]!]!)
  const key = newId()
  for (const id of organizationOperations) {
    const response = await createSender(fixture, id)(key, await spendExamples[id]!.createInput(fixture, 0))
    assert.ok(response.status < 300 && !response.replayed, `${id}: ${response.text}`)
  }
  await waitUntilIdle(app)
  await assertLedgerConsistent(app)
})

for (const [index, id] of idempotentIds.entries()) {
  let properties = 0
  /** The short form tests a third of the properties of each operation, each property with a third of the operations. */
  const testProperty = (name: string, run: (t: TestContext) => Promise<void>): void => {
    if (isTestedCase(index + properties++, 3)) void test(name, run)
  }

  testProperty(`${id}: concurrent equal calls on all routes have one effect and get the same response`, async (t) => {
    const [firstResponse, second] = [await prepareOperation(id), await prepareOperation(id)]
    const firstInput = await firstResponse.createInput()
    const singleCallRows = await countNewRows(() => firstResponse.sendExpectingSuccess(firstResponse.key, firstInput))
    assert.ok(
      Object.keys(singleCallRows).some((name) => name !== 'idempotency_claims'),
      `${id} has an effect`,
    )
    const body = await second.createInput()
    const paths = pathsOf(id)
    const results: { answer: CallResponse; inFlight: number }[] = []
    const concurrentRows = await countNewRows(async () => {
      const calls = Array.from({ length: 8 }, (_, index) =>
        sendUntilFinished(() => second.send(second.key, body, paths[index % paths.length])),
      )
      results.push(...(await Promise.all(calls)))
    })
    const responses = results.map(({ answer: response }) => response)
    assert.deepEqual([...new Set(responses.map(({ status }) => status))], [firstResponse.status], responses[0]!.text)
    assert.equal(new Set(responses.map(({ text }) => text)).size, 1)
    assert.equal(responses.filter(({ replayed }) => !replayed).length, 1)
    assert.deepEqual(concurrentRows, singleCallRows)
    const waits = results.reduce((sum, { inFlight }) => sum + inFlight, 0)
    if (waits > 0) t.diagnostic(`${waits} retries while a call was in flight`)
    await assertLedgerConsistent(app)
  })

  testProperty(
    `${id}: another serialization is replayed, another body returns 409, and neither changes anything`,
    async () => {
      const { send, createInput, sendExpectingSuccess, key } = await prepareOperation(id)
      const [body, otherInput] = [await createInput(0), await createInput(1)]
      const firstResponse = await sendExpectingSuccess(key, body)
      for (const text of [respell(body, 'fraction'), respell(body, 'exponent'), JSON.stringify(body, null, '\t')]) {
        const repeated = await assertUnchangedWhenIdle(() => send(key, text))
        assert.deepEqual(repeated, { ...firstResponse, replayed: true })
      }
      const conflict = await assertUnchangedWhenIdle(() => send(key, otherInput))
      assert.deepEqual([conflict.status, conflict.problem], [409, 'idempotency-conflict'])
      assert.equal(conflict.title, 'Idempotency-Key conflict')
    },
  )

  testProperty(`${id}: the key is independent of other operations and organizations`, async () => {
    const { fixture, createInput, sendExpectingSuccess, key } = await prepareOperation(id)
    await sendExpectingSuccess(key, await createInput())
    const otherOperation = id === 'orders.cancel' ? 'orders.archive.place' : 'orders.cancel'
    const input = id === 'orders.cancel' ? { captures: [] } : { order_id: newId() }
    const response = await assertUnchangedWhenIdle(() => createSender(fixture, otherOperation)(key, input))
    assert.equal(response.status, id === 'orders.cancel' ? 422 : 404, response.text)
    if (spendExamples[id]!.caller) return
    const otherFixture = await prepareOperation(id)
    await otherFixture.sendExpectingSuccess(key, await otherFixture.createInput())
  })

  testProperty(`${id}: the key expires after 24 hours of database time`, async () => {
    const { fixture, send, createInput, sendExpectingSuccess, status, key } = await prepareOperation(id)
    const [body, otherInput] = [await createInput(0), await createInput(1)]
    const firstResponse = await sendExpectingSuccess(key, body)
    const setClaimAge = (text: string): Promise<unknown> =>
      updateClaim(fixture, id, key, sql`created_at = statement_timestamp() - ${text}::interval`)
    await setClaimAge('23 hours 59 minutes')
    assert.deepEqual(await assertUnchangedWhenIdle(() => send(key, body)), { ...firstResponse, replayed: true })
    assert.equal((await assertUnchangedWhenIdle(() => send(key, otherInput))).problem, 'idempotency-conflict')
    await setClaimAge('24 hours 1 minute')
    const repeated = await send(key, otherInput)
    assert.notEqual(repeated.problem, 'idempotency-conflict')
    assert.equal(repeated.replayed, false)
    // The second input of this operation names another organization and is refused.
    if (id !== 'billing.run_monthly_for_org') assert.equal(repeated.status, status, repeated.text)
  })

  testProperty(`${id}: a refusal without effect leaves the key unused`, async () => {
    const { fixture, send, createInput, sendExpectingSuccess, key } = await prepareOperation(id)
    const body = await createInput()
    const { missing } = spendExamples[id]!
    const keyInput = { name: 'without', permissions: ['eulas:write'] }
    const { key: unscopedKey } = await fixture.client.call<{ key: string }>('api_keys.create', keyInput)
    const sendAs = async (token: string): Promise<CallResponse> =>
      readResponse(
        await fetch(`${app.url}${pathsOf(id)[0]}`, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
        }),
      )
    const refused = await assertUnchangedWhenIdle(async () => [
      await sendAs('nobody'),
      await sendAs(unscopedKey),
      await send(key, '{"broken":'),
      await send(key, { ...body, surprise: true }),
      ...(missing ? [await send(key, missing(fixture))] : []),
    ])
    assert.deepEqual(
      refused.map(({ status }) => status),
      [401, 403, 400, 422, ...(missing ? [404] : [])],
      JSON.stringify(refused),
    )
    await sendExpectingSuccess(key, body)
  })

  testProperty(
    `${id}: a retry after the holder of the claim died resumes from its recovery point without a second effect`,
    async () => {
      const { fixture, send, createInput, sendExpectingSuccess, key } = await prepareOperation(id)
      const body = await createInput()
      const firstResponse = await sendExpectingSuccess(key, body)
      await waitUntilIdle(app)
      const abandoned = sql`response = null, recovery_point = 'reserved', locked_at = statement_timestamp()`
      await updateClaim(fixture, id, key, abandoned)
      const busy = await assertUnchangedWhenIdle(() => send(key, body))
      assert.deepEqual([busy.problem, Number(busy.retryAfter) >= 1], ['idempotency-in-flight', true])
      const recoveries = [
        () => updateClaim(fixture, id, key, sql`locked_at = statement_timestamp() - interval '16 seconds'`),
        () => releaseAbandonedIdempotencyClaims(app.database.unscoped),
      ]
      for (const recover of recoveries) {
        await updateClaim(fixture, id, key, abandoned)
        await recover()
        let repeated: CallResponse | null = null
        const newRows = await countNewRows(async () => {
          repeated = await send(key, body)
        })
        assert.deepEqual(repeated, firstResponse)
        assert.deepEqual(newRows, {})
        assert.deepEqual(await assertUnchangedWhenIdle(() => send(key, body)), { ...firstResponse, replayed: true })
      }
      await assertLedgerConsistent(app)
    },
  )

  testProperty(`${id}: a key of 1 to 255 header characters is accepted, others return 400`, async () => {
    const { send, createInput, sendExpectingSuccess } = await prepareOperation(id)
    const body = await createInput()
    for (const key of ['', 'x'.repeat(256)]) {
      const refused = await assertUnchangedWhenIdle(() => send(key, body))
      assert.deepEqual([refused.status, refused.problem], [400, 'malformed'])
    }
    const keys = ['1', 'x'.repeat(255), 'é\u00ff "{}" ;,=\t\\ %00', "'; drop table idempotency_claims; --"]
    for (const key of id === 'billing.run_monthly_for_org' ? keys.slice(0, 1) : keys) {
      const input = await createInput()
      const firstResponse = await sendExpectingSuccess(key, input)
      assert.deepEqual(await assertUnchangedWhenIdle(() => send(key, input)), { ...firstResponse, replayed: true })
    }
  })
}
