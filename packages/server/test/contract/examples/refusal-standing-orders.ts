import { sql } from '../../../src/platform/database/sql.ts'
import { newId } from '../../../src/platform/ids.ts'
import { updateBillingPlan } from '../../billing-helpers.ts'
import { smallScenes } from '../../hosts/faulty-host.ts'
import { findCaptures } from '../../orders.ts'
import { proposeScene, saveRestingSearch } from '../../standing-orders.ts'
import { setStatus, type Refusal, type RefusalFixture } from './refusal-fixture.ts'

/** The input of a standing order for a new search of `ours`. */
const createSearchInput = async ({ app, ours }: RefusalFixture, search: { readonly notify?: boolean } = {}) => ({
  saved_search_id: await saveRestingSearch(app, ours.owner.client, {
    name: newId(),
    filters: { bbox: [10, 50, 11, 51] },
    ...search,
  }),
  mode: 'ask',
  max_credits_per_scene: 1,
  max_credits_per_month: 1,
})

/** A new standing order of `ours`, with a change of it. */
async function createStandingInput({ app, ours, captures }: RefusalFixture, change: object = {}) {
  const { standing_order_id } = await proposeScene(app, ours.owner.client, captures[0]!)
  return { standing_order_id, ...change }
}

/** The same in a new project of `ours` that was archived since. */
async function createArchivedStandingInput(fixture: RefusalFixture) {
  const { app, ours } = fixture
  const { id } = await ours.owner.client.call<{ id: string }>('projects.create', { name: newId() })
  const input = await createStandingInput(fixture, { name: 'A' })
  await app.database.unscoped.query(sql`
    update standing_orders set project_id = ${id} where id = ${input.standing_order_id}`)
  await app.database.unscoped.query(sql`update projects set is_archived = true where id = ${id}`)
  return input
}

/** The acceptance of a scene that a new standing order has proposed, or that has another status. */
async function createDecision(
  fixture: RefusalFixture,
  owner: 'ours' | 'poor',
  status: 'proposed' | 'rejected' | 'skipped' = 'proposed',
) {
  const { app } = fixture
  const { client } = fixture[owner].owner
  // Not the scene of the other examples, which is held already.
  const [capture] = await findCaptures(client, 'good', [smallScenes[1]])
  const scene = await proposeScene(app, client, capture!)
  await app.database.unscoped.query(sql`
    update standing_order_scenes set status = ${status} where standing_order_id = ${scene.standing_order_id}`)
  return { ...scene, decision: 'ACCEPTED' }
}

/** The refusals of standing orders, by operation id. */
export const standingOrderRefusals: Readonly<Record<string, readonly Refusal[]>> = {
  'orders.standing.create': [
    { as: 'key', problem: 'user-required', input: (fixture) => createSearchInput(fixture) },
    { as: 'theirs', problem: 'not-found', input: (fixture) => createSearchInput(fixture) },
    { as: 'member', problem: 'not-a-member', input: (fixture) => createSearchInput(fixture) },
    { problem: 'invalid-state', input: (fixture) => createSearchInput(fixture, { notify: false }) },
    {
      problem: 'spend-limit-exceeded',
      input: async (fixture) => ({ ...(await createSearchInput(fixture)), max_credits: 0 }),
    },
  ],
  'orders.standing.update': [
    { as: 'key', problem: 'user-required', input: (fixture) => createStandingInput(fixture, { name: 'A' }) },
    { as: 'theirs', problem: 'not-found', input: (fixture) => createStandingInput(fixture, { name: 'A' }) },
    { as: 'member', problem: 'not-a-member', input: (fixture) => createStandingInput(fixture, { name: 'A' }) },
    { as: 'capped', problem: 'forbidden', input: (fixture) => createStandingInput(fixture, { name: 'A' }) },
    { problem: 'invalid-state', input: createArchivedStandingInput },
  ],
  'orders.standing.delete': [
    { as: 'theirs', problem: 'not-found', input: (fixture) => createStandingInput(fixture) },
    { as: 'member', problem: 'not-a-member', input: (fixture) => createStandingInput(fixture) },
  ],
  'orders.standing.decide': [
    { as: 'key', problem: 'user-required', input: (fixture) => createDecision(fixture, 'ours') },
    { as: 'theirs', problem: 'not-found', input: (fixture) => createDecision(fixture, 'ours') },
    { as: 'member', problem: 'not-a-member', input: (fixture) => createDecision(fixture, 'ours') },
    { problem: 'invalid-state', input: (fixture) => createDecision(fixture, 'ours', 'skipped') },
    { problem: 'already-decided', input: (fixture) => createDecision(fixture, 'ours', 'rejected') },
    { as: 'capped', problem: 'spend-limit-exceeded', input: (fixture) => createDecision(fixture, 'ours') },
    { as: 'poor', problem: 'payment-declined', input: (fixture) => createDecision(fixture, 'poor') },
    {
      as: 'poor',
      problem: 'insufficient-credits',
      prepare: async ({ app, poor: { organization } }) => {
        await setStatus(app, organization, 'active')
        await updateBillingPlan(app, organization, 'prepaid')
      },
      input: (fixture) => createDecision(fixture, 'poor'),
    },
    {
      as: 'poor',
      problem: 'past-due',
      prepare: ({ app, poor }) => setStatus(app, poor.organization, 'suspended'),
      input: (fixture) => createDecision(fixture, 'poor'),
    },
  ],
}
