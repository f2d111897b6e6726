import type { Client } from '@swath/client/client.ts'
import { enterPerson } from '../src/domains/users/people.ts'
import { newId } from '../src/platform/ids.ts'
import { cheapPasswords } from './cheap-crypto.ts'
import type { TestHouse } from './setup.ts'

export interface Person {
  readonly client: Client
  readonly user: string
  readonly email: string
  readonly password: string
}

export interface TestOrganization {
  readonly organization: string
  readonly project: string
  readonly owner: Person
  /** Adds a new user with a role in the organization, signed in. */
  join(role: 'admin' | 'member' | 'billing'): Promise<Person>
}

const password = 'a password for tests'

/** Creates a user without an organization, as after sign-up. */
export async function makePerson(house: TestHouse): Promise<Person> {
  const email = `${newId()}@example.org`
  const password_hash = await cheapPasswords.hash(password)
  const terms = { email, name: 'Test', password_hash, password_temporary: false, organization: null }
  const row = await house.database.across.transaction((tx) => enterPerson(tx, terms, house.clock.now()))
  return { client: house.signedIn(email, password), user: row!.id, email, password }
}

/** Creates an organization for a test, with an owner, a project and credits. */
export async function makeOrganization(house: TestHouse, credits = 10_000): Promise<TestOrganization> {
  const founder = await makePerson(house)
  const { id } = await founder.client.call<{ id: string }>('organizations.create', { name: `Org ${newId().slice(-8)}` })
  const owner = { ...founder, client: house.signedIn(founder.email, password) }
  const project = await owner.client.call<{ id: string }>('projects.create', { name: 'Fields' })
  if (credits > 0) {
    await house.admin.call('admin.orgs.credit_adjust', { organization_id: id, amount_credits: credits, reason: 'test' })
  }
  return { organization: id, project: project.id, owner, join: (role) => addMember(house, owner.client, role) }
}

async function addMember(house: TestHouse, owner: Client, role: string): Promise<Person> {
  const email = `${newId()}@example.org`
  const { member, one_time_password } = await owner.call<{ member: { user_id: string }; one_time_password: string }>(
    'organizations.members.add',
    { email, role },
  )
  const client = house.signedIn(email, one_time_password)
  return { client, user: member.user_id, email, password: one_time_password }
}
