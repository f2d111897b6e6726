import { randomBytes } from 'node:crypto'
import { createPkce } from '../../../packages/server/test/test-browser.ts'
import type { FormBrowser } from './form-browser.ts'
import type { GrantCase } from './grant-case.ts'

type Json = Readonly<Record<string, unknown>>
type Fields = Readonly<Record<string, string | null>>

/** An HTTP response, as far as the rows read it. */
export interface PlanResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: Json
}

/** A code of an authorization request, and what belongs to it. */
export interface IssuedCode {
  readonly code: string
  readonly verifier: string
  readonly nonce: string
  readonly redirect: URL
}

/** What the rows of the plan call: raw requests, also wrong ones, of one confidential client and one user. */
export interface PlanSession {
  readonly metadata: Json
  readonly grants: GrantCase
  /** The parameters of a valid authorization request; null in `more` leaves one out. */
  authorizationUrl(more?: Fields): { url: string; verifier: string; nonce: string }
  /** Sends an authorization request without a browser's cookies, redirects not followed. */
  ask(more?: Fields): Promise<PlanResponse>
  /** Follows an authorization request in the browser that is signed in; returns where it was sent. */
  visit(more?: Fields): Promise<URL>
  issueCode(more?: Fields, ...forms: readonly Record<string, string>[]): Promise<IssuedCode>
  /** The token endpoint, with the secret of the client as Basic unless `headers` are given. */
  token(fields: Fields, headers?: Record<string, string>): Promise<PlanResponse>
  redeem(issued: IssuedCode, more?: Fields): Promise<PlanResponse>
  userinfo(init: RequestInit, query?: string): Promise<PlanResponse>
}

const present = (fields: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))

async function request(url: string, init: RequestInit = {}): Promise<PlanResponse> {
  const response = await fetch(url, { redirect: 'manual', ...init })
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  return { status: response.status, headers: response.headers, body: isJson ? (JSON.parse(text) as Json) : { text } }
}

/** Reads the metadata, and signs the browser in with the consent of the user. */
export async function openPlanSession(grants: GrantCase, browser: FormBrowser): Promise<PlanSession> {
  const { body: metadata } = await request(`${grants.issuer}/.well-known/openid-configuration`)
  const endpoint = (name: string): string => String(metadata[`${name}_endpoint`])
  const basic = `Basic ${Buffer.from(`${grants.client_id}:${grants.client_secret}`).toString('base64')}`

  function authorizationUrl(more: Fields = {}) {
    const { verifier, challenge } = createPkce()
    const nonce = randomBytes(8).toString('hex')
    const fields: Fields = {
      client_id: grants.client_id,
      response_type: 'code',
      redirect_uri: grants.redirect_uri,
      scope: 'openid',
      state: 'a state & more',
      nonce,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...more,
    }
    return { url: `${endpoint('authorization')}?${new URLSearchParams(present(fields))}`, verifier, nonce }
  }

  const token: PlanSession['token'] = (fields, headers = { authorization: basic }) =>
    request(endpoint('token'), { method: 'POST', body: new URLSearchParams(present(fields)), headers })

  const issueCode: PlanSession['issueCode'] = async (more = {}, ...forms) => {
    const { url, verifier, nonce } = authorizationUrl(more)
    const redirect = new URL(await browser.follow(url, ...forms))
    return { code: redirect.searchParams.get('code') ?? '', verifier, nonce, redirect }
  }
  await issueCode({}, { email: grants.email, password: grants.password }, { decision: 'allow' })
  return {
    metadata,
    grants,
    authorizationUrl,
    ask: (more) => request(authorizationUrl(more).url, { headers: { accept: 'text/html' } }),
    visit: async (more) => new URL(await browser.follow(authorizationUrl(more).url)),
    issueCode,
    token,
    redeem: ({ code, verifier }, more = {}) =>
      token({
        grant_type: 'authorization_code',
        code,
        redirect_uri: grants.redirect_uri,
        code_verifier: verifier,
        ...more,
      }),
    userinfo: (init, query = '') => request(`${endpoint('userinfo')}${query}`, init),
  }
}
