import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { chooseAcceptedLanguage } from '../../platform/html/accepted-language.ts'
import { toIpAddressBlock } from '../address-block.ts'
import { createFormPageHeaders, renderHtmlFormPage, type HtmlFormPage } from '../pages/form-page.ts'
import { createProblemPage } from '../pages/problem-page.ts'
import { passkeyScript, passkeyScriptPath } from '../pages/passkey-script.ts'
import { getRequestHeader } from '../http-call.ts'
import { protectedResourcePath } from '../protected-resource.ts'
import { buildProblemHeaders, logErrorAsProblem, sendProblem } from '../send-problem.ts'
import { getRequestPath, resolveBaseUrl } from '../server.ts'

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** One request to an OIDC endpoint of the realm. `form` is the query of a GET. */
export interface OidcRequest {
  readonly method: HttpMethod
  readonly form: URLSearchParams
  /** The JSON document of the body; undefined for any other body. */
  readonly json?: unknown
  readonly query: URLSearchParams
  readonly cookie: string | null
  readonly acceptsHtml: boolean
  readonly acceptLanguage: string | null
  readonly userAgent: string | null
  readonly authorization: string | null
  readonly apiKey: string | null
  /** The client's IP address or IPv6 block, which failures are counted by. */
  readonly address: string
  readonly baseUrl: string
  /** The parts of the path that the route names. */
  readonly pathParameters: Readonly<Record<string, string>>
}

/** `body` is JSON, a line of text, or absent; a `page` takes its place. */
export interface OidcResponse {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>> | string | null
  readonly headers: Readonly<Record<string, string>>
  readonly page?: HtmlFormPage
}

type OidcEndpoint = (request: OidcRequest) => Promise<OidcResponse>

/** The OIDC endpoints. They return OAuth errors as responses, and throw problems and internal errors. */
export interface OidcEndpoints extends Readonly<Record<OidcEndpointName, OidcEndpoint>> {
  /** The configured base URL; null takes that of each request. */
  readonly base_url: string | null
}

type OidcEndpointName =
  | 'authorize'
  | 'authorizeDevice'
  | 'device'
  | 'invitation'
  | 'provider'
  | 'providerLogout'
  | 'resetPassword'
  | 'accountLink'
  | 'token'
  | 'certs'
  | 'userinfo'
  | 'introspect'
  | 'revoke'
  | 'logout'
  | 'discovery'
  | 'protectedResource'
  | 'register'

const realm = '/realms/public'
const endpoints = `${realm}/protocol/openid-connect`
/** The providers of organizations answer here. */
const broker = `${realm}/broker/:organization`
/** People type it. */
const devicePage = '/device'
/** The link in an invitation opens it. */
const invitationPage = '/invitations/accept'
/** The links in e-mails about an account open them. */
const resetPasswordPage = `${realm}/login-actions/reset-password`
const accountLinkPage = `${realm}/login-actions/email`
const discoveryDocument = '/.well-known/openid-configuration'
const serverDocument = '/.well-known/oauth-authorization-server'
const formType = 'application/x-www-form-urlencoded'
const max_form_bytes = 16 * 1024

interface EndpointRoute {
  readonly methods: readonly HttpMethod[]
  readonly path: string
  readonly endpoint: OidcEndpointName
  /** True for an endpoint that browsers navigate to: scripts of other origins may not read it (RFC 9700 2.6). */
  readonly isSameOrigin?: boolean
}

