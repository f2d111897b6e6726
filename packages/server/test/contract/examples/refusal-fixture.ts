import { createClient, type Client } from '@swath/client/client.ts'
import type { ProblemName } from '@swath/contract/problems.ts'
import { sql } from '../../../src/platform/database/sql.ts'
import { createFaultyHost, smallScenes } from '../../hosts/faulty-host.ts'
import { createTaskingHost } from '../../hosts/tasking-host.ts'
import { saveCard, updateBillingPlan } from '../../billing-helpers.ts'
import {
  findCaptures,
  placeSceneOrder,
  toProductOrder,
  waitForOrder,
  type CaptureInput,
  type ProductOrderInput,
} from '../../orders.ts'
import {
  createTestOrganization,
  createTestUser,
  type TestUser,
  type TestOrganization,
} from '../../test-organizations.ts'
import type { TestApp } from '../../test-app.ts'

/** Organizations, members and entities for every refusal of a call. */
export interface RefusalFixture {
  readonly app: TestApp
  readonly ours: TestOrganization
  readonly theirs: TestOrganization
  /** Without credits, and with a card that is declined. */
  readonly poor: TestOrganization
  /** A member of `ours` in no project, without an administrative role. */
  readonly member: TestUser
  /** A member of `ours` with a spend limit of zero. */
  readonly capped: TestUser
  /** An API key of the owner of `ours` with the scopes of `permissions`. */
  readonly key: Client
  /** Captures of a working host, and of one whose catalogue is unavailable. */
  readonly captures: readonly CaptureInput[]
  readonly unreachable: readonly CaptureInput[]
  /** The same as the order of a data product, in `ours` and in `poor`. */
  readonly productOrder: ProductOrderInput & { readonly workspaceId: string }
  readonly poorProductOrder: ProductOrderInput & { readonly workspaceId: string }
  /** A delivered order of `ours` and of `theirs`. */
  readonly order: string
  readonly theirOrder: string
  readonly card: string
  readonly theirCard: string
  readonly commitment: string
}

export type Caller = 'owner' | 'member' | 'capped' | 'key' | 'poor' | 'theirs' | 'outsider' | 'administrator'

export interface Refusal {
  /** Defaults to the owner of `ours`. */
  readonly as?: Caller
  readonly problem: ProblemName
  input(scene: RefusalFixture): object | Promise<object>
  /** Sets up the state before the call. */
  readonly prepare?: (scene: RefusalFixture) => Promise<unknown>
  /** Tables that record a declined card, beside the tables of the processor; with the reason. */
  readonly records?: { readonly tables: readonly string[]; readonly reason: string }
}

/** The hosts of the refusals. */
export const createRefusalHosts = async () => [
  await createFaultyHost('good'),
  await createFaultyHost('down', { catalog: 'fail' }),
  await createTaskingHost('sky'),
]

const [scene] = smallScenes
const permissions = ['orders:write', 'organizations:write', 'billing:write']

export async function createRefusalFixture(app: TestApp): Promise<RefusalFixture> {
  const [ours, theirs, poor] = [
    await createTestOrganization(app, 100_000),
    await createTestOrganization(app, 100_000),
    await createTestOrganization(app, 0),
  ]
  const [owner, stranger] = [ours.owner.client, theirs.owner.client]
  const { key } = await owner.call<{ key: string }>('api_keys.create', { name: 'refused', permissions })
  const captures = await findCaptures(owner, 'good', [scene])
  const productOrder = await toProductOrder(owner, captures[0]!)
  const [order, theirOrder] = [
    await placeSceneOrder(owner, 'good', [scene]),
    await placeSceneOrder(stranger, 'good', [scene]),
  ]
  await waitForOrder(owner, order, 'FULFILLED')
  await waitForOrder(stranger, theirOrder, 'FULFILLED')
  await saveCard(poor.owner.client, 'pm_card_declined')
  const capped = await ours.addMember('admin')
  await owner.call('organizations.members.set_spend_limit', { userId: capped.user, spendLimitCredits: 0 })
  await owner.call('projects.add_member', { project_id: ours.project, user_id: capped.user, role: 'editor' })
  return {
    app,
    ours,
    theirs,
    poor,
    member: await ours.addMember('member'),
    capped,
    key: createClient({ baseUrl: app.url, token: key }),
    captures,
    productOrder: { ...productOrder, workspaceId: ours.project },
    poorProductOrder: { ...productOrder, workspaceId: poor.project },
    unreachable: captures.map((capture) => ({ ...capture, host: 'down' })),
    order,
    theirOrder,
    card: await saveCard(owner),
    theirCard: await saveCard(stranger),
    commitment: await createCommitment(app, ours.organization),
  }
}

export const commitmentDefaults = {
  name: 'Refused',
  period_start: '2026-01-01T00:00:00Z',
  period_end: '2100-01-01T00:00:00Z',
}
export const products = [{ product: 'Photographs', negotiated_rate_aud: '2.1255' }]

async function createCommitment(app: TestApp, organization: string): Promise<string> {
  await updateBillingPlan(app, organization, 'enterprise')
  const commitmentInput = { organization_id: organization, ...commitmentDefaults, committed_aud: 1000, products }
  const org = await app.admin.call<{ commitment: { id: string } }>('admin.commitments.create', commitmentInput)
  return org.commitment.id
}

export async function clientFor(scene: RefusalFixture, caller: Caller): Promise<Client> {
  if (caller === 'outsider') return (await createTestUser(scene.app)).client
  const { ours, theirs, member, capped, key, poor, app } = scene
  const clients = {
    owner: ours.owner.client,
    theirs: theirs.owner.client,
    member: member.client,
    capped: capped.client,
    key,
    poor: poor.owner.client,
    administrator: app.admin,
  }
  return clients[caller]
}

export const setArchived = (app: TestApp, project: string, is_archived: boolean): Promise<unknown> =>
  app.database.unscoped.query(sql`update projects set is_archived = ${is_archived} where id = ${project}`)

export const setStatus = (app: TestApp, organization: string, status: string): Promise<unknown> =>
  app.database.unscoped.query(sql`update organizations set status = ${status} where organization_id = ${organization}`)

/** An operator asks our organization for support access, which the owner refuses. Returns its id. */
export async function refuseSupportAccess({ app, ours }: Pick<RefusalFixture, 'app' | 'ours'>): Promise<string> {
  const { id } = await app.admin.call<{ id: string }>('admin.support_access.request', {
    organization_id: ours.organization,
    reason: 'refused',
  })
  await ours.owner.client.call('organizations.support_access.refuse', { access_id: id })
  return id
}
