import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createClient, type Client } from '@swath/client/client.ts'
import { registry } from '@swath/contract/registry.ts'
import type { ProblemName } from '@swath/contract/problems.ts'
import { problems } from '@swath/contract/problems.ts'
import { newId } from '../../src/platform/ids.ts'
import { assertBooks, unchanged } from '../books.ts'
import { atRest } from '../house-money.ts'
import { bootHouse, hurried, type TestHouse } from '../setup.ts'
import { clientOf, elsewhere, refusalHosts, refusals, setScene, type Caller, type Scene } from './examples/refusals.ts'
import { minimalOf } from './minimal-input.ts'

let house: TestHouse
let scene: Scene
before(async () => {
  house = await bootHouse({ hosts: await refusalHosts(), background: hurried })
  scene = await setScene(house)
})
after(() => house?.close())

/** Implemented operations that change money, members or orders. */
const subjects = registry.filter(
  ({ id, effect, answered }) =>
    answered && effect !== 'read' && /^(admin|billing|orders|organizations|payment_methods)\./.test(id),
)

/** Tables in which the processor records a declined attempt and its events: not ours to undo. */
const ofProcessor = ['processor_intents', 'processor_requests', 'processor_events', 'payment_events']

test('every declared refusal is tested, or listed as one that no call can trigger', () => {
  const declared = subjects.flatMap(({ id, problems: names }) => names.map((name) => `${id} ${name}`))
  const tried = new Set(Object.entries(refusals).flatMap(([id, rows]) => rows.map(({ problem }) => `${id} ${problem}`)))
  assert.deepEqual(
    declared.filter((name) => !tried.has(name) && !Object.hasOwn(elsewhere, name)),
    [],
    'add a row to test/contract/examples/refusals.ts',
  )
  for (const name of Object.keys(elsewhere)) assert.ok(declared.includes(name) && !tried.has(name), name)
})

async function refused(client: Client, id: string, body: unknown, problem: ProblemName, key: string): Promise<void> {
  const response = await client.fetch(`/v1/op/${id}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
  })
  const text = await response.text()
  assert.equal(response.status, problems[problem].status, `${id} ${problem}: ${text}`)
  const document = JSON.parse(text) as { type: string; title: string }
  assert.equal(document.type, `${house.url}/problems/${problem}`, text)
  assert.equal(document.title, problems[problem].title)
}

/** Runs the action and the tasks that follow, and asserts that nothing changed, idempotency claims included. */
const still = async (work: () => Promise<unknown>, but: readonly string[] = []): Promise<void> => {
  await atRest(house)
  await unchanged(
    house,
    async () => {
      await work()
      await atRest(house)
    },
    but,
  )
}

test('unauthenticated, unauthorized, malformed and invalid calls change nothing', async () => {
  const { key: without } = await scene.ours.owner.client.call<{ key: string }>('api_keys.create', {
    name: 'without',
    permissions: ['eulas:write'],
  })
  const nobody = createClient({ base: house.url, token: 'nobody' })
  const narrow = createClient({ base: house.url, token: without })
  // One key for all: none of these calls may claim it.
  const key = newId()
  await still(async () => {
    for (const { id, input, scope } of subjects) {
      const able = await clientOf(scene, scope?.startsWith('admin:') ? 'administrator' : 'owner')
      const body = minimalOf(input) as object
      await refused(nobody, id, body, 'unauthenticated', key)
      await refused(narrow, id, body, 'insufficient-scope', key)
      await refused(able, id, '{"broken":', 'malformed', key)
      await refused(able, id, { ...body, surprise: true }, 'validation', key)
    }
  })
})

/** Refusals that change the state of the others run last. */
const rows = Object.entries(refusals)
  .flatMap(([id, list]) => list.map((row) => ({ id, ...row })))
  .toSorted((left, right) => Number(left.given !== undefined) - Number(right.given !== undefined))

for (const { id, as = 'owner', problem, input, given, records } of rows) {
  const why = records ? `, except ${records.tables.join(', ')}: ${records.reason}` : ''
  test(`${id} called by ${as}: ${problem} changes nothing${why}`, async () => {
    await given?.(scene)
    const client = await clientOf(scene, as satisfies Caller)
    // Signs in before the comparison starts.
    await client.fetch('/v1/op/users.me', { method: 'POST', body: '{}' })
    const body = await input(scene)
    const byCard = problem === 'payment-declined' ? ofProcessor : []
    const key = newId()
    await still(async () => {
      await refused(client, id, body, problem, key)
      await refused(client, id, body, problem, key)
    }, [...byCard, ...(records?.tables ?? [])])
    await assertBooks(house)
  })
}
