/** Every resource that a scope can name. `privileged` ones are never granted by a role or a key's flags. */
const resources = {
  items: ['read', 'write'],
  catalog: ['read'],
  tiles: ['read'],
  collections: ['read', 'write'],
  band_formulas: ['read', 'write'],
  orders: ['read', 'write'],
  processing: ['read', 'process'],
  analytics: ['read', 'process'],
  clip: ['read', 'write', 'destroy'],
  uploads: ['write'],
  provenance: ['read'],
  reports: ['read'],
  usage: ['read', 'write'],
  projects: ['write'],
  organizations: ['read', 'write'],
  shares: ['read', 'write'],
  alerts: ['read', 'write'],
  event_subscriptions: ['read', 'write'],
  notifications: ['read', 'write'],
  billing: ['read', 'write'],
  eulas: ['read', 'write'],
  api_keys: ['read', 'write'],
  admin: ['read', 'write'],
} as const

type Resources = typeof resources
export type Scope = { [R in keyof Resources]: `${R}:${Resources[R][number]}` }[keyof Resources]

/** All concrete scopes, in the order of the table. */
export const scopes: readonly Scope[] = Object.entries(resources).flatMap(([resource, actions]) =>
  actions.map((action) => `${resource}:${action}` as Scope),
)

export const privilegedResources: ReadonlySet<string> = new Set(['admin', 'clip'])

export const isPrivileged = (scope: string): boolean => privilegedResources.has(scope.split(':')[0] ?? '')

/** The wildcards of a signed-in person: one for every resource that is not privileged. */
export const humanScopes: readonly string[] = Object.keys(resources)
  .filter((resource) => !privilegedResources.has(resource))
  .map((resource) => `${resource}:*`)

export const keyFlags = ['can_read', 'can_write', 'can_process'] as const
export type KeyFlag = (typeof keyFlags)[number]

const flagActions: Record<KeyFlag, string> = { can_read: 'read', can_write: 'write', can_process: 'process' }

/**
 * What an API key grants. A key with no flag still reads; every flag implies read; concrete scopes come beside them.
 * The action wildcards never reach a privileged resource (`satisfies` refuses).
 */
export function scopesOfKey(permissions: readonly string[]): string[] {
  const flags = keyFlags.filter((flag) => permissions.includes(flag))
  const stored = permissions.filter((permission) => permission.includes(':'))
  const granted =
    flags.length > 0 || stored.length === 0 ? ['*:read', ...flags.map((flag) => `*:${flagActions[flag]}`)] : []
  return [...new Set([...granted, ...stored])]
}

/** True when the granted scopes open the required one: exact, `*`, `resource:*` or, for unprivileged resources, `*:action`. */
export function satisfies(granted: readonly string[], required: Scope): boolean {
  const [resource, action] = required.split(':') as [string, string]
  const whole = `${resource}:*`
  const everywhere = privilegedResources.has(resource) ? null : `*:${action}`
  return granted.some((scope) => scope === whole || scope === required || scope === everywhere || scope === '*')
}
