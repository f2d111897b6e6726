import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** Who signs in at the provider next, by the claims of the ID token. */
export type TestClaims = Readonly<Record<string, unknown>> & { readonly sub: string }

/** What a hostile or broken provider does. */
export interface ProviderFaults {
  /** Changes the claims of the ID token after `iss`, `aud` and `nonce` were set. */
  changeClaims?: (claims: Record<string, unknown>) => Record<string, unknown>
  /** Signs with a key that is not published. */
  usesOtherKey?: boolean
  /** Sends no ID token. */
  sendsNoIdToken?: boolean
  /** Sends the email by the userinfo endpoint alone. */
  hidesEmail?: boolean
}

/** A small OpenID Connect provider: everybody is signed in whom the test names. */
export interface TestProvider {
  readonly issuer: string
  readonly client_id: string
  readonly client_secret: string
  /** Who signs in next. */
  claims: TestClaims
  faults: ProviderFaults
  /** The parameters of the authorization requests, and the number of requests for tokens. */
  readonly requests: URLSearchParams[]
  tokenRequests: number
  /** Signs the user in at the URL of an authorization request; returns the URL that the browser is sent to. */
  signIn(url: string): Promise<string>
  createLogoutToken(claims: Readonly<Record<string, unknown>>): Promise<string>
  close(): Promise<void>
}

const readBody = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return new URLSearchParams(text)
}

const sendJson = (response: ServerResponse, body: object, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

interface Grant {
  readonly parameters: URLSearchParams
  readonly claims: TestClaims
}

export async function startTestProvider(): Promise<TestProvider> {
  const [published, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const jwk = { ...(await exportJWK(published.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const grants = new Map<string, Grant>()
  const accessTokens = new Map<string, TestClaims>()
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider: TestProvider = {
    issuer,
    client_id: 'swath-client',
    client_secret: 'the secret of the client',
    claims: { sub: 'nobody' },
    faults: {},
    requests: [],
    tokenRequests: 0,
    signIn: async (url) => {
      const response = await fetch(url, { redirect: 'manual' })
      return response.headers.get('location') ?? ''
    },
    createLogoutToken: (claims) => sign({ iss: issuer, aud: 'swath-client', jti: randomUUID(), ...claims }),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  function sign(claims: Readonly<Record<string, unknown>>): Promise<string> {
    const key = provider.faults.usesOtherKey ? other.privateKey : published.privateKey
    const jwt = new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', kid: 'one' }).setIssuedAt()
    return ('exp' in claims ? jwt : jwt.setExpirationTime('5m')).sign(key)
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer)
    const handle = routes[url.pathname]
    if (!handle) return sendJson(response, {}, 404)
    await handle(request, response, url)
  }

  type Route = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void> | void
  const routes: Readonly<Record<string, Route>> = {
    '/.well-known/openid-configuration': (_request, response) =>
      sendJson(response, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        id_token_signing_alg_values_supported: ['RS256'],
        backchannel_logout_supported: true,
      }),
    '/keys': (_request, response) => sendJson(response, { keys: [jwk] }),
    '/authorize': (_request, response, url) => {
      provider.requests.push(url.searchParams)
      const code = randomUUID()
      grants.set(code, { parameters: url.searchParams, claims: provider.claims })
      const target = new URL(url.searchParams.get('redirect_uri') ?? '')
      target.searchParams.set('code', code)
      target.searchParams.set('state', url.searchParams.get('state') ?? '')
      response.writeHead(302, { location: target.href })
      response.end()
    },
    '/token': async (request, response) => {
      provider.tokenRequests += 1
      const form = await readBody(request)
      const grant = grants.get(form.get('code') ?? '')
      const verifier = form.get('code_verifier') ?? ''
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      const basic = Buffer.from((request.headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString()
      const [id, secret] = basic.split(':').map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
      const isClient = id === provider.client_id && secret === provider.client_secret
      if (!isClient) return sendJson(response, { error: 'invalid_client' }, 401)
      if (!grant || grant.parameters.get('code_challenge') !== challenge)
        return sendJson(response, { error: 'invalid_grant' }, 400)
      grants.delete(form.get('code') ?? '')
      const { changeClaims, sendsNoIdToken, hidesEmail } = provider.faults
      const nonce = grant.parameters.get('nonce')
      const claims: Record<string, unknown> = { iss: issuer, aud: provider.client_id, nonce, ...grant.claims }
      if (hidesEmail) for (const name of ['email', 'email_verified']) delete claims[name]
      const access_token = randomUUID()
      accessTokens.set(access_token, grant.claims)
      const id_token = await sign(changeClaims ? changeClaims(claims) : claims)
      sendJson(response, {
        access_token,
        token_type: 'Bearer',
        expires_in: 60,
        ...(sendsNoIdToken ? {} : { id_token }),
      })
    },
    '/userinfo': (request, response) => {
      const claims = accessTokens.get(/^Bearer (.*)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '')
      sendJson(response, claims ?? {}, claims ? 200 : 401)
    },
  }
  return provider
}