const endpointRoutes: readonly EndpointRoute[] = [
  { methods: ['GET', 'POST'], path: `${endpoints}/auth`, endpoint: 'authorize', isSameOrigin: true },
  { methods: ['POST'], path: `${endpoints}/auth/device`, endpoint: 'authorizeDevice' },
  { methods: ['GET', 'POST'], path: devicePage, endpoint: 'device', isSameOrigin: true },
  { methods: ['GET', 'POST'], path: invitationPage, endpoint: 'invitation', isSameOrigin: true },
  { methods: ['GET', 'POST'], path: `${broker}/endpoint`, endpoint: 'provider', isSameOrigin: true },
  { methods: ['POST'], path: `${broker}/backchannel-logout`, endpoint: 'providerLogout' },
  { methods: ['GET', 'POST'], path: resetPasswordPage, endpoint: 'resetPassword', isSameOrigin: true },
  { methods: ['GET', 'POST'], path: accountLinkPage, endpoint: 'accountLink', isSameOrigin: true },
  { methods: ['POST'], path: `${endpoints}/token`, endpoint: 'token' },
  { methods: ['GET'], path: `${endpoints}/certs`, endpoint: 'certs' },
  { methods: ['GET', 'POST'], path: `${endpoints}/userinfo`, endpoint: 'userinfo' },
  { methods: ['POST'], path: `${endpoints}/token/introspect`, endpoint: 'introspect' },
  { methods: ['POST'], path: `${endpoints}/revoke`, endpoint: 'revoke' },
  { methods: ['GET', 'POST'], path: `${endpoints}/logout`, endpoint: 'logout' },
  { methods: ['GET'], path: `${realm}${discoveryDocument}`, endpoint: 'discovery' },
  { methods: ['GET'], path: `${endpoints}${discoveryDocument}`, endpoint: 'discovery' },
  // The path of the issuer comes last (RFC 8414 3.1), and clients that know only the host ask for the document without it.
  { methods: ['GET'], path: `${discoveryDocument}${realm}`, endpoint: 'discovery' },
  { methods: ['GET'], path: `${serverDocument}${realm}`, endpoint: 'discovery' },
  { methods: ['GET'], path: serverDocument, endpoint: 'discovery' },
  { methods: ['GET'], path: `${realm}${serverDocument}`, endpoint: 'discovery' },
  { methods: ['GET'], path: protectedResourcePath, endpoint: 'protectedResource' },
  {
    methods: ['POST', 'GET', 'PUT', 'DELETE'],
    path: `${realm}/clients-registrations/openid-connect`,
    endpoint: 'register',
  },
]

/** Paths that browsers navigate to. */
const navigatedPaths: ReadonlySet<string> = new Set([
  `${endpoints}/auth`,
  `${endpoints}/logout`,
  devicePage,
  invitationPage,
  resetPasswordPage,
  accountLinkPage,
])

/** The form of a POST, the query of a GET. Any other body counts as an empty form, so the error names the missing fields. */
function readForm(request: FastifyRequest): URLSearchParams {
  if (request.body instanceof URLSearchParams) return request.body
  if (request.method === 'POST') return new URLSearchParams()
  return readQuery(request)
}

function readQuery(request: FastifyRequest): URLSearchParams {
  const queryStart = request.url.indexOf('?')
  return new URLSearchParams(queryStart < 0 ? '' : request.url.slice(queryStart + 1))
}

class JsonBody {
  readonly document: unknown

  constructor(document: unknown) {
    this.document = document
  }
}

/** A text that is not JSON counts as an absent document. */
function parseJson(text: string): JsonBody {
  try {
    return new JsonBody(JSON.parse(text))
  } catch {
    return new JsonBody(undefined)
  }
}

const toMethod = (method: string): HttpMethod =>
  (['POST', 'PUT', 'DELETE'] as const).find((name) => name === method) ?? 'GET'

const acceptsHtml = ({ headers: { accept = '' } }: FastifyRequest): boolean => /\btext\/html\b/i.test(accept)

function sendOidcResponse(reply: FastifyReply, { status, body, headers, page }: OidcResponse): FastifyReply {
  reply.code(status).headers(headers)
  if (page)
    return reply.headers(createFormPageHeaders(page)).type('text/html; charset=utf-8').send(renderHtmlFormPage(page))
  if (body === null) return reply.send()
  if (typeof body === 'string') return reply.type('text/plain; charset=utf-8').send(body)
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
}

