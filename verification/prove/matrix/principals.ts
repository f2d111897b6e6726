import { createTokenSource } from '@swath/client/tokens.ts'
import { humanScopes } from '@swath/contract/scopes.ts'
import type { OrganizationRole } from '@swath/contract/schemas/member.ts'
import type { ProjectRole } from '@swath/contract/schemas/project.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { requestConsentedTokens, requestClientToken } from './program-tokens.ts'
import { createTestOrganization, createTestUser } from '../../../packages/server/test/test-organizations.ts'
import { administratorCredentials, type TestApp } from '../../../packages/server/test/test-app.ts'
import { signIn } from './world.ts'
import type { MatrixPrincipal, PrincipalFacts, World } from './facts.ts'

const noProjects: PrincipalFacts['projects'] = { own: null, otherProject: null }

const refused: PrincipalFacts = { isAccepted: false, kind: 'human', scopes: [], role: null, projects: noProjects }

/** Somebody who has signed in, with all scopes that a person has. */
const person = (role: OrganizationRole | null, own: ProjectRole | null = null): PrincipalFacts => ({
  isAccepted: true,
  kind: 'human',
  scopes: humanScopes,
  role,
  projects: { own, otherProject: null },
})

const key = (scopes: readonly string[]): PrincipalFacts => ({ ...person('owner'), kind: 'api_key', scopes })

type Bearer = () => Promise<string>
const fixed =
  (token: string): Bearer =>
  async () =>
    token

/** All kinds of principals, each with what was declared about it. */
export async function createPrincipals(app: TestApp, world: World): Promise<MatrixPrincipal[]> {
  return [
    ...(await createRefused(app, world)),
    ...(await createOutsiders(app, world)),
    ...(await createMembers(app, world)),
    ...(await createKeys(world)),
    ...(await createPrograms(app, world)),
    ...(await createConfined(app, world)),
  ]
}

async function addMember(app: TestApp, { own }: World, role: 'admin' | 'member' | 'billing', inProject?: ProjectRole) {
  const member = await own.addMember(role)
  const { client, project: project_id } = own
  if (inProject) await client.call('projects.add_member', { project_id, user_id: member.user, role: inProject })
  return { ...member, bearer: signIn(app, member) }
}

/** Nobody, and two editors who had a token. */
async function createRefused(app: TestApp, world: World): Promise<MatrixPrincipal[]> {
  const [disabled, removed] = [
    await addMember(app, world, 'member', 'editor'),
    await addMember(app, world, 'member', 'editor'),
  ]
  const tokens = { disabled: await disabled.bearer(), removed: await removed.bearer() }
  const { token } = await disabled.client.call('users.tokens.create', {
    name: 'Former',
    scopes: ['items:read', 'orders:*'],
    expires_in_days: 1,
  })
  await app.admin.call('admin.users.disable', { user_id: disabled.user, reason: 'a proof' })
  await world.own.client.call('organizations.members.remove', { user_id: removed.user })
  const facts = refused
  return [
    { name: 'anonymous', credential: {}, facts, own: null },
    { name: 'disabled', credential: { bearer: fixed(tokens.disabled) }, facts, own: null },
    { name: 'personal token of a disabled user', credential: { bearer: fixed(token) }, facts, own: null },
    { name: 'removed', credential: { bearer: fixed(tokens.removed) }, facts, own: null },
  ]
}

/** People of other organizations and of none. */
async function createOutsiders(app: TestApp, world: World): Promise<MatrixPrincipal[]> {
  const { owner: outsider } = await createTestOrganization(app, 0)
  const [alone, invited] = [await createTestUser(app), await createTestUser(app)]
  const invitation = { email: invited.email, role: 'admin' } as const
  await world.own.client.call('organizations.invitations.create', invitation)
  const operator: PrincipalFacts = { ...person('owner'), scopes: [...humanScopes, 'admin:*', 'clip:*'] }
  return [
    { name: 'outsider', credential: { bearer: signIn(app, outsider) }, facts: person('owner'), own: null },
    { name: 'alone', credential: { bearer: signIn(app, alone) }, facts: person(null), own: null, isWithoutOrganization: true },
    { name: 'invited', credential: { bearer: signIn(app, invited) }, facts: person(null), own: null, isWithoutOrganization: true },
    { name: 'operator', credential: { bearer: createTokenSource(app.url, administratorCredentials) }, facts: operator, own: null, isOperator: true },
    {
      name: 'suspended organization',
      credential: { bearer: world.bearers.suspended },
      facts: { ...person('owner'), projects: { own: 'owner', otherProject: 'owner' } },
      own: world.suspended,
    },
  ] // prettier-ignore
}

