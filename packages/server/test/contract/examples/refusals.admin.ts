import { newId } from '../../../src/platform/ids.ts'
import { createTestOrganization } from '../../test-organizations.ts'
import type { TestApp } from '../../test-app.ts'
import { refuseSupportAccess, type Refusal } from './refusal-fixture.ts'

const reason = 'refused'
const as = 'administrator'

const unknownOrganization: Refusal = {
  as,
  problem: 'not-found',
  input: () => ({ organization_id: newId(), reason }),
}

const unknownRoleChange: Refusal = {
  as,
  problem: 'not-found',
  input: () => ({ role_change_id: newId(), reason }),
}

const unknownUser: Refusal = { as, problem: 'not-found', input: () => ({ user_id: newId(), reason }) }

interface Adjustment {
  readonly organization_id: string
  readonly adjustment_id: string
  readonly reason: string
}

async function requestAdjustment(app: TestApp, organization_id: string): Promise<Adjustment> {
  const input = { organization_id, amount_credits: 5, reason }
  const { id } = await app.admin.call<{ id: string }>('admin.credit_adjustments.request', input)
  return { organization_id, adjustment_id: id, reason }
}

/** An adjustment that is requested in another organization than the one that the call names. */
const adjustmentOfAnother: Refusal = {
  as,
  problem: 'not-found',
  input: async ({ app, ours, theirs }) => ({
    ...(await requestAdjustment(app, theirs.organization)),
    organization_id: ours.organization,
  }),
}

const administratorId = async (app: TestApp): Promise<string> =>
  (await app.admin.call<{ user: { id: string } }>('users.me', {})).user.id

interface RateCardDecision {
  readonly rate_card_id: string
  readonly reason: string
}

/** A list price that is requested for a product of one of the hosts. */
async function requestRateCard(app: TestApp): Promise<RateCardDecision> {
  const { content } = await app.admin.call('glossary.data_products.list', {})
  const { title: product } = content.find(({ price }) => price !== null)!
  const card = { product, rate_aud: '4', effective_from: '2100-01-01T00:00:00Z', reason }
  const { id } = await app.admin.call<{ id: string }>('admin.rate_cards.create', card)
  return { rate_card_id: id, reason }
}

const unknownRateCard: Refusal = { as, problem: 'not-found', input: () => ({ rate_card_id: newId(), reason }) }

const decidedRateCard: Refusal = {
  as,
  problem: 'already-decided',
  input: async ({ app }) => {
    const card = await requestRateCard(app)
    await app.admin.call('admin.rate_cards.reject', { ...card })
    return card
  },
}

interface VersionDecision {
  readonly version_id: string
  readonly reason: string
}

/** A version of a data product that another operator has to approve. */
async function requestProductVersion(app: TestApp): Promise<VersionDecision> {
  const { content } = await app.admin.call('glossary.data_products.list', {})
  const { name: data_product_name } = content.find(({ price }) => price !== null)!
  const version = { data_product_name, minimum_km2: 9, effective_from: '2100-01-01T00:00:00Z', reason }
  const { id } = await app.admin.call<{ id: string }>('admin.data_products.versions.create', version)
  return { version_id: id, reason }
}

const unknownVersion: Refusal = { as, problem: 'not-found', input: () => ({ version_id: newId(), reason }) }

const decidedVersion: Refusal = {
  as,
  problem: 'already-decided',
  input: async ({ app }) => {
    const version = await requestProductVersion(app)
    await app.admin.call('admin.data_products.versions.reject', { ...version })
    return version
  },
}

/** Something that is not stuck, and an action that does not exist for its kind. */
const stuckWork = (kind: string, other: string): readonly Refusal[] => [
  {
    as,
    problem: 'not-found',
    input: ({ ours }) => ({ organization_id: ours.organization, kind, work_id: newId(), reason }),
  },
  {
    as,
    problem: 'invalid-state',
    input: ({ ours }) => ({ organization_id: ours.organization, kind: other, work_id: newId(), reason }),
  },
]

