import type { Client } from '@swath/client/client.ts'
import { realmPath } from '../../../packages/server/test/identity-test-app.ts'
import { connectProgram, createProgramWith, credentialsOf } from '../../../packages/server/test/oauth/programs.ts'
import type { TestApp } from '../../../packages/server/test/test-app.ts'
import type { TestUser } from '../../../packages/server/test/test-organizations.ts'

/** A token is requested again when half of its time is over. */
const renewal_ms = 120_000

async function postForm({ url }: Pick<TestApp, 'url'>, path: string, fields: Record<string, string>) {
  const response = await fetch(`${url}${realmPath}/${path}`, { method: 'POST', body: new URLSearchParams(fields) })
  const body = (await response.json()) as Record<string, unknown>
  return { status: response.status, headers: Object.fromEntries(response.headers), body }
}

/** Tokens of the form, requested again before they expire. */
function createRenewedToken(request: () => Promise<string>, first: string | null = null): () => Promise<string> {
  let current = { token: Promise.resolve(first ?? ''), at_ms: first === null ? -Infinity : performance.now() }
  return () => {
    if (performance.now() - current.at_ms > renewal_ms) current = { token: request(), at_ms: performance.now() }
    return current.token
  }
}

/** The tokens of an OAuth client of the organization that acts by itself. */
export async function requestClientToken(app: TestApp, owner: Client, scopes: readonly string[]) {
  const call = (id: string, input: object) => owner.call<Record<string, unknown>>(id, input)
  const program = await createProgramWith(call, { scopes, grants: ['client_credentials'], redirect_uris: [] })
  const form = { grant_type: 'client_credentials', ...credentialsOf(program) }
  return createRenewedToken(async () => String((await postForm(app, 'token', form)).body['access_token']))
}

/** The tokens of an OAuth client of the organization to which somebody has consented. */
export async function requestConsentedTokens(app: TestApp, owner: Client, user: TestUser, scopes: readonly string[]) {
  const call = (id: string, input: object) => owner.call<Record<string, unknown>>(id, input)
  const program = await createProgramWith(call, { scopes, grants: ['authorization_code', 'refresh_token'] })
  const form = (path: string, fields: Record<string, string>) => postForm(app, path, fields)
  const scope = scopes.join(' ')
  const { body } = await connectProgram({ url: app.url, postForm: form }, program, user, { scope })
  let refresh_token = String(body['refresh_token'])
  const renew = async (): Promise<string> => {
    const renewed = await form('token', { grant_type: 'refresh_token', refresh_token, ...credentialsOf(program) })
    refresh_token = String(renewed.body['refresh_token'])
    return String(renewed.body['access_token'])
  }
  return createRenewedToken(renew, String(body['access_token']))
}
