import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day_ms } from '@swath/geo/time-units.ts'
import { decodeNextToken, uuidSortKeyPattern, encodeNextToken } from '../../src/engine/page-token.ts'
import type { Call } from '../../src/engine/call.ts'
import { Problem } from '../../src/engine/problem.ts'
import { toApiKeyPrincipal, toTileTokenPrincipal } from '../../src/domains/identity/principals.ts'
import { findApiKeyAuthByHash } from '../../src/domains/identity/store.ts'
import { findTileTokenByHash } from '../../src/domains/identity/tile-tokens/store.tile-tokens.ts'
import { upsertBillingDeadline } from '../../src/domains/ledger/store.deadlines.ts'
import { placeCreditHold } from '../../src/domains/ledger/holds.ts'
import { grantCredits } from '../../src/domains/ledger/ledger.ts'
import { backgroundTaskSchedules } from '../../src/domains/schedules.ts'
import { hashChecksummedToken, parseApiKey } from '../../src/platform/crypto/secrets.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import { deliverItem } from '../test-services.ts'
import { openUploadServices, type UploadServices } from '../upload-services.ts'
import { backgroundTaskTypes } from '../../src/engine/task-types.ts'

let services: UploadServices
before(async () => {
  services = await openUploadServices()
})
after(() => services?.close())

/** The result of a call, or the name of its problem. */
const readOutcome = async (action: () => Promise<unknown> | unknown): Promise<unknown> => {
  try {
    return (await action()) ?? 'done'
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
async function createDeadlines() {
  const { organization, project, owner } = await services.createOrganization()
  await owner.db.query(sql`update organizations set plan = 'free' where organization_id = ${organization}`)
  const now = owner.clock.now()
  const expires_at = new Date(now.getTime() + 7 * day_ms)
  const { item_id } = await deliverItem(owner, project)
  const deletedItem = await deliverItem(owner, project)
  await services.callOperation(owner, 'items.delete', { item_id: deletedItem.item_id })
  const upload = await services.callOperation<{ id: string }>(owner, 'uploads.initiate', {
    project_id: project,
    total_bytes: 10,
  })
  const reference = () => ({ type: 'test', id: newId() })
  const hold_id = await owner.transaction(async (tx) => {
    await grantCredits(tx, owner, { kind: 'purchase', amount_credits: 500, reference: reference() })
    await grantCredits(tx, owner, { kind: 'purchase', amount_credits: 100, reference: reference(), expires_at })
    const id = await placeCreditHold(tx, owner, { amount_credits: 7, reference: reference() })
    await upsertBillingDeadline(tx, { organization, kind: 'hold-expiry', subject: id, due_at: expires_at })
    return id
  })
  const approval = await services.callOperation<{ id: string }>(owner, 'billing.approvals.request', { credits: 1000 })
  const link = await services.callOperation<{ token: string }>(owner, 'share.link.create', {
    target_type: 'item',
    target_id: item_id,
    password: 'let me see it',
    expires_at: expires_at.toISOString(),
  })
  const map = await services.callOperation<{ token: string }>(owner, 'items.tile.token.create', { item_id })
  const key = await services.callOperation<{ key: string }>(owner, 'api_keys.create', {
    name: 'Key',
    expires_in_days: 7,
  })
  await insertOrders(owner, project, now)
  const next = encodeNextToken(owner, {}, [item_id])
  const { payments } = owner.integrations
  const customer = await payments.createCustomer({ organization_id: organization, name: 'Test', email: null }, newId())
  const { id: card } = await payments.attach(customer.id, 'pm_card_good')
  const authorized = await payments.charge(
    { customer: customer.id, payment_method: card, amount_cents: 100, capture: 'manual', metadata: {} },
    newId(),
  )
  await services.taskRunner.runTask(backgroundTaskTypes.scheduleMonthEnds)

  const queryValue = async (query: ReturnType<typeof sql>): Promise<unknown> =>
    Object.values((await owner.db.query<Record<string, unknown>>(query))[0] ?? {})[0] ?? null
  const { unscoped } = services.database
  const state = async (): Promise<Record<string, unknown>> => ({
    item: await readOutcome(async () => void (await services.callOperation(owner, 'items.get', { item_id }))),
    retention: await queryValue(sql`select lifecycle_state from items where id = ${item_id}`),
    purged: await queryValue(sql`select purged_at is not null from items where id = ${deletedItem.item_id}`),
    upload: await queryValue(sql`select status from uploads where id = ${upload.id}`),
    hold: await queryValue(sql`select outcome from credit_hold_resolutions where hold_id = ${hold_id}`),
    lots: await queryValue(
      sql`select count(*) from journal_entries where kind = 'expire' and organization_id = ${organization}`,
    ),
    month: await queryValue(sql`select count(*) from monthly_runs where organization_id = ${organization}`),
    approval: await queryValue(sql`select status from topup_approvals where id = ${approval.id}`),
    // The e-mail about the requested approval is due at once, whatever the time.
    tasks: services.taskRunner.pendingTasks(organization).filter((name) => name !== 'notifications.send-email'),
    link: await readOutcome(() =>
      services
        .callOperation(owner, 'share.link.validate', { token: link.token, password: 'let me see it' })
        .then(() => 'open'),
    ),
    map: toTileTokenPrincipal(
      (await findTileTokenByHash(unscoped, hashChecksummedToken('tile_token', map.token)!))!,
      services.clock,
    )?.kind,
    key: toApiKeyPrincipal((await findApiKeyAuthByHash(unscoped, parseApiKey(key.key)!))!, services.clock)?.kind,
    page: await readOutcome(() => decodeNextToken(owner, { next }, [uuidSortKeyPattern])?.length),
    card: (await payments.find(authorized.id)).status,
  })
  return { organization, state }
}

/** The state before any deadline. */
const stateBefore = {
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
const stateAfter = {
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
  tasks: ['orders.fulfil', 'orders.fulfil', 'orders.stop', 'processing.stop', 'uploads.clean'],
  upload: 'expired',
}

test('deadlines of an organization follow its own clock and do not affect other organizations', async () => {
  const advancedOrganization = await createDeadlines()
  const otherOrganization = await createDeadlines()
  assert.deepEqual(await advancedOrganization.state(), stateBefore)
  assert.deepEqual(await otherOrganization.state(), stateBefore)
  services.clock.advance(40 * day_ms, advancedOrganization.organization)
  for (const { task } of backgroundTaskSchedules) await services.taskRunner.runTask(task)
  await services.payments.deliverEvents()
  assert.deepEqual(await otherOrganization.state(), stateBefore)
  assert.deepEqual(await advancedOrganization.state(), stateAfter)
})