/** The refusals of the operations of operators, beside those on money, commitments and tasking. */
export const operatorRefusals: Readonly<Record<string, readonly Refusal[]>> = {
  'admin.credit_adjustments.approve': [
    adjustmentOfAnother,
    {
      as,
      problem: 'forbidden',
      // The operator who requested it.
      input: ({ app, ours }) => requestAdjustment(app, ours.organization),
    },
  ],
  'admin.credit_adjustments.reject': [
    adjustmentOfAnother,
    {
      as,
      problem: 'already-decided',
      input: async ({ app, ours }) => {
        const adjustment = await requestAdjustment(app, ours.organization)
        await app.admin.call('admin.credit_adjustments.reject', adjustment)
        return adjustment
      },
    },
  ],
  'admin.credit_adjustments.request': [
    { as, problem: 'not-found', input: () => ({ organization_id: newId(), amount_credits: 5, reason }) },
  ],
  'admin.dead_letters.retry': [{ as, problem: 'not-found', input: () => ({ dead_letter_id: newId(), reason }) }],
  'admin.feature_flags.set': [
    {
      as,
      problem: 'not-found',
      input: () => ({ flag: 'zarr_conversion', organization_id: newId(), enabled: true, reason }),
    },
  ],
  'admin.orgs.resume': [
    unknownOrganization,
    { as, problem: 'invalid-state', input: ({ ours }) => ({ organization_id: ours.organization, reason }) },
  ],
  'admin.orgs.suspend': [
    unknownOrganization,
    {
      as,
      problem: 'invalid-state',
      input: async ({ app }) => {
        const { organization } = await createTestOrganization(app, 0)
        await app.admin.call('admin.orgs.suspend', { organization_id: organization, reason })
        return { organization_id: organization, reason }
      },
    },
  ],
  'admin.data_products.versions.approve': [
    unknownVersion,
    decidedVersion,
    // The operator who requested it.
    { as, problem: 'forbidden', input: ({ app }) => requestProductVersion(app) },
  ],
  'admin.data_products.versions.create': [
    {
      as,
      problem: 'not-found',
      input: () => ({
        data_product_name: 'unknown',
        is_available: false,
        effective_from: '2100-01-01T00:00:00Z',
        reason,
      }),
    },
  ],
  'admin.data_products.versions.reject': [unknownVersion, decidedVersion],
  'admin.rate_cards.approve': [
    unknownRateCard,
    decidedRateCard,
    // The operator who requested it.
    { as, problem: 'forbidden', input: ({ app }) => requestRateCard(app) },
  ],
  'admin.rate_cards.create': [
    {
      as,
      problem: 'not-found',
      input: () => ({ product: 'Unknown', rate_aud: '4', effective_from: '2100-01-01T00:00:00Z', reason }),
    },
  ],
  'admin.rate_cards.reject': [unknownRateCard, decidedRateCard],
  'admin.stuck_work.cancel': stuckWork('order', 'hold'),
  'admin.stuck_work.release': stuckWork('hold', 'task'),
  'admin.stuck_work.retry': stuckWork('delivery', 'hold'),
  'admin.users.disable': [
    unknownUser,
    { as, problem: 'forbidden', input: async ({ app }) => ({ user_id: await administratorId(app), reason }) },
    {
      as,
      problem: 'invalid-state',
      input: async ({ app }) => {
        const { owner } = await createTestOrganization(app, 0)
        await app.admin.call('admin.users.disable', { user_id: owner.user, reason })
        return { user_id: owner.user, reason }
      },
    },
  ],
  'admin.users.enable': [
    unknownUser,
    { as, problem: 'invalid-state', input: ({ member }) => ({ user_id: member.user, reason }) },
  ],
  'admin.users.set_roles': [
    { as, problem: 'not-found', input: () => ({ user_id: newId(), clip_user: true, reason }) },
    { as, problem: 'invalid-state', input: ({ member }) => ({ user_id: member.user, clip_user: false, reason }) },
  ],
  'admin.role_changes.approve': [unknownRoleChange],
  'admin.role_changes.reject': [unknownRoleChange],
  'admin.support_access.request': [
    unknownOrganization,
    {
      as,
      problem: 'invalid-state',
      input: async ({ app }) => {
        const { organization: organization_id } = await createTestOrganization(app, 0)
        await app.admin.call('admin.support_access.request', { organization_id, reason })
        return { organization_id, reason }
      },
    },
  ],
  'admin.support_access.end': [
    {
      as,
      problem: 'not-found',
      input: async (fixture) => ({
        organization_id: fixture.theirs.organization,
        access_id: await refuseSupportAccess(fixture),
        reason,
      }),
    },
    {
      as,
      problem: 'invalid-state',
      input: async (fixture) => ({
        organization_id: fixture.ours.organization,
        access_id: await refuseSupportAccess(fixture),
        reason,
      }),
    },
  ],
  'admin.users.reset_second_factor': [
    unknownUser,
    { as, problem: 'invalid-state', input: ({ member }) => ({ user_id: member.user, reason }) },
  ],
  'admin.users.impersonate': [
    {
      as,
      problem: 'not-found',
      input: ({ ours, theirs }) => ({ organization_id: ours.organization, user_id: theirs.owner.user, reason }),
    },
    {
      as,
      problem: 'forbidden',
      input: async ({ app }) => {
        const { user, organization } = await app.admin.call<{ user: { id: string }; organization: { id: string } }>(
          'users.me',
          {},
        )
        return { organization_id: organization.id, user_id: user.id, reason }
      },
    },
  ],
}
