import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { openTestServices } from '../../../test/test-services.ts'
import {
  cardAuthorisationLifecycle,
  pendingCardAuthorisationStates,
  type CardAuthorisationState,
  type CardAuthorisationTransitionName,
} from './authorisation-lifecycle.ts'
import { attachCardAuthorisationToHold } from './authorise-card.ts'
import {
  findCardAuthorisation,
  updateCardAuthorisationState,
  type CardAuthorisationRow,
} from './store.authorisations.ts'

const { states, terminal, transitions } = cardAuthorisationLifecycle
const transitionNames = Object.keys(transitions) as CardAuthorisationTransitionName[]

let app: Awaited<ReturnType<typeof openTestServices>>
let fixture: Awaited<ReturnType<typeof app.createOrganization>>
const card = newId()
before(async () => {
  app = await openTestServices()
  fixture = await app.createOrganization()
  const { organization, owner } = fixture
  await owner.db.query(sql`
    insert into payment_methods (organization_id, id, env, payment_method_id, kind, is_default, created_by, created_at)
    values (${organization}, ${card}, 'embedded', 'pm_card_good', 'card', false, 'test', ${owner.clock.now()})`)
})
after(() => app?.close())

const find = async (id: string): Promise<CardAuthorisationRow> =>
  (await findCardAuthorisation(fixture.owner.db, fixture.organization, id))!

async function createAuthorisationIn(state: CardAuthorisationState): Promise<CardAuthorisationRow> {
  const { organization, owner } = fixture
  const id = newId()
  const now = owner.clock.now()
  await owner.db.query(sql`
    insert into card_authorisations (organization_id, id, payment_method_id, amount_credits, reference_type, reference_id,
                                     state, intent, created_at, updated_at)
    values (${organization}, ${id}, ${card}, 1000, 'order', ${newId()}, ${state}, 'pi_first', ${now}, ${now})`)
  return find(id)
}

const transition = (
  id: string,
  name: CardAuthorisationTransitionName,
  change = {},
): Promise<CardAuthorisationRow | null> =>
  updateCardAuthorisationState(fixture.owner.db, {
    organization: fixture.organization,
    id,
    name,
    change,
    at: fixture.owner.clock.now(),
  })

test('the lifecycle reaches every state and has no transition out of a terminal one', () => {
  const rows = Object.values(transitions)
  const left = new Set(rows.flatMap(({ from }) => from ?? []))
  assert.deepEqual([...new Set(rows.map(({ to }) => to))].sort(), [...states].sort())
  assert.deepEqual(states.filter((state) => !left.has(state)).sort(), [...terminal].sort())
})

test('an authorisation allows exactly the transitions of the table, and a refused one writes nothing', async () => {
  for (const state of states) {
    for (const name of transitionNames) {
      const { from, to } = transitions[name]
      const before = await createAuthorisationIn(state)
      const isAllowed = from?.includes(state) ?? false
      const row = await transition(before.id, name, { intent: 'pi_second' })
      const expected = isAllowed ? { ...before, state: to, intent: 'pi_second' } : before
      assert.equal(row !== null, isAllowed, `${name} from ${state}`)
      assert.deepEqual(await find(before.id), expected, `${name} from ${state}`)
    }
  }
})

type Exclusive = readonly [CardAuthorisationState, CardAuthorisationTransitionName, CardAuthorisationTransitionName]

test('of two concurrent transitions that exclude each other one succeeds, whichever comes first', async () => {
  const exclusive: readonly Exclusive[] = [
    ['starting', 'attach_to_hold', 'abandon'],
    ['starting', 'abandon', 'attach_to_hold'],
    ['authorised', 'capture', 'release'],
    ['capturing', 'confirm_capture', 'confirm_void'],
  ]
  for (const [state, one, other] of exclusive) {
    const { id } = await createAuthorisationIn(state)
    const rows = await Promise.all([transition(id, one), transition(id, other)])
    assert.equal(rows.filter((row) => row !== null).length, 1, `${one} and ${other}`)
    assert.equal((await find(id)).state, transitions[rows[0] ? one : other].to)
  }
})

// In the opposite order both are allowed, and a connection pool does not keep the order of concurrent statements.
test('a transition out of a state refuses the later one that needs that state', async () => {
  const exclusive: readonly Exclusive[] = [
    ['action', 'abandon', 'confirm'],
    ['authorised', 'release', 'reauthorise'],
  ]
  for (const [state, first, second] of exclusive) {
    const { id } = await createAuthorisationIn(state)
    assert.ok(await transition(id, first), first)
    assert.equal(await transition(id, second), null, second)
    assert.equal((await find(id)).state, transitions[first].to)
  }
})

test('a hold cannot use an authorisation that is no longer pending: payment-declined with the code expired', async () => {
  const { owner } = fixture
  for (const state of states) {
    if (pendingCardAuthorisationStates.includes(state)) continue
    const row = await createAuthorisationIn(state)
    await assert.rejects(
      owner.transaction((tx) => attachCardAuthorisationToHold(tx, owner, row.id, newId())),
      (error: { problem: string; extra: Record<string, unknown> }) => {
        assert.deepEqual([error.problem, error.extra['decline_code']], ['payment-declined', 'expired'])
        return true
      },
    )
    assert.deepEqual(await find(row.id), row)
  }
})
