import { AuthorizationError, UntrustedRedirect, type AuthorizationRedirectTarget } from './authorization-error.ts'
import { parseResources } from '../clients/resource-indicators.ts'
import { parseRequestedScopes } from '../requested-scopes.ts'
import type { PublicClient, PublicClients } from './public-clients.ts'

/** A valid authorization request (RFC 6749 4.1.1, RFC 7636 4.3, OpenID Connect core 3.1.2.1). */
export interface AuthorizationRequest extends AuthorizationRedirectTarget {
  readonly client: PublicClient
  readonly nonce: string | null
  /** The SHA-256 of the verifier, as base64url. */
  readonly code_challenge: string
  /** True if the client requested an ID token. */
  readonly openid: boolean
  /** The scopes of resources that the client asks for; null for none. */
  readonly scopes: readonly string[] | null
  /** The resources that the tokens are for; null for none. */
  readonly resources: readonly string[] | null
  /** `none`: no page may be shown; `login`: the user enters the password again. */
  readonly prompt: 'none' | 'login' | null
  /** True if the user is to consent again (`prompt=consent`). */
  readonly forces_consent: boolean
  /** The maximum time since the user entered the password (`max_age`). */
  readonly max_age_s: number | null
  readonly login_hint: string | null
  /** An ID token of the user whom the client expects. */
  readonly id_token_hint: string | null
  /** The organization that the tokens are for; null for the one that the user chose last (an extension of the platform). */
  readonly organization_id: string | null
  /** The client had a session that ended while the user worked (`session_ended=true`, an extension of the platform). */
  readonly session_ended: boolean
  /** The parameters as a query, in one order: forms are signed with it. */
  readonly query: string
}

/** The parameters that are understood; any other is ignored. */
const parameterNames = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'max_age',
  'login_hint',
  'ui_locales',
  'id_token_hint',
  'session_ended',
  'organization_id',
] as const

type ParameterName = (typeof parameterNames)[number]
type Parameters = Readonly<Partial<Record<ParameterName, string>>>

/** Parameters that would change the meaning of the request (OpenID Connect core 6 and 7.2.1). */
const unsupportedParameters = {
  request: 'request_not_supported',
  request_uri: 'request_uri_not_supported',
  registration: 'registration_not_supported',
} as const

/** Longer values are refused: state and nonce are stored and returned. */
const max_parameter_length = 2048

// oxlint-disable-next-line no-control-regex -- PostgreSQL rejects a NUL, and no client sends the others
const isText = (value: string): boolean => value.length <= max_parameter_length && !/[\0-\x1f\x7f]/.test(value)

const codeChallengePattern = /^[\w-]{43}$/

/** Reads a parameter that was sent at most once; empty ones count as absent. */
function readOnce(parameters: URLSearchParams, name: string): string | null {
  const values = parameters.getAll(name)
  return values.length === 1 && isText(values[0]!) ? values[0]! : null
}

/** Throws `UntrustedRedirect` if errors cannot be reported to the client, and `AuthorizationError` if they can. */
export function parseAuthorizationRequest(
  parameters: URLSearchParams,
  clients: Pick<PublicClients, 'find'>,
  baseUrl: string,
): AuthorizationRequest {
  const client = findClient(parameters, clients)
  const redirect_uri = readOnce(parameters, 'redirect_uri')
  if (!redirect_uri || !client.isRedirectUri(redirect_uri, baseUrl)) {
    throw new UntrustedRedirect(
      'The application that sent you here asked to continue at an address (redirect_uri) that is not registered for it.',
    )
  }
  const target: AuthorizationRedirectTarget = { redirect_uri, state: readOnce(parameters, 'state') || null }
  const values = readParameters(parameters, target)
  checkParameters(values, target)
  const requested = parseRequestedScopes(values.scope ?? null)
  if ('error' in requested) throw new AuthorizationError('invalid_scope', requested.error, target)
  const resources = parseResources(parameters, baseUrl)
  if (resources !== null && 'error' in resources)
    throw new AuthorizationError('invalid_target', resources.error, target)
  const prompts = values.prompt?.split(' ') ?? []
  const query = new URLSearchParams({ ...values })
  for (const resource of resources ?? []) query.append('resource', resource)
  return {
    ...target,
    client,
    nonce: values.nonce ?? null,
    code_challenge: values.code_challenge!,
    openid: requested.openid,
    scopes: requested.resources,
    resources,
    prompt: prompts.includes('none') ? 'none' : prompts.includes('login') ? 'login' : null,
    forces_consent: prompts.includes('consent'),
    max_age_s: values.max_age === undefined ? null : Number(values.max_age),
    login_hint: values.login_hint ?? null,
    id_token_hint: values.id_token_hint ?? null,
    organization_id: values.organization_id ?? null,
    session_ended: values.session_ended === 'true',
    query: query.toString(),
  }
}

