/** Every resource of a scope. Privileged ones are never granted by a role or by the flags of a key. */
const resources = {
  items: ['read', 'write'],
  catalog: ['read', 'write'],
  tiles: ['read'],
  collections: ['read', 'write'],
  band_formulas: ['read', 'write'],
  orders: ['read', 'write'],
  processing: ['read', 'process'],
  analytics: ['read', 'process'],
  clip: ['read', 'write', 'destroy'],
  uploads: ['write'],
  provenance: ['read'],
  reports: ['read', 'write'],
  usage: ['read', 'write'],
  projects: ['write'],
  organizations: ['read', 'write'],
  audit: ['export'],
  shares: ['read', 'write'],
  alerts: ['read', 'write'],
  event_subscriptions: ['read', 'write'],
  notifications: ['read', 'write'],
  billing: ['read', 'write'],
  eulas: ['read', 'write'],
  api_keys: ['read', 'write'],
  personal_tokens: ['read', 'write'],
  oauth_clients: ['read', 'write'],
  consents: ['read', 'write'],
  users: ['read', 'write'],
  admin: ['read', 'write'],
} as const

type Resources = typeof resources
export type Scope = { [R in keyof Resources]: `${R}:${Resources[R][number]}` }[keyof Resources]

/** All concrete scopes, in the order of the table. */
export const scopes: readonly Scope[] = Object.entries(resources).flatMap(([resource, actions]) =>
  actions.map((action) => `${resource}:${action}` as Scope),
)

export const privilegedScopeResources: ReadonlySet<string> = new Set(['admin', 'clip'])

export const isPrivilegedScope = (scope: string): boolean => privilegedScopeResources.has(scope.split(':')[0] ?? '')

/** The wildcard scopes of a signed-in user: one for every resource that is not privileged. */
export const humanScopes: readonly string[] = Object.keys(resources)
  .filter((resource) => !privilegedScopeResources.has(resource))
  .map((resource) => `${resource}:*`)

/** The wildcard scopes of the privileged resources, which operators and clip users have. */
export const privilegedScopes: readonly string[] = [...privilegedScopeResources].map((resource) => `${resource}:*`)

export const apiKeyPermissionFlags = ['can_read', 'can_write', 'can_process'] as const
export type ApiKeyPermissionFlag = (typeof apiKeyPermissionFlags)[number]

const flagActions: Record<ApiKeyPermissionFlag, string> = {
  can_read: 'read',
  can_write: 'write',
  can_process: 'process',
}

/**
 * The scopes of an API key. A key without permissions may read; every flag implies read; concrete scopes are added.
 * An action wildcard never covers a privileged resource (`isScopeGranted` excludes them).
 */
export function resolveApiKeyScopes(permissions: readonly string[]): string[] {
  const flags = apiKeyPermissionFlags.filter((flag) => permissions.includes(flag))
  const stored = permissions.filter((permission) => permission.includes(':'))
  const granted =
    flags.length > 0 || stored.length === 0 ? ['*:read', ...flags.map((flag) => `*:${flagActions[flag]}`)] : []
  return [...new Set([...granted, ...stored])]
}

/** True if a granted scope covers the required one: itself, `*`, `resource:*` or, unless privileged, `*:action`. */
export function isScopeGranted(granted: readonly string[], required: Scope): boolean {
  const [resource, action] = required.split(':') as [string, string]
  const resourceWildcard = `${resource}:*`
  const actionWildcard = privilegedScopeResources.has(resource) ? null : `*:${action}`
  return granted.some(
    (scope) => scope === resourceWildcard || scope === required || scope === actionWildcard || scope === '*',
  )
}

/**
 * The scopes of OpenID Connect. They say what the response of the token endpoint contains and do not limit what the token may
 * call.
 */
export const openIdScopes: readonly string[] = ['openid', 'profile', 'email', 'offline_access']

const actions = new Set<string>(Object.values(resources).flat())

/** True for a scope that a client may ask for: a concrete one, `resource:*` or `*:action`. */
export function isRequestableScope(scope: string): boolean {
  const [resource = '', action = '', ...rest] = scope.split(':')
  if (rest.length > 0 || (resource === '*' && action === '*')) return false
  if (resource === '*') return actions.has(action)
  if (!Object.hasOwn(resources, resource)) return false
  return action === '*' || (resources[resource as keyof Resources] as readonly string[]).includes(action)
}

/** What both patterns cover, as one; null for nothing. */
function intersectScopePair(left: string, right: string): string | null {
  if (left === '*' || right === '*') return left === '*' ? right : left
  const [leftParts, rightParts] = [left.split(':'), right.split(':')]
  const [resource, action] = [0, 1].map((part) => {
    const [a, b] = [leftParts[part]!, rightParts[part]!]
    return a === '*' || a === b ? b : b === '*' ? a : null
  })
  if (resource === null || action === null) return null
  const scope = `${resource}:${action}`
  return isRequestableScope(scope) && isPrivilegedScope(left) === isPrivilegedScope(right) ? scope : null
}

/** The scopes that both lists cover: what is left of the scopes that somebody has in a token that asked for some. */
export function intersectScopes(left: readonly string[], right: readonly string[]): string[] {
  const common = left.flatMap((one) => right.map((other) => intersectScopePair(one, other)))
  return [...new Set(common.filter((scope) => scope !== null))]
}

/** The first concrete scope that the patterns of one list cover and those of the other do not; undefined if there is none. */
export const findScopeBeyond = (granted: readonly string[], held: readonly string[]): Scope | undefined =>
  scopes.find((scope) => isScopeGranted(granted, scope) && !isScopeGranted(held, scope))

/** Resources whose operations are for users in person alone, so that no credential has their scopes. */
const interactiveResourceNames = ['personal_tokens', 'consents', 'users'] as const
const interactiveResources: ReadonlySet<string> = new Set(interactiveResourceNames)

/** A scope that a credential may have. */
export type DelegableScope = Exclude<Scope, `${(typeof interactiveResourceNames)[number]}:${string}`>

export const isInteractiveScope = (scope: string): boolean => interactiveResources.has(scope.split(':')[0] ?? '')

/** Scopes that make credentials, which would outlast what made them. */
const credentialScopes: ReadonlySet<Scope> = new Set(['api_keys:write', 'oauth_clients:write'])

/**
 * The concrete scopes that these patterns cover, for credentials that somebody hands to a program. Those that make other credentials
 * must be named; a wildcard of an action covers no privileged resource; those for users in person are left out.
 */
export const expandDelegatedScopes = (patterns: readonly string[]): Scope[] =>
  scopes.filter((scope) => {
    if (isInteractiveScope(scope)) return false
    return credentialScopes.has(scope) ? patterns.includes(scope) : isScopeGranted(patterns, scope)
  })
