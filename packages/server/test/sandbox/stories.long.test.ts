import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertLedgerConsistent } from '../ledger-assertions.ts'
import { expectedStates, readReachedStates, unreachableStates } from './reached.ts'
import { listStories, readStory, runStory } from './story-runner.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app?.close())

/** The states that the stories have reached, each as "lifecycle state". */
const reached = new Set<string>()

for (const name of listStories()) {
  test(`the story ${name} happens as it is told`, async () => {
    const steps = readStory(name)
    assert.ok(steps.length > 1)
    await runStory(app, steps, async ({ organization, client }) => {
      for (const state of await readReachedStates(app, organization)) reached.add(state)
      const { billing_status } = await client.call('billing.status.get', { organization_id: organization })
      reached.add(`account ${billing_status.status}`)
    })
  })
}

test('the stories reach every state and every event of orders, tasking, billing and retention', () => {
  const expected = Object.entries(expectedStates).flatMap(([lifecycle, states]) =>
    states.map((state) => `${lifecycle} ${state}`),
  )
  const missing = expected.filter((state) => !reached.has(state))
  assert.deepEqual(missing.toSorted(), Object.keys(unreachableStates).toSorted())
})

test('the journal of all stories verifies', () => assertLedgerConsistent(app))
