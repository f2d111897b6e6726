import type { Client } from '@swath/client/client.ts'
import { newId } from '../src/platform/ids.ts'
import type { TestHouse } from './setup.ts'

export interface Person {
  readonly client: Client
  readonly user: string
  readonly email: string
}

export interface TestOrganization {
  readonly organization: string
  readonly project: string
  readonly owner: Person
  /** Adds somebody with a role in the organization, signed in. */
  join(role: 'admin' | 'member' | 'billing'): Promise<Person>
}

/** An organization of its own for a test, with an owner, a project and credits. */
export async function makeOrganization(house: TestHouse, credits = 10_000): Promise<TestOrganization> {
  const name = `Org ${newId().slice(-8)}`
  const founder = await house.invite(`${newId()}@example.org`)
  const { id } = await founder.client.call<{ id: string }>('organizations.create', { name })
  const owner = await house.again(founder)
  const project = await owner.client.call<{ id: string }>('projects.create', { name: 'Fields' })
  if (credits > 0) {
    await house.admin.call('admin.orgs.credit_adjust', { organization_id: id, amount_credits: credits, reason: 'test' })
  }
  const join = async (role: 'admin' | 'member' | 'billing'): Promise<Person> => {
    const email = `${newId()}@example.org`
    const added = await owner.client.call<{ member: { user_id: string }; one_time_password: string }>(
      'organizations.members.add',
      { email, role },
    )
    return { client: house.signedIn(email, added.one_time_password), user: added.member.user_id, email }
  }
  return { organization: id, project: project.id, owner, join }
}