async function createMembers(app: TestApp, world: World): Promise<MatrixPrincipal[]> {
  const { own } = world
  const add = async (name: string, role: 'admin' | 'member' | 'billing', inProject?: ProjectRole) => ({
    name,
    credential: { bearer: (await addMember(app, world, role, inProject)).bearer },
    facts: person(role, inProject ?? null),
    own,
  })
  return [
    { name: 'owner', credential: { bearer: world.bearers.own }, facts: person('owner'), own },
    await add('admin', 'admin'),
    await add('billing', 'billing'),
    await add('member', 'member'),
    await add('editor', 'member', 'editor'),
    await add('viewer', 'member', 'viewer'),
  ]
}

/** Keys of the owner, with each flag and with scopes by name. */
async function createKeys({ own }: World): Promise<MatrixPrincipal[]> {
  const create = async (name: string, permissions: readonly string[], scopes: readonly string[]) => {
    const { key: token } = await own.client.call<{ key: string }>('api_keys.create', { name, permissions })
    return { name, credential: { bearer: fixed(token) }, facts: key(scopes), own }
  }
  return [
    await create('key', [], ['*:read']),
    await create('key can_read', ['can_read'], ['*:read']),
    await create('key can_write', ['can_write'], ['*:write', '*:read']),
    await create('key can_process', ['can_process'], ['*:process', '*:read']),
    await create('key with names', ['billing:write', 'items:read'], ['billing:write', 'items:read']),
  ]
}

/** Credentials that people hand to programs. */
async function createPrograms(app: TestApp, world: World): Promise<MatrixPrincipal[]> {
  const { own } = world
  const [editor, viewer] = [
    await addMember(app, world, 'member', 'editor'),
    await addMember(app, world, 'member', 'viewer'),
  ]
  const scopes = ['items:read', 'items:write', 'orders:read', 'orders:write']
  // A password that somebody else has set is replaced on the page of consent.
  await app.database.unscoped.query(sql`update users set password_temporary = false where id = ${viewer.user}`)
  const { token } = await editor.client.call('users.tokens.create', { name: 'Script', scopes, expires_in_days: 1 })
  const delegated = (role: OrganizationRole, inProject: ProjectRole | null, scopes: readonly string[]) => ({
    ...person(role, inProject),
    scopes,
    isDelegated: true,
  })
  return [
    { name: 'personal token', credential: { bearer: fixed(token) }, facts: delegated('member', 'editor', scopes), own },
    {
      name: 'OAuth client',
      credential: { bearer: await requestClientToken(app, own.client, ['items:read']) },
      facts: { ...key(['items:read']), isDelegated: true },
      own,
    },
    {
      name: 'OAuth client with consent',
      credential: { bearer: await requestConsentedTokens(app, own.client, viewer, ['items:read', 'items:write']) },
      facts: delegated('member', 'viewer', ['items:read', 'items:write']),
      own,
    },
  ]
}

/** Credentials for one thing. */
async function createConfined(app: TestApp, world: World): Promise<MatrixPrincipal[]> {
  const { own } = world
  const { client, item: item_id } = own
  const { token: tileToken } = await client.call<{ token: string }>('items.tile.token.create', { item_id, name: 'Map' })
  const { assignment } = await client.call<{ assignment: { token: string } }>('processing.job.delegate', {
    job_id: own.job,
  })
  await client.call('organizations.support_access.grant', { access_id: own.entities.supportAccess })
  const editor = await addMember(app, world, 'member', 'editor')
  const { access_token } = await app.admin.call<{ access_token: string }>('admin.users.impersonate', {
    organization_id: own.organization,
    user_id: editor.user,
    reason: 'a proof',
    minutes: 60,
  })
  const worker = {
    ...person(null),
    kind: 'worker',
    scopes: ['processing:process'],
    operations: ['processing.job.register'],
  }
  return [
    { name: 'share visitor', credential: {}, facts: refused, own },
    { name: 'tile token', credential: { tileToken }, facts: refused, own },
    { name: 'worker token', credential: { bearer: fixed(assignment.token) }, facts: worker as PrincipalFacts, own },
    {
      name: 'impersonation',
      credential: { bearer: fixed(access_token) },
      facts: { ...person('member', 'editor'), kind: 'impersonation' },
      own,
    },
  ]
}
