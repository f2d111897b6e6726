import { findCurrentSession, storePasskey } from '../accounts/personal-ids.ts'
import type { ChargeExplanation } from '@swath/contract/schemas/ledger.ts'
import { saveCard, updateBillingPlan } from '../billing-helpers.ts'
import { square } from '../geometries.ts'
import { placeSceneOrder, waitForOrder } from '../orders.ts'
import { newId } from '../../src/platform/ids.ts'
import { createScimToken, inviteSomebody, type TestOrganization } from '../test-organizations.ts'
import type { TestApp } from '../test-app.ts'
import { writeExamples } from './examples/writes.ts'
import { createContractFixtures, type ContractFixtures } from './fixtures.ts'

/** An entity of every kind that a field of an operation may name. */
export interface TenantFixtures extends ContractFixtures {
  readonly entities: Entities
}

/** Creates them in an organization of their own, or in a project of one that exists. */
export async function createTenantFixtures(app: TestApp, organization?: TestOrganization): Promise<TenantFixtures> {
  const fixtures = await createContractFixtures(app, organization)
  return { ...fixtures, entities: await createEntities(fixtures) }
}

export type Entities = Awaited<ReturnType<typeof createEntities>>

async function createEntities(fixtures: ContractFixtures) {
  const { app, client, captures, item: item_id } = fixtures
  const purchases = await makePurchases(fixtures)
  const decisions = await requestDecisions(fixtures)
  const { id: key } = await client.call('api_keys.create', { name: 'Some key' })
  const invitation = await inviteSomebody(fixtures)
  const supportAccess = await requestSupportAccess(fixtures)
  const scimToken = await createScimToken(fixtures)
  const session = await findCurrentSession(fixtures)
  const passkey = await storePasskey(app, fixtures)
  const { quote_id: quote } = await client.call<{ quote_id: string }>('orders.quote', { captures })
  const { id: token } = await client.call<{ id: string }>('items.tile.token.create', { item_id })
  return { purchases, decisions, key, invitation, supportAccess, scimToken, session, passkey, quote, token }
}

/** An operator has one request at a time in an organization. */
async function requestSupportAccess({ client, admin, organization }: ContractFixtures): Promise<string> {
  const pending = await client.call('organizations.support_access.list', { state: 'requested' })
  const [former] = pending.support_accesses
  if (former) return former.id
  const input = { organization_id: organization, reason: 'a question' }
  return (await admin.call<{ id: string }>('admin.support_access.request', input)).id
}

interface Purchases {
  readonly hold: string
  readonly transaction: string
  readonly card: string
  readonly topup: string
  readonly commitment: string
}

async function makePurchases({ app, client, organization, project, admin }: ContractFixtures): Promise<Purchases> {
  const order_id = await placeSceneOrder(client, 'commercial', ['naip-va-17n'], project)
  await waitForOrder(client, order_id, 'FULFILLED')
  const visibleCount = await client.call<ChargeExplanation>('billing.charge.explain', { order_id })
  const card = await saveCard(client)
  const { id: topup } = await client.call('billing.topup', { credits: 500 })
  await updateBillingPlan(app, organization, 'enterprise')
  const commitmentInput = writeExamples['admin.commitments.create']!({ organization } as ContractFixtures)
  const { commitment } = await admin.call<{ commitment: { id: string } }>('admin.commitments.create', {
    ...commitmentInput,
    name: newId(),
  })
  await updateBillingPlan(app, organization, 'prepaid')
  return {
    hold: visibleCount.hold_id!,
    transaction: visibleCount.entries[0]!.id,
    card,
    topup,
    commitment: commitment.id,
  }
}

interface TaskingDecisions {
  readonly order: string
  readonly study: string
  readonly quotation: string
}

/** Places a tasking order with a study and one with a quotation, and answers both. */
async function requestDecisions({ client, organization, admin, project }: ContractFixtures): Promise<TaskingDecisions> {
  const place = async (product: string): Promise<string> => {
    const groups = [{ geometry: square(10, 50, 0.1), dataProduct: `constellation:${product}` }]
    return (await client.call<{ id: string }>('orders.tasking.place', { workspaceId: project, groups })).id
  }
  const target = { organization_id: organization, reason: 'by telephone' }
  const { study } = await admin.call('admin.tasking.study_upload', {
    ...target,
    order_id: await place('tasking-50cm'),
    options: [{ description: 'In spring' }],
  })
  const order = await place('tasking-1m5')
  const { quotation } = await admin.call('admin.tasking.quotation_upload', {
    ...target,
    order_id: order,
    creditsPrice: 700,
  })
  return { order, study: study!.id, quotation: quotation.id }
}
