import { sql } from '../../../src/platform/database/sql.ts'
import { newId } from '../../../src/platform/ids.ts'
import type { Refusal, RefusalFixture } from './refusal-fixture.ts'

/** Creates an archived project of ours. */
async function createArchivedProject({ ours: { owner } }: RefusalFixture): Promise<string> {
  const { id } = await owner.client.call<{ id: string }>('projects.create', { name: newId() })
  await owner.client.call('projects.archive', { project_id: id })
  return id
}

const address = (): string => `${newId()}@example.org`

/** Invites somebody to an organization, with a role. */
async function invite({ app }: RefusalFixture, owner: RefusalFixture['ours']['owner'], role = 'member') {
  const input = { email: address(), role }
  const { invitation } = await owner.client.call<{ invitation: { id: string } }>(
    'organizations.invitations.create',
    input,
  )
  // Without its e-mail, which would be sent while nothing may change.
  await app.database.unscoped.query(sql`update invitations set sent_at = created_at where id = ${invitation.id}`)
  return { invitation_id: invitation.id }
}

async function inviteAndRevoke(fixture: RefusalFixture) {
  const input = await invite(fixture, fixture.ours.owner)
  await fixture.ours.owner.client.call('organizations.invitations.revoke', input)
  return input
}

/** The refusals of the operations of organizations, members and invitations, by operation id. */
export const organizationRefusals: Readonly<Record<string, readonly Refusal[]>> = {
  'organizations.audit.export': [{ as: 'member', problem: 'forbidden', input: () => ({}) }],
  'organizations.create': [
    {
      as: 'administrator',
      problem: 'invalid-state',
      input: ({ ours }) => ({ name: 'Second', billing_admin_id: ours.owner.user }),
    },
    { as: 'outsider', problem: 'forbidden', input: () => ({ name: 'Large', enterprise_billing: true }) },
    { as: 'key', problem: 'user-required', input: () => ({ name: 'Second' }) },
  ],
  'organizations.delegations.take_over': [
    { problem: 'not-found', input: () => ({ kind: 'webhook', delegation_id: newId() }) },
    {
      problem: 'invalid-state',
      input: async ({ ours }) => {
        const { id } = await ours.owner.client.call<{ id: string }>('api_keys.create', { name: 'in use' })
        return { kind: 'api_key', delegation_id: id }
      },
    },
  ],
  'organizations.delete': [
    { problem: 'not-found', input: ({ theirs }) => ({ organization_id: theirs.organization }) },
    { as: 'member', problem: 'forbidden', input: () => ({}) },
    { as: 'key', problem: 'user-required', input: () => ({}) },
    {
      problem: 'invalid-state',
      prepare: async ({ ours: { owner } }) => {
        await owner.client.call('organizations.delete', {})
      },
      input: () => ({}),
    },
  ],
  'organizations.get': [{ problem: 'not-found', input: ({ theirs }) => ({ organization_id: theirs.organization }) }],
  'organizations.update': [
    { problem: 'not-found', input: ({ theirs }) => ({ organization_id: theirs.organization, name: 'Other' }) },
    { as: 'member', problem: 'forbidden', input: () => ({ name: 'Other' }) },
  ],
  'organizations.restore': [
    { problem: 'not-found', input: ({ theirs }) => ({ organization_id: theirs.organization }) },
    { as: 'member', problem: 'forbidden', input: () => ({}) },
    { as: 'key', problem: 'user-required', input: () => ({}) },
    {
      problem: 'invalid-state',
      prepare: async ({ ours: { owner } }) => {
        await owner.client.call('organizations.restore', {}).catch(() => undefined)
      },
      input: () => ({}),
    },
  ],
  'organizations.members.add': [
    {
      problem: 'not-found',
      input: ({ theirs }) => ({ organization_id: theirs.organization, email: 'a@example.org' }),
    },
    { as: 'member', problem: 'forbidden', input: () => ({ email: 'a@example.org' }) },
    { as: 'key', problem: 'user-required', input: () => ({ email: 'a@example.org' }) },
    { problem: 'name-taken', input: ({ theirs }) => ({ email: theirs.owner.email }) },
  ],
  'organizations.members.set_spend_limit': [
    { problem: 'not-found', input: ({ theirs }) => ({ userId: theirs.owner.user, spendLimitCredits: 5 }) },
    { as: 'capped', problem: 'not-found', input: () => ({ userId: newId(), spendLimitCredits: 5 }) },
    { as: 'member', problem: 'forbidden', input: ({ member }) => ({ userId: member.user }) },
    { as: 'key', problem: 'user-required', input: ({ member }) => ({ userId: member.user }) },
  ],
  'organizations.security.update': [
    { as: 'member', problem: 'forbidden', input: () => ({ second_factor: 'required' }) },
    { problem: 'invalid-state', input: () => ({ second_factor: 'required' }) },
  ],
  'organizations.invitations.accept': [
    { problem: 'not-found', input: () => ({ token: 'swathinvite_unknown' }) },
    { as: 'key', problem: 'user-required', input: () => ({ token: 'swathinvite_unknown' }) },
  ],
  'organizations.invitations.create': [
    { as: 'member', problem: 'forbidden', input: () => ({ email: address() }) },
    { as: 'capped', problem: 'forbidden', input: () => ({ email: address(), role: 'owner' }) },
    { as: 'key', problem: 'user-required', input: () => ({ email: address() }) },
    {
      problem: 'not-found',
      input: ({ theirs }) => ({ email: address(), projects: [{ project_id: theirs.project }] }),
    },
    { problem: 'name-taken', input: ({ member }) => ({ email: member.email }) },
    {
      problem: 'invalid-state',
      input: async (fixture) => ({
        email: address(),
        projects: [{ project_id: await createArchivedProject(fixture) }],
      }),
    },
  ],
  'organizations.invitations.resend': [
    { problem: 'not-found', input: (fixture) => invite(fixture, fixture.theirs.owner) },
    { as: 'member', problem: 'forbidden', input: (fixture) => invite(fixture, fixture.ours.owner) },
    { as: 'capped', problem: 'forbidden', input: (fixture) => invite(fixture, fixture.ours.owner, 'owner') },
    { problem: 'invalid-state', input: inviteAndRevoke },
  ],
  'organizations.invitations.revoke': [
    { problem: 'not-found', input: (fixture) => invite(fixture, fixture.theirs.owner) },
    { as: 'member', problem: 'forbidden', input: (fixture) => invite(fixture, fixture.ours.owner) },
    { as: 'capped', problem: 'forbidden', input: (fixture) => invite(fixture, fixture.ours.owner, 'owner') },
    { problem: 'invalid-state', input: inviteAndRevoke },
  ],
  'organizations.leave': [
    { problem: 'not-found', input: ({ theirs }) => ({ organization_id: theirs.organization }) },
    { problem: 'invalid-state', input: () => ({}) },
    { as: 'key', problem: 'user-required', input: () => ({}) },
    { as: 'outsider', problem: 'no-organization', input: () => ({}) },
  ],
  'organizations.members.remove': [
    { problem: 'not-found', input: ({ theirs }) => ({ user_id: theirs.owner.user }) },
    { problem: 'invalid-state', input: ({ ours }) => ({ user_id: ours.owner.user }) },
    { as: 'member', problem: 'forbidden', input: ({ capped }) => ({ user_id: capped.user }) },
    { as: 'capped', problem: 'forbidden', input: ({ ours }) => ({ user_id: ours.owner.user }) },
    { as: 'key', problem: 'user-required', input: ({ member }) => ({ user_id: member.user }) },
  ],
  'organizations.members.set_projects': [
    { problem: 'not-found', input: ({ theirs }) => ({ user_id: theirs.owner.user, projects: [] }) },
    {
      problem: 'not-found',
      input: ({ member, theirs }) => ({ user_id: member.user, projects: [{ project_id: theirs.project }] }),
    },
    { as: 'member', problem: 'forbidden', input: ({ capped }) => ({ user_id: capped.user, projects: [] }) },
    {
      problem: 'invalid-state',
      input: async (fixture) => ({
        user_id: fixture.member.user,
        projects: [{ project_id: await createArchivedProject(fixture) }],
      }),
    },
  ],
  'organizations.members.set_role': [
    { problem: 'not-found', input: ({ theirs }) => ({ user_id: theirs.owner.user, role: 'member' }) },
    { problem: 'invalid-state', input: ({ ours }) => ({ user_id: ours.owner.user, role: 'admin' }) },
    { as: 'member', problem: 'forbidden', input: ({ capped }) => ({ user_id: capped.user, role: 'member' }) },
    { as: 'capped', problem: 'forbidden', input: ({ member }) => ({ user_id: member.user, role: 'owner' }) },
    { as: 'key', problem: 'user-required', input: ({ member }) => ({ user_id: member.user, role: 'admin' }) },
  ],
  'organizations.transfer_ownership': [
    { problem: 'not-found', input: ({ theirs }) => ({ user_id: theirs.owner.user }) },
    { problem: 'invalid-state', input: ({ ours }) => ({ user_id: ours.owner.user }) },
    { as: 'capped', problem: 'forbidden', input: ({ member }) => ({ user_id: member.user }) },
  ],
}
