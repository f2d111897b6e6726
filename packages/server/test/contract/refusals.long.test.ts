import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createClient, type Client } from '@swath/client/client.ts'
import { operationRegistry } from '@swath/contract/registry.ts'
import type { ProblemName } from '@swath/contract/problems.ts'
import { problemFields } from '@swath/contract/problem-fields.ts'
import { problems } from '@swath/contract/problems.ts'
import { Value } from 'typebox/value'
import { newId } from '../../src/platform/ids.ts'
import { assertLedgerConsistent, assertUnchanged } from '../ledger-assertions.ts'
import { waitUntilIdle } from '../billing-helpers.ts'
import { startTestApp, immediateRetries, type TestApp } from '../test-app.ts'
import { omittedRefusals } from './examples/omitted-refusals.ts'
import {
  clientFor,
  createRefusalHosts,
  createRefusalFixture,
  type Caller,
  type RefusalFixture,
} from './examples/refusal-fixture.ts'
import { refusals as otherRefusals } from './examples/refusals.ts'
import { standingOrderRefusals } from './examples/refusal-standing-orders.ts'
import { createMinimalValue } from './minimal-input.ts'
import { listTestFiles } from './test-files.ts'

const refusals = { ...otherRefusals, ...standingOrderRefusals }

let app: TestApp
let fixture: RefusalFixture
before(async () => {
  app = await startTestApp({
    hosts: await createRefusalHosts(),
    background: immediateRetries,
    // Every operation is called with an unknown token.
    environment: { RATE_LIMIT_SIGN_INS: '0' },
  })
  fixture = await createRefusalFixture(app)
})
after(() => app?.close())

/** Operations that change money, members or orders. */
const operations = operationRegistry.filter(
  ({ id, effect }) => effect !== 'read' && /^(admin|billing|orders|organizations|payment_methods)\./.test(id),
)

/** Tables in which the processor records a declined attempt and its events: not ours to undo. */
const processorTables = ['processor_intents', 'processor_requests', 'processor_events', 'payment_events']

test('every declared refusal has an example here, or is omitted with the file that tests it', async () => {
  const declared = operations.flatMap(({ id, problems: names }) => names.map((name) => `${id} ${name}`))
  const tried = new Set(
    Object.entries(refusals).flatMap(([id, refusalCases]) => refusalCases.map(({ problem }) => `${id} ${problem}`)),
  )
  assert.deepEqual(
    declared.filter((name) => !tried.has(name) && !Object.hasOwn(omittedRefusals, name)),
    [],
    'add a row to packages/server/test/contract/examples/refusals.ts',
  )
  const testFiles = await listTestFiles()
  for (const [name, { test: file }] of Object.entries(omittedRefusals)) {
    assert.ok(declared.includes(name) && !tried.has(name), `${name} is not omitted: remove its row`)
    assert.ok(file === null || testFiles.has(file), `${name}: there is no test file ${file}`)
  }
})

async function assertRefused(
  client: Client,
  {
    id,
    body,
    problem,
    key,
  }: { readonly id: string; readonly body: unknown; readonly problem: ProblemName; readonly key: string },
): Promise<void> {
  const response = await client.fetch(`/v1/op/${id}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
  })
  const text = await response.text()
  assert.equal(response.status, problems[problem].status, `${id} ${problem}: ${text}`)
  const document = JSON.parse(text) as { type: string; title: string }
  assert.equal(document.type, `${app.url}/problems/${problem}`, text)
  assert.equal(document.title, problems[problem].title)
  assertKnownFields(problem, document)
}

const commonFields = ['type', 'title', 'status', 'detail', 'errors', 'trace_id']

/** The client has the fields of the contract as members of its errors. */
function assertKnownFields(problem: ProblemName, document: object): void {
  for (const [name, value] of Object.entries(document)) {
    if (commonFields.includes(name)) continue
    const schema = problemFields[problem]?.[name]
    assert.ok(schema, `add the field ${name} of ${problem} to packages/contract/src/problem-fields.ts`)
    assert.ok(Value.Check(schema, value), `${name} of ${problem}: ${JSON.stringify(value)}`)
  }
}

/** Runs the action and the tasks that follow, and asserts that nothing changed, idempotency claims included. */
const assertUnchangedWhenIdle = async (
  action: () => Promise<unknown>,
  exceptTables: readonly string[] = [],
): Promise<void> => {
  await waitUntilIdle(app)
  await assertUnchanged(
    app,
    async () => {
      await action()
      await waitUntilIdle(app)
    },
    { exceptTables },
  )
}

test('unauthenticated, unauthorized, malformed and invalid calls change nothing', async () => {
  const { key: unscopedKey } = await fixture.ours.owner.client.call<{ key: string }>('api_keys.create', {
    name: 'without',
    permissions: ['eulas:write'],
  })
  const unauthenticated = createClient({ baseUrl: app.url, token: 'nobody' })
  const underprivileged = createClient({ baseUrl: app.url, token: unscopedKey })
  // One key for all: none of these calls may claim it.
  const key = newId()
  await assertUnchangedWhenIdle(async () => {
    for (const { id, input, scope } of operations) {
      const authorized = await clientFor(fixture, scope?.startsWith('admin:') ? 'administrator' : 'owner')
      const body = createMinimalValue(input) as object
      await assertRefused(unauthenticated, { id, body, problem: 'unauthenticated', key })
      await assertRefused(underprivileged, { id, body, problem: 'insufficient-scope', key })
      await assertRefused(authorized, { id, body: '{"broken":', problem: 'malformed', key })
      await assertRefused(authorized, { id, body: { ...body, surprise: true }, problem: 'validation', key })
    }
  })
})

/** Refusals that change the state of the others run last. */
const refusalCases = Object.entries(refusals)
  .flatMap(([id, list]) => list.map((row) => ({ id, ...row })))
  .toSorted((left, right) => Number(left.prepare !== undefined) - Number(right.prepare !== undefined))

for (const { id, as = 'owner', problem, input, prepare, records } of refusalCases) {
  const exception = records ? `, except ${records.tables.join(', ')}: ${records.reason}` : ''
  test(`${id} called by ${as}: ${problem} changes nothing${exception}`, async () => {
    await prepare?.(fixture)
    const client = await clientFor(fixture, as satisfies Caller)
    // Signs in before the comparison starts.
    await client.fetch('/v1/op/users.me', { method: 'POST', body: '{}' })
    const body = await input(fixture)
    const cardTables = problem === 'payment-declined' ? processorTables : []
    const key = newId()
    await assertUnchangedWhenIdle(async () => {
      await assertRefused(client, { id, body, problem, key })
      await assertRefused(client, { id, body, problem, key })
    }, [...cardTables, ...(records?.tables ?? [])])
    await assertLedgerConsistent(app)
  })
}
