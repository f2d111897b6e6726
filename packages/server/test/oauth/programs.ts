import type { IdentityTestApp, FormResponse } from '../identity-test-app.ts'
import {
  authorizationParameters,
  createPkce,
  exchangeCode,
  readCode,
  TestBrowser,
  type BrowserResponse,
  type Pkce,
} from '../test-browser.ts'

export const programCallback = 'https://agent.example/callback'

/** A program that was registered by an organization. */
export interface TestProgram {
  readonly id: string
  readonly secret: string | null
}

/** Registers a program of others, by default a confidential one with all grants. */
export const createProgram = (app: IdentityTestApp, token: string, input: object = {}): Promise<TestProgram> =>
  createProgramWith((id, fields) => app.callOperation(id, token, fields), input)

/** The same by any way to call operations. */
export async function createProgramWith(
  call: (id: string, input: object) => Promise<Record<string, unknown>>,
  input: object = {},
): Promise<TestProgram> {
  const defaults = {
    name: 'Agent',
    type: 'confidential',
    redirect_uris: [programCallback],
    scopes: ['*:read', 'projects:write'],
    grants: ['authorization_code', 'refresh_token', 'device_code', 'client_credentials'],
  }
  const created = await call('oauth_clients.create', { ...defaults, ...input })
  return {
    id: (created['client'] as { client_id: string }).client_id,
    secret: created['client_secret'] as string | null,
  }
}

/** The fields with which a program identifies itself. */
export const credentialsOf = ({ id, secret }: TestProgram): Record<string, string> => ({
  client_id: id,
  ...(secret === null ? {} : { client_secret: secret }),
})

/** The authorization request of a program. */
export const programRequest = (
  { id }: Pick<TestProgram, 'id'>,
  pkce: Pkce,
  changes: Readonly<Record<string, string | undefined>> = {},
): URLSearchParams =>
  authorizationParameters(pkce, {
    client_id: id,
    redirect_uri: programCallback,
    scope: 'openid items:read organizations:read',
    ...changes,
  })

/** An app whose pages a browser opens and whose token endpoint a program calls: in this process, or by its URL. */
type SignInApp = Pick<IdentityTestApp, 'postForm'> & (Pick<IdentityTestApp, 'server'> | { readonly url: string })

interface Person {
  readonly email: string
  readonly password: string
}

/** Signs in, and returns the consent page. */
export const openConsent = (
  browser: TestBrowser,
  request: URLSearchParams,
  { email, password }: Person,
): Promise<BrowserResponse> => browser.signIn(request, email, password)

/** Walks to the tokens of a program: signs in, consents, exchanges the code. */
export async function connectProgram(
  app: SignInApp,
  program: TestProgram,
  person: Person,
  changes: Readonly<Record<string, string | undefined>> = {},
): Promise<FormResponse & { readonly browser: TestBrowser }> {
  const [browser, pkce] = [new TestBrowser(app), createPkce()]
  const page = await openConsent(browser, programRequest(program, pkce, changes), person)
  const code = readCode(await browser.submit(page, { decision: 'allow' }))
  const tokens = await exchangeCode(app, code, pkce, { ...credentialsOf(program), redirect_uri: programCallback })
  return { ...tokens, browser }
}
