import type { Client } from '@swath/client/client.ts'
import { createUser } from '../src/domains/users/users.ts'
import { newId } from '../src/platform/ids.ts'
import { testPasswordHasher } from './test-crypto.ts'
import type { TestApp } from './test-app.ts'

export interface TestUser {
  readonly client: Client
  readonly user: string
  readonly email: string
  readonly password: string
}

export interface TestOrganization {
  readonly organization: string
  readonly project: string
  readonly owner: TestUser
  /** Adds a new user with a role in the organization, signed in. */
  addMember(role: 'admin' | 'member' | 'billing'): Promise<TestUser>
}

/** The password of every user of a test. */
export const testPassword = 'a password for tests'

/** Creates a user without an organization, as after sign-up. */
export async function createTestUser(app: TestApp): Promise<TestUser> {
  const email = `${newId()}@example.org`
  const password_hash = await testPasswordHasher.hash(testPassword)
  const userInput = { email, name: 'Test', password_hash, password_temporary: false, organization: null }
  const row = await app.database.unscoped.transaction((tx) => createUser(tx, userInput, app.clock.now()))
  return { client: app.createClientFor(email, testPassword), user: row!.id, email, password: testPassword }
}

/** Creates an organization for a test, with an owner, a project and credits. */
export async function createTestOrganization(app: TestApp, credits = 10_000): Promise<TestOrganization> {
  const foundingUser = await createTestUser(app)
  const { id } = await foundingUser.client.call<{ id: string }>('organizations.create', {
    name: `Org ${newId().slice(-8)}`,
  })
  const owner = { ...foundingUser, client: app.createClientFor(foundingUser.email, testPassword) }
  const project = await owner.client.call<{ id: string }>('projects.create', { name: 'Fields' })
  if (credits > 0) {
    await app.admin.call('admin.orgs.credit_adjust', { organization_id: id, amount_credits: credits, reason: 'test' })
  }
  return { organization: id, project: project.id, owner, addMember: (role) => addMember(app, owner.client, role) }
}

async function addMember(app: TestApp, owner: Client, role: string): Promise<TestUser> {
  const email = `${newId()}@example.org`
  const { member, one_time_password } = await owner.call<{ member: { user_id: string }; one_time_password: string }>(
    'organizations.members.add',
    { email, role },
  )
  const client = app.createClientFor(email, one_time_password)
  return { client, user: member.user_id, email, password: one_time_password }
}

/** An operator asks for support access, and the owner of the organization grants it. Returns its id. */
export async function grantSupportAccess(
  operator: Client,
  owner: Client,
  organization_id: string,
  hours = 24,
): Promise<string> {
  const { id } = await operator.call('admin.support_access.request', { organization_id, reason: 'A question.', hours })
  await owner.call('organizations.support_access.grant', { access_id: id })
  return id
}
/** Invites somebody; returns the id of the invitation. */
export const inviteSomebody = async ({ client }: Pick<TestUser, 'client'>): Promise<string> =>
  (await client.call('organizations.invitations.create', { email: `${newId()}@example.org` })).invitation.id

/** Creates a token of a directory; returns its id. */
export const createScimToken = async ({ client }: Pick<TestUser, 'client'>): Promise<string> =>
  (await client.call('organizations.scim_tokens.create', { name: 'Directory' })).scim_token.id
