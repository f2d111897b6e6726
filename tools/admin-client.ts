import { readFile } from 'node:fs/promises'
import { createClient, type Client } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { credentialsFile } from '../packages/server/src/platform/first-credentials.ts'

/** A client of a running server, signed in as administrator with the credentials that its first start wrote. */
export interface AdminClient {
  readonly url: string
  readonly token: () => Promise<string>
  readonly client: Client
}

/** @param data_dir the server's data folder. */
export async function openAdminClient(data_dir: string): Promise<AdminClient> {
  const text = await readFile(credentialsFile(data_dir), 'utf8')
  const { address: url, username, password } = JSON.parse(text) as Record<'address' | 'username' | 'password', string>
  const token = createTokenSource(url, { username, password })
  return { url, token, client: createClient({ baseUrl: url, token }) }
}
