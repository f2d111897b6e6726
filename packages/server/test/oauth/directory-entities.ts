import { newId } from '../../src/platform/ids.ts'
import { writeExamples } from '../contract/examples/writes.ts'
import type { ContractFixtures } from '../contract/fixtures.ts'

/** Registers an OAuth client of an organization. */
export async function registerProgram({ client }: ContractFixtures): Promise<string> {
  const input = writeExamples['oauth_clients.create']!({} as ContractFixtures)
  return (await client.call<{ client: { client_id: string } }>('oauth_clients.create', input)).client.client_id
}

/** Invites somebody to an organization. */
export const inviteSomebody = async ({ client }: ContractFixtures): Promise<string> =>
  (await client.call('organizations.invitations.create', { email: `${newId()}@example.org` })).invitation.id
