import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readToken, uuidKey, writeToken } from '../../src/engine/page-token.ts'
import type { Call } from '../../src/engine/call.ts'
import { Problem } from '../../src/engine/problem.ts'
import { principalOfKey, principalOfTileTokenRow } from '../../src/domains/identity/principals.ts'
import { findKeyByHash } from '../../src/domains/identity/store.ts'
import { findTileTokenByHash } from '../../src/domains/identity/store.tile-tokens.ts'
import { putDeadline } from '../../src/domains/billing/store.deadlines.ts'
import { hold } from '../../src/domains/ledger/holds.ts'
import { grant } from '../../src/domains/ledger/ledger.ts'
import { schedules } from '../../src/domains/schedules.ts'
import { hashOfTileToken, parseApiKey } from '../../src/platform/crypto/secrets.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import { deliver } from '../holdings.ts'
import { openUploads, type Uploads } from '../uploads.ts'

const day_ms = 86_400_000

let ground: Uploads
before(async () => {
  ground = await openUploads()
})
after(() => ground?.close())

/** The result of a call, or the name of its problem. */
const outcomeOf = async (work: () => Promise<unknown> | unknown): Promise<unknown> => {
  try {
    return (await work()) ?? 'done'
  } catch (error) {
    if (error instanceof Problem) return error.problem
    throw error
  }
}

/** Inserts an order whose host is due to be polled, and one without a due time. */
async function insertOrders({ db, organization }: Call, project: string, now: Date): Promise<void> {
  const ids = [newId(), newId()]
  for (const [index, id] of ids.entries())
    await db.query(sql`
      insert into orders (organization_id, id, project_id, type, display_name, billing_mode, total_credits, groups, status,
                          created_by, ask_at, created_at, updated_at)
      values (${organization}, ${id}, ${project}, 'archive', 'Test', 'WALLET_HOLD', 0, '[]', 'PLACED', 'test',
              ${index === 0 ? new Date(now.getTime() + 3_600_000) : null}, ${now}, ${now})`)
}

/** Creates a free organization with one deadline of every kind; `state` reads the state of each. */
async function makeDeadlines() {
  const { organization, project, owner } = await ground.organize()
  await owner.db.query(sql`update organizations set plan = 'free' where organization_id = ${organization}`)
  const now = owner.clock.now()
  const expires_at = new Date(now.getTime() + 7 * day_ms)
  const { item_id } = await deliver(owner, project)
  const gone = await deliver(owner, project)
  await ground.ask(owner, 'items.delete', { item_id: gone.item_id })
  const upload = await ground.ask<{ id: string }>(owner, 'uploads.initiate', { project_id: project, total_bytes: 10 })
  const reference = () => ({ type: 'test', id: newId() })
  const held = await owner.transaction(async (tx) => {
    await grant(tx, owner, { kind: 'purchase', amount_credits: 500, reference: reference() })
    await grant(tx, owner, { kind: 'purchase', amount_credits: 100, reference: reference(), expires_at })
    const id = await hold(tx, owner, { amount_credits: 7, reference: reference() })
    await putDeadline(tx, organization, 'hold-expiry', id, expires_at)
    return id
  })
  const approval = await ground.ask<{ id: string }>(owner, 'billing.approvals.request', { credits: 1000 })
  const link = await ground.ask<{ token: string }>(owner, 'share.link.create', {
    target_type: 'item',
    target_id: item_id,
    password: 'let me see it',
    expires_at: expires_at.toISOString(),
  })
  const map = await ground.ask<{ token: string }>(owner, 'items.tile.token.create', { item_id })
  const key = await ground.ask<{ key: string }>(owner, 'api_keys.create', {
    name: 'Key',
    expires_in_days: 7,
  })
  await insertOrders(owner, project, now)
  const next = writeToken(owner, {}, [item_id])
  const { payments } = owner.outside
  const customer = await payments.createCustomer({ organization_id: organization, name: 'Test', email: null }, newId())
  const { id: card } = await payments.attach(customer.id, 'pm_card_good')
  const authorized = await payments.charge(
    { customer: customer.id, payment_method: card, amount_cents: 100, capture: 'manual', metadata: {} },
    newId(),
  )
  await ground.bench.once('billing.plan-month-ends')

  const one = async (query: ReturnType<typeof sql>): Promise<unknown> =>
    Object.values((await owner.db.query<Record<string, unknown>>(query))[0] ?? {})[0] ?? null
  const { across } = ground.database
  const state = async (): Promise<Record<string, unknown>> => ({
    item: await outcomeOf(async () => void (await ground.ask(owner, 'items.get', { item_id }))),
    retention: await one(sql`select lifecycle_state from items where id = ${item_id}`),
    purged: await one(sql`select purged_at is not null from items where id = ${gone.item_id}`),
    upload: await one(sql`select status from uploads where id = ${upload.id}`),
    hold: await one(sql`select outcome from credit_hold_resolutions where hold_id = ${held}`),
    lots: await one(
      sql`select count(*) from journal_entries where kind = 'expire' and organization_id = ${organization}`,
    ),
    month: await one(sql`select count(*) from monthly_runs where organization_id = ${organization}`),
    approval: await one(sql`select status from topup_approvals where id = ${approval.id}`),
    tasks: ground.bench.waiting(organization),
    link: await outcomeOf(() =>
      ground.ask(owner, 'share.link.validate', { token: link.token, password: 'let me see it' }).then(() => 'open'),
    ),
    map: principalOfTileTokenRow((await findTileTokenByHash(across, hashOfTileToken(map.token)!))!, ground.clock)?.kind,
    key: principalOfKey((await findKeyByHash(across, parseApiKey(key.key)!.hash))!, ground.clock)?.kind,
    page: await outcomeOf(() => readToken(owner, { next }, [uuidKey])?.length),
    card: (await payments.find(authorized.id)).status,
  })
  return { organization, state }
}

/** The state before any deadline. */
const open = {
  approval: 'pending',
  card: 'requires_capture',
  hold: null,
  item: 'done',
  key: 'api_key',
  link: 'open',
  lots: 0,
  map: 'api_key',
  month: 0,
  page: 1,
  purged: false,
  retention: 'active',
  tasks: [],
  upload: 'initiated',
}

/** The state after all deadlines. */
const due = {
  approval: 'expired',
  card: 'canceled',
  hold: 'expired',
  item: 'gone-retention',
  key: undefined,
  link: 'gone-expired',
  lots: 1,
  map: undefined,
  month: 1,
  page: 'validation',
  purged: true,
  retention: 'expired',
  tasks: ['orders.fulfil', 'orders.fulfil', 'orders.stop', 'uploads.clean'],
  upload: 'expired',
}

test('deadlines of an organization follow its own clock and do not affect other organizations', async () => {
  const ahead = await makeDeadlines()
  const other = await makeDeadlines()
  assert.deepEqual(await ahead.state(), open)
  assert.deepEqual(await other.state(), open)
  ground.clock.advance(40 * day_ms, ahead.organization)
  for (const { task } of schedules) await ground.bench.once(task)
  await ground.payments.deliverEvents()
  assert.deepEqual(await other.state(), open)
  assert.deepEqual(await ahead.state(), due)
})
