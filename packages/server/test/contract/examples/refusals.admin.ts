import { newId } from '../../../src/platform/ids.ts'
import { createTestOrganization } from '../../test-organizations.ts'
import type { TestApp } from '../../test-app.ts'
import type { Refusal } from './refusal-fixture.ts'

const reason = 'refused'
const as = 'administrator'

const unknownOrganization: Refusal = {
  as,
  problem: 'not-found',
  input: () => ({ organization_id: newId(), reason }),
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
