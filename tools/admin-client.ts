import type { Client } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { createSignedInClient, readFirstCredentials } from '../packages/cli/src/connection.ts'

/** A client of a running server, signed in as administrator with the credentials that its first start wrote. */
export interface AdminClient {
  readonly url: string
  readonly token: () => Promise<string>
  readonly client: Client
}

/** Signs in as a person, not by the terminal's key, because some operations may be called only by people. */
export async function openAdminClient(data_dir: string): Promise<AdminClient> {
  const { address, login } = await readFirstCredentials(data_dir)
  return { url: address, token: createTokenSource(address, login), client: createSignedInClient({ address, login }) }
}
