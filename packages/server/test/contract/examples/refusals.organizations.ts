import { sql } from '../../../src/platform/database/sql.ts'
import { newId } from '../../../src/platform/ids.ts'
import { createScimToken } from '../../test-organizations.ts'
import { refuseSupportAccess, type Refusal, type RefusalFixture } from './refusal-fixture.ts'

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

/** The settings of a provider for these domains. */
const provider = (domains: readonly string[]) => ({ issuer: 'https://93.184.216.34', client_id: 'swath', domains })

async function inviteAndRevoke(fixture: RefusalFixture) {
  const input = await invite(fixture, fixture.ours.owner)
  await fixture.ours.owner.client.call('organizations.invitations.revoke', input)
  return input
}

/** Creates a personal access token of a user. */
async function createToken({ client }: RefusalFixture['ours']['owner']) {
  const input = { name: 'Token', scopes: ['items:read'], expires_in_days: 1 }
  return { token_id: (await client.call<{ id: string }>('users.tokens.create', input)).id }
}

const supportAccessRefusals: readonly Refusal[] = [
  { problem: 'not-found', input: () => ({ access_id: newId() }) },
  { as: 'member', problem: 'forbidden', input: () => ({ access_id: newId() }) },
  { as: 'key', problem: 'user-required', input: () => ({ access_id: newId() }) },
  { problem: 'invalid-state', input: async (fixture) => ({ access_id: await refuseSupportAccess(fixture) }) },
]

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
  'organizations.domains.add': [
    { as: 'member', problem: 'forbidden', input: () => ({ domain: 'a.example.net' }) },
    { as: 'key', problem: 'user-required', input: () => ({ domain: 'a.example.net' }) },
    {
      problem: 'name-taken',
      prepare: async ({ ours: { owner } }) => {
        await owner.client.call('organizations.domains.add', { domain: 'taken.example.net' }).catch(() => undefined)
      },
      input: () => ({ domain: 'taken.example.net' }),
    },
  ],
  'organizations.domains.remove': [
    { problem: 'not-found', input: () => ({ domain: 'unknown.example.net' }) },
    { as: 'member', problem: 'forbidden', input: () => ({ domain: 'a.example.net' }) },
  ],
  'organizations.domains.verify': [
    { problem: 'not-found', input: () => ({ domain: 'unknown.example.net' }) },
    { as: 'member', problem: 'forbidden', input: () => ({ domain: 'a.example.net' }) },
  ],
  'organizations.provider.remove': [{ problem: 'not-found', input: () => ({}) }],
  'organizations.provider.set': [
    { as: 'member', problem: 'forbidden', input: () => provider(['a.example.net']) },
    { as: 'key', problem: 'user-required', input: () => provider(['a.example.net']) },
    { problem: 'invalid-state', input: () => provider(['unverified.example.net']) },
    {
      problem: 'not-found',
      prepare: async ({ app, ours: { organization } }) => {
        await app.database.unscoped.query(sql`
          insert into organization_domains (organization_id, domain, proof, state, created_by, created_at, verified_at)
          values (${organization}, 'proved.example.net', 'x', 'verified', ${newId()}, now(), now()) on conflict do nothing`)
      },
      input: () => ({ ...provider(['proved.example.net']), emergency_access: [newId()] }),
    },
  ],
  'organizations.scim_tokens.create': [
    { as: 'member', problem: 'forbidden', input: () => ({ name: 'Directory' }) },
    { as: 'key', problem: 'user-required', input: () => ({ name: 'Directory' }) },
  ],
  'organizations.scim_tokens.revoke': [
    {
      problem: 'not-found',
      input: async ({ theirs: { owner } }) => ({ scim_token_id: await createScimToken(owner) }),
    },
    {
      problem: 'invalid-state',
      input: async ({ ours: { owner } }) => {
        const scim_token_id = await createScimToken(owner)
        await owner.client.call('organizations.scim_tokens.revoke', { scim_token_id })
        return { scim_token_id }
      },
    },
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
  'organizations.tokens.revoke': [
    { problem: 'not-found', input: ({ theirs }) => createToken(theirs.owner) },
    { as: 'member', problem: 'forbidden', input: ({ ours }) => createToken(ours.owner) },
    { as: 'capped', problem: 'forbidden', input: ({ ours }) => createToken(ours.owner) },
    { as: 'key', problem: 'user-required', input: () => ({ token_id: newId() }) },
  ],
  'organizations.support_access.grant': supportAccessRefusals,
  'organizations.support_access.refuse': supportAccessRefusals,
  'organizations.support_access.end': supportAccessRefusals,
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