/** True for a browser that shows the response to a person. */
const isNavigated = (request: FastifyRequest): boolean =>
  acceptsHtml(request) &&
  (navigatedPaths.has(getRequestPath(request)) || request.routeOptions.url === `${broker}/endpoint`)

/** An error as a page, without what only an operator understands. */
function sendProblemPage(reply: FastifyReply, request: FastifyRequest, error: unknown, baseUrl: string): FastifyReply {
  const problem = logErrorAsProblem(request, error)
  const headers = { ...buildProblemHeaders(problem, reply, baseUrl), 'cache-control': 'no-store' }
  const language = chooseAcceptedLanguage(request.headers['accept-language'])
  const page = createProblemPage(problem, request.id, language)
  return sendOidcResponse(reply, { status: problem.status, body: null, headers, page })
}

/** Without a configured base URL, responses have URLs from the Host header, so caches must not share them. */
const withNoStore = (response: OidcResponse): OidcResponse => ({
  ...response,
  headers: { ...response.headers, 'cache-control': 'no-store' },
})

/** Every response permits scripts of all origins to read it, unless this is called. */
const forbidOtherOrigins = (reply: FastifyReply): FastifyReply => reply.removeHeader('access-control-allow-origin')

/** Registers the OIDC endpoints of the realm, in a Fastify scope of their own that parses forms. */
export function registerOidcRoutes(app: FastifyInstance, identity: OidcEndpoints): void {
  const baseUrlFor = (request: FastifyRequest): string => resolveBaseUrl(request, identity.base_url)
  void app.register(async (scope) => {
    scope.addContentTypeParser(formType, { parseAs: 'string', bodyLimit: max_form_bytes }, (_request, text, done) =>
      done(null, new URLSearchParams(String(text))),
    )
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit: max_form_bytes },
      (_request, text, done) => done(null, parseJson(String(text))),
    )
    scope.setErrorHandler((error, request, reply) => {
      if ((error as { statusCode?: unknown }).statusCode !== 413) {
        if (isNavigated(request)) return sendProblemPage(reply, request, error, baseUrlFor(request))
        return sendProblem(reply, request, error, baseUrlFor(request))
      }
      const body = { error: 'invalid_request', error_description: 'The form is too large.' }
      return sendOidcResponse(reply, { status: 413, body, headers: { 'cache-control': 'no-store' } })
    })
    scope.get(passkeyScriptPath, async (_request, reply) =>
      forbidOtherOrigins(reply)
        .headers({ 'cache-control': 'public, max-age=3600', 'cross-origin-resource-policy': 'same-origin' })
        .type('text/javascript; charset=utf-8')
        .send(passkeyScript),
    )
    for (const { methods, path, endpoint, isSameOrigin = false } of endpointRoutes) {
      if (isSameOrigin) scope.options(path, async (_request, reply) => forbidOtherOrigins(reply).code(204).send())
      scope.route({
        method: [...methods],
        url: path,
        handler: async (request, reply) => {
          request.callLog.set({ endpoint })
          if (isSameOrigin) forbidOtherOrigins(reply)
          const response = await identity[endpoint]({
            method: toMethod(request.method),
            form: readForm(request),
            json: request.body instanceof JsonBody ? request.body.document : undefined,
            query: readQuery(request),
            cookie: request.headers.cookie ?? null,
            acceptsHtml: acceptsHtml(request),
            acceptLanguage: getRequestHeader(request, 'accept-language'),
            userAgent: getRequestHeader(request, 'user-agent'),
            authorization: request.headers.authorization ?? null,
            apiKey: getRequestHeader(request, 'x-api-key'),
            address: toIpAddressBlock(request.ip),
            baseUrl: baseUrlFor(request),
            pathParameters: request.params as Readonly<Record<string, string>>,
          })
          return sendOidcResponse(reply, identity.base_url === null ? withNoStore(response) : response)
        },
      })
    }
  })
}
