import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { baseUrl, realmPath, type FormResponse, type IdentityTestApp } from './identity-test-app.ts'

export const callbackUrl = `${baseUrl}/auth/callback`
export const consoleClient = 'swath-console'

/** A PKCE pair (RFC 7636 4). */
export interface Pkce {
  readonly verifier: string
  readonly challenge: string
}

export function createPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** The parameters of a valid request of the console; a field of `changes` that is undefined is left out. */
export function authorizationParameters(
  { challenge }: Pick<Pkce, 'challenge'>,
  changes: Readonly<Record<string, string | undefined>> = {},
): URLSearchParams {
  const values = {
    client_id: consoleClient,
    redirect_uri: callbackUrl,
    response_type: 'code',
    scope: 'openid',
    state: 'a state',
    nonce: 'a nonce',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changes,
  }
  return new URLSearchParams(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

/** A response as a browser sees it. */
export interface BrowserResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  /** The target of a redirect; null without one. */
  readonly location: URL | null
}

interface SentRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Record<string, string>
  readonly payload?: string
}

/** The connection of a browser to a server: in this process, or by its URL. */
type Send = (request: SentRequest) => Promise<{ status: number; headers: Headers; body: string }>

const sendToApp =
  (server: FastifyInstance, remoteAddress: string): Send =>
  async ({ path: url, ...request }) => {
    const response = await server.inject({ ...request, url, remoteAddress })
    const headers = new Headers()
    for (const [name, value] of Object.entries(response.headers))
      for (const line of Array.isArray(value) ? value : [value]) headers.append(name, String(line))
    return { status: response.statusCode, headers, body: response.body }
  }

const sendToUrl =
  (url: string): Send =>
  async ({ path, payload, ...request }) => {
    const body = payload === undefined ? {} : { body: payload }
    const response = await fetch(`${url}${path}`, { ...request, ...body, redirect: 'manual' })
    return { status: response.status, headers: response.headers, body: await response.text() }
  }

/** A browser without scripts: it keeps cookies and posts the forms of pages. */
export class TestBrowser {
  private readonly send: Send
  readonly cookies = new Map<string, string>()
  /** The header `Accept-Language`; null sends none. */
  language: string | null = null

  constructor(target: Pick<IdentityTestApp, 'server'> | { readonly url: string }, remoteAddress = '127.0.0.1') {
    this.send = 'server' in target ? sendToApp(target.server, remoteAddress) : sendToUrl(target.url)
  }

  open(parameters: URLSearchParams): Promise<BrowserResponse> {
    return this.request('GET', `${realmPath}/auth?${parameters.toString()}`)
  }

  /** Posts the form of a page with its hidden fields; `changes` override any field. */
  async submit(
    page: BrowserResponse,
    values: Readonly<Record<string, string>>,
    path = 'auth',
  ): Promise<BrowserResponse> {
    const form = readForm(page.body)
    const payload = new URLSearchParams({ ...form.hidden, ...values }).toString()
    return this.request('POST', `${realmPath}/${path}${form.action}`, payload)
  }

  async request(method: 'GET' | 'POST', path: string, payload?: string): Promise<BrowserResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const { status, headers, body } = await this.send({
      method,
      path,
      headers: {
        accept: 'text/html',
        ...(this.language === null ? {} : { 'accept-language': this.language }),
        ...(cookie === '' ? {} : { cookie }),
        ...(payload === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(payload === undefined ? {} : { payload }),
    })
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const location = headers.get('location')
    return {
      status,
      headers: Object.fromEntries(headers),
      body,
      location: location === null ? null : new URL(location),
    }
  }

  /** Signs in on the page of a request and returns the response to the last form. */
  async signIn(parameters: URLSearchParams, email: string, password: string): Promise<BrowserResponse> {
    const page = await this.open(parameters)
    assert.equal(page.status, 200, page.body)
    return this.submit(page, { email, password })
  }
}

const unescapeHtml = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** The action and the hidden fields of the form of a page. */
export function readForm(html: string): { action: string; hidden: Record<string, string> } {
  const action = /<form(?: id="passkey")? method="post" action="([^"]*)"/.exec(html)?.[1]
  assert.ok(action !== undefined, `no form in ${html}`)
  const hidden = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name, value]) => [
    name!,
    unescapeHtml(value!),
  ])
  return { action: unescapeHtml(action), hidden: Object.fromEntries(hidden) as Record<string, string> }
}

/** The code of a redirect back to the client. */
export function readCode(response: BrowserResponse): string {
  const code = response.location?.searchParams.get('code')
  assert.ok(code, `no code in ${response.status} ${response.location?.href ?? response.body}`)
  return code
}

/** The fields that exchange a code at the token endpoint. */
export const codeGrant = (code: string, { verifier }: Pick<Pkce, 'verifier'>): Record<string, string> => ({
  grant_type: 'authorization_code',
  client_id: consoleClient,
  redirect_uri: callbackUrl,
  code,
  code_verifier: verifier,
})

/** Exchanges a code at the token endpoint. */
export const exchangeCode = (
  app: Pick<IdentityTestApp, 'postForm'>,
  code: string,
  pkce: Pick<Pkce, 'verifier'>,
  changes: Readonly<Record<string, string>> = {},
): Promise<FormResponse> => app.postForm('token', { ...codeGrant(code, pkce), ...changes })
