import type { Client } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { openClient, readFirstCredentials } from '../packages/cli/src/connection.ts'

/** A client of a running server, signed in as administrator with the credentials that its first start wrote. */
export interface AdminClient {
  readonly url: string
  readonly token: () => Promise<string>
  readonly client: Client
}

/** A person, not the terminal's key: what is called with the token includes operations that only people may call. */
export async function openAdminClient(data_dir: string): Promise<AdminClient> {
  const { address, login } = await readFirstCredentials(data_dir)
  return { url: address, token: createTokenSource(address, login), client: openClient({ address, login }) }
}
