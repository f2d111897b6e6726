import { authorizationParameters, createPkce, readCode, TestBrowser } from '../../packages/server/test/test-browser.ts'
import type { Person } from './sign-in.ts'

export interface Program {
  readonly client_id: string
  readonly client_secret: string
  readonly redirect_uri: string
}

/** Tokens as the token endpoint answers them. */
export interface ProgramTokens {
  readonly status: number
  readonly access_token: string
  readonly error?: string
}

/** Posts a form to the token endpoint as a confidential program. */
export async function requestTokens(
  url: string,
  { client_id, client_secret }: Pick<Program, 'client_id' | 'client_secret'>,
  form: Readonly<Record<string, string>>,
): Promise<ProgramTokens> {
  const response = await fetch(`${url}/realms/public/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id, client_secret, ...form }),
  })
  return { status: response.status, ...((await response.json()) as Omit<ProgramTokens, 'status'>) }
}

/** A person signs in for a program and consents; the program gets its tokens. */
export async function allowProgram(
  url: string,
  person: Person,
  program: Program,
  scope: string,
): Promise<ProgramTokens> {
  const [browser, pkce] = [new TestBrowser({ url }), createPkce()]
  const { client_id, redirect_uri } = program
  const request = authorizationParameters(pkce, { client_id, redirect_uri, scope })
  const page = await browser.signIn(request, person.email, person.password)
  const code = readCode(await browser.submit(page, { decision: 'allow' }))
  const grant = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: pkce.verifier }
  return requestTokens(url, program, grant)
}
