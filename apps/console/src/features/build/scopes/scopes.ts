import { scopeTexts } from '@swath/client/scope-texts.ts'
import { credentialsTexts } from '../../../texts/credentials.ts'

/** Resources of operators and of clip users, which wildcards of actions do not cover. */
const privileged: ReadonlySet<string> = new Set(['admin', 'clip'])

const resourceOf = (scope: string): string => scope.split(':')[0]!

export const isPrivileged = (scope: string): boolean => privileged.has(resourceOf(scope))

/** True if some patterns cover a concrete scope: itself, `*`, `resource:*` or, unless it is privileged, `*:action`. */
export function isScopeHeld(held: readonly string[], scope: string): boolean {
  const [resource, action] = scope.split(':')
  const covering = ['*', scope, `${resource}:*`, ...(isPrivileged(scope) ? [] : [`*:${action}`])]
  return held.some((pattern) => covering.includes(pattern))
}

/** The concrete scopes that a credential of somebody with these patterns may have, in the order of the platform. */
export const offeredScopes = (held: readonly string[]): string[] =>
  Object.keys(scopeTexts).filter((scope) => isScopeHeld(held, scope))

export interface ScopeGroup {
  readonly resource: string
  readonly title: string
  readonly scopes: readonly { readonly scope: string; readonly text: string }[]
}

const titles: Readonly<Record<string, string>> = credentialsTexts.scopes.resources

/** `Band formulas` */
function titleOf(resource: string): string {
  const words = resource.replaceAll('_', ' ')
  return titles[resource] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** What a scope lets a program do; the scope itself where this version does not know it. */
export const describeScope = (scope: string): string => scopeTexts[scope] ?? scope

/** Scopes by their resource; with a text, those whose words contain it. */
export function groupScopes(scopes: readonly string[], text = ''): readonly ScopeGroup[] {
  const wanted = text.trim().toLowerCase()
  const groups = Map.groupBy(scopes, resourceOf)
  return [...groups].flatMap(([resource, members]) => {
    const title = titleOf(resource)
    const found = members
      .map((scope) => ({ scope, text: describeScope(scope) }))
      .filter((row) => `${title} ${row.scope} ${row.text}`.toLowerCase().includes(wanted))
    return found.length === 0 ? [] : [{ resource, title, scopes: found }]
  })
}
