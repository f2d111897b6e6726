import { readFile } from 'node:fs/promises'
import { createClient, type Client } from '@swath/client/client.ts'
import { tokenSource } from '@swath/client/tokens.ts'
import { credentialsFile } from '../packages/server/src/platform/first-credentials.ts'

/** A client of a running server, signed in as administrator with the credentials that its first start wrote. */
export interface FirstClient {
  readonly address: string
  readonly token: () => Promise<string>
  readonly client: Client
}

/** @param data_dir the server's data folder. */
export async function openFirstClient(data_dir: string): Promise<FirstClient> {
  const text = await readFile(credentialsFile(data_dir), 'utf8')
  const { address, username, password } = JSON.parse(text) as Record<'address' | 'username' | 'password', string>
  const token = tokenSource(address, { username, password })
  return { address, token, client: createClient({ base: address, token }) }
}