function findClient(parameters: URLSearchParams, clients: Pick<PublicClients, 'find'>): PublicClient {
  const client = clients.find(readOnce(parameters, 'client_id') ?? '')
  if (client) return client
  throw new UntrustedRedirect('The application that sent you here (client_id) is not registered on this platform.')
}

function readParameters(parameters: URLSearchParams, target: AuthorizationRedirectTarget): Parameters {
  for (const [name, code] of Object.entries(unsupportedParameters)) {
    if (parameters.has(name)) throw new AuthorizationError(code, `${name} is not supported.`, target)
  }
  const entries = parameterNames.flatMap((name): [ParameterName, string][] => {
    if (!parameters.has(name)) return []
    const value = readOnce(parameters, name)
    if (value === null) {
      throw new AuthorizationError('invalid_request', `${name} must be sent once, with a valid text.`, target)
    }
    return value === '' ? [] : [[name, value]]
  })
  return Object.fromEntries(entries)
}

interface ParameterRule {
  readonly isViolated: (values: Parameters) => boolean
  readonly code: 'invalid_request' | 'unsupported_response_type'
  readonly message: string
}

const isOneOf = (value: string | undefined, ...allowed: readonly (string | undefined)[]): boolean =>
  allowed.includes(value)

/** The rules for parameters, in the order in which violations are reported. */
const parameterRules: readonly ParameterRule[] = [
  {
    isViolated: ({ response_type }) => response_type === undefined,
    code: 'invalid_request',
    message: 'response_type is required.',
  },
  {
    isViolated: ({ response_type }) => response_type !== 'code',
    code: 'unsupported_response_type',
    message: 'response_type must be code.',
  },
  {
    isViolated: ({ response_mode }) => !isOneOf(response_mode, undefined, 'query'),
    code: 'invalid_request',
    message: 'response_mode must be query.',
  },
  {
    isViolated: ({ code_challenge }) => code_challenge === undefined,
    code: 'invalid_request',
    message: 'code_challenge is required (PKCE).',
  },
  {
    isViolated: ({ code_challenge_method }) => code_challenge_method !== 'S256',
    code: 'invalid_request',
    message: 'code_challenge_method must be S256.',
  },
  {
    isViolated: ({ code_challenge }) => !codeChallengePattern.test(code_challenge ?? ''),
    code: 'invalid_request',
    message: 'code_challenge must be a SHA-256 as base64url.',
  },
  {
    isViolated: ({ prompt }) =>
      !isOneOf(prompt, undefined, 'none', 'login', 'consent', 'login consent', 'consent login'),
    code: 'invalid_request',
    message: 'prompt must be none, login, consent, or both of the last.',
  },
  {
    isViolated: ({ max_age }) => max_age !== undefined && !/^\d{1,9}$/.test(max_age),
    code: 'invalid_request',
    message: 'max_age must be a number of seconds.',
  },
]

function checkParameters(values: Parameters, target: AuthorizationRedirectTarget): void {
  const violated = parameterRules.find(({ isViolated }) => isViolated(values))
  if (violated) throw new AuthorizationError(violated.code, violated.message, target)
}
